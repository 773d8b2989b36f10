build2/traces/konata.o: traces/konata.c traces/konata.h host/grow.h \
 timing/sink.h timing/reason.def traces/alike.h traces/interval.h \
 traces/chunk.h traces/rows.h traces/trace.h
traces/konata.h:
host/grow.h:
timing/sink.h:
timing/reason.def:
traces/alike.h:
traces/interval.h:
traces/chunk.h:
traces/rows.h:
traces/trace.h:
