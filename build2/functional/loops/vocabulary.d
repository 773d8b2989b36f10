build2/functional/loops/vocabulary.o: functional/loops/vocabulary.c \
 functional/loops/vocabulary.h functional/vocabulary.h functional/diag.h \
 functional/source.h functional/loops/op.def
functional/loops/vocabulary.h:
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
