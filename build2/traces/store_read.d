build2/traces/store_read.o: traces/store_read.c traces/store_read.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h traces/rows.h
traces/store_read.h:
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
traces/rows.h:
