build2/timing/path_slack.o: timing/path_slack.c timing/path.h \
 timing/account.h timing/sink.h timing/reason.def host/grow.h
timing/path.h:
timing/account.h:
timing/sink.h:
timing/reason.def:
host/grow.h:
