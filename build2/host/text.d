build2/host/text.o: host/text.c host/text.h host/failure.h host/grow.h
host/text.h:
host/failure.h:
host/grow.h:
