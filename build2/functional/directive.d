build2/functional/directive.o: functional/directive.c \
 functional/directive.h functional/diag.h functional/source.h host/grow.h
functional/directive.h:
functional/diag.h:
functional/source.h:
host/grow.h:
