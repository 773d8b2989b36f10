build2/functional/vocabulary.o: functional/vocabulary.c \
 functional/vocabulary.h functional/diag.h functional/source.h
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
