build2/timing/certify.o: timing/certify.c timing/bounds.h timing/graph.h
timing/bounds.h:
timing/graph.h:
