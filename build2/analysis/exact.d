build2/analysis/exact.o: analysis/exact.c analysis/exact.h \
 analysis/schedule_exact.h analysis/list_schedule.h timing/moves.h \
 host/hash.h
analysis/exact.h:
analysis/schedule_exact.h:
analysis/list_schedule.h:
timing/moves.h:
host/hash.h:
