build2/timing/charges.o: timing/charges.c timing/charges.h timing/costs.h \
 timing/sink.h timing/reason.def host/big_memory.h host/grow.h
timing/charges.h:
timing/costs.h:
timing/sink.h:
timing/reason.def:
host/big_memory.h:
host/grow.h:
