build2/timing/graph.o: timing/graph.c timing/graph.h host/grow.h
timing/graph.h:
host/grow.h:
