build2/editor/rpc.o: editor/rpc.c editor/rpc.h host/grow.h
editor/rpc.h:
host/grow.h:
