build2/editor/document.o: editor/document.c editor/document.h host/grow.h
editor/document.h:
host/grow.h:
