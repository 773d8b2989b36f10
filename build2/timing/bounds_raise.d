build2/timing/bounds_raise.o: timing/bounds_raise.c host/grow.h \
 timing/bounds_search.h timing/bounds.h timing/graph.h timing/one_unit.h
host/grow.h:
timing/bounds_search.h:
timing/bounds.h:
timing/graph.h:
timing/one_unit.h:
