build2/tests/test_cases.o: tests/test_cases.c tests/case_run.h \
 tests/case_file.h
tests/case_run.h:
tests/case_file.h:
