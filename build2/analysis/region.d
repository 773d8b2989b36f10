build2/analysis/region.o: analysis/region.c analysis/region.h \
 traces/rows.h traces/trace.h timing/sink.h timing/reason.def
analysis/region.h:
traces/rows.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
