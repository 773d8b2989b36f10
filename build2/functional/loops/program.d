build2/functional/loops/program.o: functional/loops/program.c \
 functional/loops/program.h functional/diag.h functional/source.h \
 functional/loops/op.def
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
