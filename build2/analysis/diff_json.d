build2/analysis/diff_json.o: analysis/diff_json.c analysis/diff_print.h \
 analysis/diff.h analysis/diff_side.h analysis/diff_stream.h \
 timing/sink.h timing/reason.def traces/store.h functional/diag.h \
 functional/source.h timing/bounds.h timing/graph.h timing/costs.h \
 traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/utf8_json.h
analysis/diff_print.h:
analysis/diff.h:
analysis/diff_side.h:
analysis/diff_stream.h:
timing/sink.h:
timing/reason.def:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/graph.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
analysis/utf8_json.h:
