build2/analysis/screen_waits.o: analysis/screen_waits.c \
 analysis/columns.h analysis/screen_part.h analysis/screen.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h analysis/stalls.h \
 host/number.h timing/terms.h traces/edges.h
analysis/columns.h:
analysis/screen_part.h:
analysis/screen.h:
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
analysis/stalls.h:
host/number.h:
timing/terms.h:
traces/edges.h:
