build2/tests/amx/random_program.o: tests/amx/random_program.c \
 tests/amx/random_program.h tests/dice.h
tests/amx/random_program.h:
tests/dice.h:
