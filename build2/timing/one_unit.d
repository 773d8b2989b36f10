build2/timing/one_unit.o: timing/one_unit.c timing/one_unit.h
timing/one_unit.h:
