build2/traces/sinks.o: traces/sinks.c traces/sinks.h timing/sink.h \
 timing/reason.def
traces/sinks.h:
timing/sink.h:
timing/reason.def:
