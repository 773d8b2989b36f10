build2/host/failure.o: host/failure.c host/failure.h
host/failure.h:
