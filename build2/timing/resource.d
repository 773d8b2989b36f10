build2/timing/resource.o: timing/resource.c timing/resource.h \
 timing/kernel.h timing/queue.h
timing/resource.h:
timing/kernel.h:
timing/queue.h:
