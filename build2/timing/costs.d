build2/timing/costs.o: timing/costs.c timing/costs.h timing/sink.h \
 timing/reason.def host/grow.h
timing/costs.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
