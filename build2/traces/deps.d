build2/traces/deps.o: traces/deps.c traces/deps.h timing/sink.h \
 timing/reason.def traces/strings.h host/grow.h
traces/deps.h:
timing/sink.h:
timing/reason.def:
traces/strings.h:
host/grow.h:
