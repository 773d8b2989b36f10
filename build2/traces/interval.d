build2/traces/interval.o: traces/interval.c traces/interval.h \
 traces/chunk.h timing/sink.h timing/reason.def traces/rows.h \
 traces/slice.h
traces/interval.h:
traces/chunk.h:
timing/sink.h:
timing/reason.def:
traces/rows.h:
traces/slice.h:
