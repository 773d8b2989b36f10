build2/tests/digest.o: tests/digest.c tests/digest.h timing/sink.h \
 timing/reason.def timing/costs.h traces/strings.h
tests/digest.h:
timing/sink.h:
timing/reason.def:
timing/costs.h:
traces/strings.h:
