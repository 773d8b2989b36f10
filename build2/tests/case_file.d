build2/tests/case_file.o: tests/case_file.c tests/case_file.h \
 tests/takt_process.h
tests/case_file.h:
tests/takt_process.h:
