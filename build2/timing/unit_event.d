build2/timing/unit_event.o: timing/unit_event.c timing/unit_event.h \
 timing/kernel.h timing/queue.h timing/sink.h timing/reason.def
timing/unit_event.h:
timing/kernel.h:
timing/queue.h:
timing/sink.h:
timing/reason.def:
