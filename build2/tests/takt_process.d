build2/tests/takt_process.o: tests/takt_process.c tests/takt_process.h
tests/takt_process.h:
