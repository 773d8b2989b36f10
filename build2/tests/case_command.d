build2/tests/case_command.o: tests/case_command.c tests/case_run.h \
 tests/case_file.h tests/takt_process.h
tests/case_run.h:
tests/case_file.h:
tests/takt_process.h:
