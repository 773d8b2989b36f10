build2/tests/diff_kit.o: tests/diff_kit.c tests/diff_kit.h \
 tests/takt_process.h
tests/diff_kit.h:
tests/takt_process.h:
