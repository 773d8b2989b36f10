build2/timing/fifo.o: timing/fifo.c timing/fifo.h timing/producer.h
timing/fifo.h:
timing/producer.h:
