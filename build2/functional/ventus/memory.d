build2/functional/ventus/memory.o: functional/ventus/memory.c \
 functional/ventus/memory.h host/big_memory.h host/grow.h
functional/ventus/memory.h:
host/big_memory.h:
host/grow.h:
