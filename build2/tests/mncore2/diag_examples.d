build2/tests/mncore2/diag_examples.o: tests/mncore2/diag_examples.c \
 tests/mncore2/diag_examples.h
tests/mncore2/diag_examples.h:
