build2/host/number.o: host/number.c host/number.h
host/number.h:
