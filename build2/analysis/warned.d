build2/analysis/warned.o: analysis/warned.c analysis/warned.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h
analysis/warned.h:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/graph.h:
timing/costs.h:
timing/sink.h:
timing/reason.def:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
