build2/host/file.o: host/file.c host/file.h host/big_memory.h \
 host/failure.h host/file_identity.h host/grow.h host/in_use.h
host/file.h:
host/big_memory.h:
host/failure.h:
host/file_identity.h:
host/grow.h:
host/in_use.h:
