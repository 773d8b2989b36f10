build2/functional/loops/words.o: functional/loops/words.c \
 functional/loops/parse.h functional/line.h functional/diag.h \
 functional/source.h functional/loops/program.h functional/loops/op.def
functional/loops/parse.h:
functional/line.h:
functional/diag.h:
functional/source.h:
functional/loops/program.h:
functional/loops/op.def:
