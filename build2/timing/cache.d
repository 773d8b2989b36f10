build2/timing/cache.o: timing/cache.c timing/cache.h timing/producer.h
timing/cache.h:
timing/producer.h:
