build2/tests/random_setting.o: tests/random_setting.c \
 tests/random_setting.h config/config.h tests/dice.h
tests/random_setting.h:
config/config.h:
tests/dice.h:
