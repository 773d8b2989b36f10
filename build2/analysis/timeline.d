build2/analysis/timeline.o: analysis/timeline.c analysis/timeline.h \
 analysis/answer.h host/number.h analysis/utf8_json.h analysis/columns.h \
 functional/text.h timing/sink.h timing/reason.def traces/alike.h \
 traces/interval.h traces/chunk.h traces/rows.h traces/slice.h \
 traces/trace.h
analysis/timeline.h:
analysis/answer.h:
host/number.h:
analysis/utf8_json.h:
analysis/columns.h:
functional/text.h:
timing/sink.h:
timing/reason.def:
traces/alike.h:
traces/interval.h:
traces/chunk.h:
traces/rows.h:
traces/slice.h:
traces/trace.h:
