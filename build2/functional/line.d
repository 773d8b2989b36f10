build2/functional/line.o: functional/line.c functional/line.h \
 functional/diag.h functional/source.h host/suggest.h
functional/line.h:
functional/diag.h:
functional/source.h:
host/suggest.h:
