build2/traces/edges.o: traces/edges.c traces/edges.h timing/sink.h \
 timing/reason.def
traces/edges.h:
timing/sink.h:
timing/reason.def:
