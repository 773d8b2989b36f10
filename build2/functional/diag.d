build2/functional/diag.o: functional/diag.c functional/diag.h \
 functional/source.h functional/text.h host/failure.h host/grow.h
functional/diag.h:
functional/source.h:
functional/text.h:
host/failure.h:
host/grow.h:
