build2/analysis/diff_side.o: analysis/diff_side.c analysis/diff_reader.h \
 analysis/diff_side.h analysis/diff_stream.h timing/sink.h \
 timing/reason.def traces/store.h functional/diag.h functional/source.h \
 timing/bounds.h timing/graph.h timing/costs.h traces/deps.h \
 traces/strings.h traces/region_totals.h
analysis/diff_reader.h:
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
