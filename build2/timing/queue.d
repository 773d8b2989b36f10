build2/timing/queue.o: timing/queue.c timing/queue.h host/grow.h
timing/queue.h:
host/grow.h:
