build2/analysis/junit.o: analysis/junit.c analysis/junit.h \
 functional/text.h host/text.h
analysis/junit.h:
functional/text.h:
host/text.h:
