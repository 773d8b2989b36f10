build2/timing/memory_state.o: timing/memory_state.c timing/memory_state.h \
 timing/memory.h timing/account.h timing/sink.h timing/reason.def \
 timing/kernel.h timing/queue.h host/text.h timing/memory_parts.h \
 timing/producer.h
timing/memory_state.h:
timing/memory.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
timing/kernel.h:
timing/queue.h:
host/text.h:
timing/memory_parts.h:
timing/producer.h:
