build2/analysis/answer.o: analysis/answer.c analysis/answer.h \
 host/number.h analysis/columns.h host/failure.h host/grow.h \
 traces/json_text.h traces/rows.h
analysis/answer.h:
host/number.h:
analysis/columns.h:
host/failure.h:
host/grow.h:
traces/json_text.h:
traces/rows.h:
