build2/traces/trace_file.o: traces/trace_file.c traces/trace_file.h \
 host/failure.h host/file.h host/in_use.h traces/schema.h \
 build2/version.h traces/rows.h traces/trace.h timing/sink.h \
 timing/reason.def
traces/trace_file.h:
host/failure.h:
host/file.h:
host/in_use.h:
traces/schema.h:
build2/version.h:
traces/rows.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
