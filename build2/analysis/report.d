build2/analysis/report.o: analysis/report.c analysis/report.h \
 analysis/answer.h host/number.h analysis/questions.h functional/text.h \
 traces/rows.h traces/trace.h timing/sink.h timing/reason.def
analysis/report.h:
analysis/answer.h:
host/number.h:
analysis/questions.h:
functional/text.h:
traces/rows.h:
traces/trace.h:
timing/sink.h:
timing/reason.def:
