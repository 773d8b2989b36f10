build2/traces/starts.o: traces/starts.c traces/starts.h timing/graph.h \
 timing/sink.h timing/reason.def host/grow.h
traces/starts.h:
timing/graph.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
