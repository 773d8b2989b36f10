build2/timing/bounds.o: timing/bounds.c timing/bounds.h timing/graph.h \
 host/grow.h timing/bounds_search.h timing/one_unit.h
timing/bounds.h:
timing/graph.h:
host/grow.h:
timing/bounds_search.h:
timing/one_unit.h:
