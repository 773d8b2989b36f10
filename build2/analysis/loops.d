build2/analysis/loops.o: analysis/loops.c analysis/loops.h traces/rows.h \
 host/grow.h traces/slice.h traces/trace.h timing/sink.h \
 timing/reason.def
analysis/loops.h:
traces/rows.h:
host/grow.h:
traces/slice.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
