build2/traces/trace.o: traces/trace.c traces/trace.h timing/sink.h \
 timing/reason.def host/file_identity.h host/in_use.h traces/rows.h \
 host/failure.h traces/schema.h build2/version.h traces/slice.h \
 traces/sum.h
traces/trace.h:
timing/sink.h:
timing/reason.def:
host/file_identity.h:
host/in_use.h:
traces/rows.h:
host/failure.h:
traces/schema.h:
build2/version.h:
traces/slice.h:
traces/sum.h:
