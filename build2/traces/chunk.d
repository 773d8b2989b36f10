build2/traces/chunk.o: traces/chunk.c traces/chunk.h host/grow.h \
 timing/sink.h timing/reason.def
traces/chunk.h:
host/grow.h:
timing/sink.h:
timing/reason.def:
