build2/functional/source.o: functional/source.c functional/source.h \
 host/big_memory.h host/file.h
functional/source.h:
host/big_memory.h:
host/file.h:
