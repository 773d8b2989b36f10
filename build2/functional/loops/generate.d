build2/functional/loops/generate.o: functional/loops/generate.c \
 functional/loops/generate.h functional/loops/program.h functional/diag.h \
 functional/source.h functional/loops/op.def
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
