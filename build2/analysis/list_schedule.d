build2/analysis/list_schedule.o: analysis/list_schedule.c \
 analysis/list_schedule.h timing/moves.h analysis/knots.h
analysis/list_schedule.h:
timing/moves.h:
analysis/knots.h:
