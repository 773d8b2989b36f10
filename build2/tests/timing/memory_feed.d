build2/tests/timing/memory_feed.o: tests/timing/memory_feed.c \
 tests/timing/memory_feed.h timing/memory.h timing/account.h \
 timing/sink.h timing/reason.def timing/kernel.h timing/queue.h
tests/timing/memory_feed.h:
timing/memory.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
timing/kernel.h:
timing/queue.h:
