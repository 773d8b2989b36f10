build2/analysis/schedule_exact.o: analysis/schedule_exact.c \
 analysis/schedule_exact.h analysis/list_schedule.h timing/moves.h \
 analysis/exact.h
analysis/schedule_exact.h:
analysis/list_schedule.h:
timing/moves.h:
analysis/exact.h:
