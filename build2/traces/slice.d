build2/traces/slice.o: traces/slice.c traces/slice.h timing/sink.h \
 timing/reason.def traces/chunk.h traces/rows.h
traces/slice.h:
timing/sink.h:
timing/reason.def:
traces/chunk.h:
traces/rows.h:
