build2/host/in_use.o: host/in_use.c host/in_use.h host/file_identity.h \
 host/grow.h
host/in_use.h:
host/file_identity.h:
host/grow.h:
