build2/host/grow.o: host/grow.c host/grow.h host/big_memory.h \
 host/failure.h
host/grow.h:
host/big_memory.h:
host/failure.h:
