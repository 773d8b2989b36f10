build2/tests/loops/kit_time.o: tests/loops/kit_time.c tests/loops/kit.h \
 tests/dice.h tests/event_list.h
tests/loops/kit.h:
tests/dice.h:
tests/event_list.h:
