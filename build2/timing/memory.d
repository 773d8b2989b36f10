build2/timing/memory.o: timing/memory.c timing/memory_parts.h \
 timing/memory.h timing/account.h timing/sink.h timing/reason.def \
 timing/kernel.h timing/queue.h host/grow.h timing/producer.h
timing/memory_parts.h:
timing/memory.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
timing/kernel.h:
timing/queue.h:
host/grow.h:
timing/producer.h:
