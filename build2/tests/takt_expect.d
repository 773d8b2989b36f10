build2/tests/takt_expect.o: tests/takt_expect.c tests/takt_expect.h \
 tests/takt_process.h
tests/takt_expect.h:
tests/takt_process.h:
