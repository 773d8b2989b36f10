build2/traces/perfetto.o: traces/perfetto.c traces/perfetto.h \
 timing/sink.h timing/reason.def traces/alike.h traces/interval.h \
 traces/chunk.h traces/json_text.h traces/rows.h traces/schema.h \
 build2/version.h traces/trace.h
traces/perfetto.h:
timing/sink.h:
timing/reason.def:
traces/alike.h:
traces/interval.h:
traces/chunk.h:
traces/json_text.h:
traces/rows.h:
traces/schema.h:
build2/version.h:
traces/trace.h:
