build2/tests/kelvin/random_text.o: tests/kelvin/random_text.c \
 tests/kelvin/random_text.h tests/dice.h
tests/kelvin/random_text.h:
tests/dice.h:
