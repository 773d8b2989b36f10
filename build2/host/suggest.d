build2/host/suggest.o: host/suggest.c host/suggest.h
host/suggest.h:
