build2/timing/summary.o: timing/summary.c timing/summary.h \
 timing/account.h timing/sink.h timing/reason.def timing/path.h \
 timing/costs.h
timing/summary.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
timing/path.h:
timing/costs.h:
