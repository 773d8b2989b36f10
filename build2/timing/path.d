build2/timing/path.o: timing/path.c timing/path.h timing/account.h \
 timing/sink.h timing/reason.def host/grow.h
timing/path.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
