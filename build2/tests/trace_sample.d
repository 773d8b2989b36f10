build2/tests/trace_sample.o: tests/trace_sample.c tests/trace_sample.h \
 timing/bounds.h timing/graph.h timing/sink.h timing/reason.def \
 timing/costs.h
tests/trace_sample.h:
timing/bounds.h:
timing/graph.h:
timing/sink.h:
timing/reason.def:
timing/costs.h:
