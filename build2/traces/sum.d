build2/traces/sum.o: traces/sum.c traces/sum.h host/hash.h
traces/sum.h:
host/hash.h:
