build2/analysis/knots.o: analysis/knots.c analysis/knots.h timing/moves.h
analysis/knots.h:
timing/moves.h:
