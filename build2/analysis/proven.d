build2/analysis/proven.o: analysis/proven.c analysis/proven.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/utf8_json.h host/number.h
analysis/proven.h:
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
analysis/utf8_json.h:
host/number.h:
