build2/cli/batch_junit.o: cli/batch_junit.c cli/batch_junit.h \
 analysis/junit.h
cli/batch_junit.h:
analysis/junit.h:
