build2/tests/loops/kit.o: tests/loops/kit.c tests/loops/kit.h tests/dice.h \
 tests/event_list.h
tests/loops/kit.h:
tests/dice.h:
tests/event_list.h:
