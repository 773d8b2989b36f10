build2/traces/store.o: traces/store.c traces/store.h functional/diag.h \
 functional/source.h timing/bounds.h timing/graph.h timing/costs.h \
 timing/sink.h timing/reason.def traces/deps.h traces/strings.h \
 traces/region_totals.h host/grow.h timing/range.h config/config.h
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
host/grow.h:
timing/range.h:
config/config.h:
