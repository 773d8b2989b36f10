build2/timing/account.o: timing/account.c timing/account.h timing/sink.h \
 timing/reason.def
timing/account.h:
timing/sink.h:
timing/reason.def:
