build2/traces/alike.o: traces/alike.c traces/alike.h host/grow.h \
 traces/rows.h traces/slice.h
traces/alike.h:
host/grow.h:
traces/rows.h:
traces/slice.h:
