build2/traces/recorder_finish.o: traces/recorder_finish.c timing/range.h \
 config/config.h traces/recorder_state.h traces/chunk.h traces/recorder.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h
timing/range.h:
config/config.h:
traces/recorder_state.h:
traces/chunk.h:
traces/recorder.h:
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
