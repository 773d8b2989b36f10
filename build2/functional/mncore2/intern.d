build2/functional/mncore2/intern.o: functional/mncore2/intern.c \
 functional/mncore2/intern.h host/big_memory.h host/grow.h
functional/mncore2/intern.h:
host/big_memory.h:
host/grow.h:
