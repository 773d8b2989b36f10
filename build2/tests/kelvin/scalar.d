build2/tests/kelvin/scalar.o: tests/kelvin/scalar.c tests/kelvin/scalar.h
tests/kelvin/scalar.h:
