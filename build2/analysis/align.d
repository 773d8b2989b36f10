build2/analysis/align.o: analysis/align.c analysis/align.h
analysis/align.h:
