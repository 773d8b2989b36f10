build2/analysis/diff_trace.o: analysis/diff_trace.c analysis/diff_side.h \
 analysis/diff_stream.h timing/sink.h timing/reason.def traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/graph.h \
 timing/costs.h traces/deps.h traces/strings.h traces/region_totals.h \
 traces/rows.h traces/slice.h traces/store_read.h
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
traces/rows.h:
traces/slice.h:
traces/store_read.h:
