build2/analysis/columns.o: analysis/columns.c analysis/columns.h \
 functional/text.h
analysis/columns.h:
functional/text.h:
