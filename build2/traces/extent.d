build2/traces/extent.o: traces/extent.c traces/extent.h traces/alike.h \
 traces/rows.h traces/slice.h traces/trace.h timing/sink.h \
 timing/reason.def
traces/extent.h:
traces/alike.h:
traces/rows.h:
traces/slice.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
