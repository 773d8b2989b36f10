build2/traces/recorder.o: traces/recorder.c traces/recorder.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h \
 host/file_identity.h traces/recorder_state.h traces/chunk.h \
 traces/schema.h build2/version.h traces/sum.h traces/trace.h \
 traces/trace_file.h
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
host/file_identity.h:
traces/recorder_state.h:
traces/chunk.h:
traces/schema.h:
build2/version.h:
traces/sum.h:
traces/trace.h:
traces/trace_file.h:
