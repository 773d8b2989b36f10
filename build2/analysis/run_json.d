build2/analysis/run_json.o: analysis/run_json.c analysis/run_json.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h analysis/proven.h \
 analysis/stalls.h analysis/units.h analysis/utf8_json.h \
 analysis/verdict.h analysis/warned.h traces/edges.h build2/version.h
analysis/run_json.h:
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
analysis/stalls.h:
analysis/units.h:
analysis/utf8_json.h:
analysis/verdict.h:
analysis/warned.h:
traces/edges.h:
build2/version.h:
