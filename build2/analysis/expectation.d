build2/analysis/expectation.o: analysis/expectation.c \
 analysis/expectation.h traces/store.h functional/diag.h \
 functional/source.h timing/bounds.h timing/graph.h timing/costs.h \
 timing/sink.h timing/reason.def traces/deps.h traces/strings.h \
 traces/region_totals.h analysis/proven.h analysis/units.h host/number.h \
 host/suggest.h
analysis/expectation.h:
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
analysis/proven.h:
analysis/units.h:
host/number.h:
host/suggest.h:
