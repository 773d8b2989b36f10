build2/timing/kernel.o: timing/kernel.c timing/kernel.h timing/queue.h
timing/kernel.h:
timing/queue.h:
