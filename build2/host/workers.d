build2/host/workers.o: host/workers.c host/workers.h
host/workers.h:
