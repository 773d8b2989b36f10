build2/tests/event_list.o: tests/event_list.c tests/event_list.h
tests/event_list.h:
