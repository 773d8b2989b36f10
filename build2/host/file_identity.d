build2/host/file_identity.o: host/file_identity.c host/file_identity.h
host/file_identity.h:
