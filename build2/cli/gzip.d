build2/cli/gzip.o: cli/gzip.c cli/gzip.h
cli/gzip.h:
