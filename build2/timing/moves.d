build2/timing/moves.o: timing/moves.c timing/moves.h host/grow.h
timing/moves.h:
host/grow.h:
