build2/analysis/moment.o: analysis/moment.c analysis/moment.h \
 traces/rows.h traces/trace.h timing/sink.h timing/reason.def
analysis/moment.h:
traces/rows.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
