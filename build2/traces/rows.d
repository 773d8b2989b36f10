build2/traces/rows.o: traces/rows.c traces/rows.h host/failure.h
traces/rows.h:
host/failure.h:
