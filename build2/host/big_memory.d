build2/host/big_memory.o: host/big_memory.c host/big_memory.h
host/big_memory.h:
