build2/analysis/query.o: analysis/query.c analysis/query.h \
 analysis/answer.h host/number.h traces/rows.h
analysis/query.h:
analysis/answer.h:
host/number.h:
traces/rows.h:
