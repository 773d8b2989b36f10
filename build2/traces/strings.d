build2/traces/strings.o: traces/strings.c traces/strings.h host/grow.h \
 timing/sink.h timing/reason.def
traces/strings.h:
host/grow.h:
timing/sink.h:
timing/reason.def:
