build2/functional/loops/print.o: functional/loops/print.c \
 functional/loops/arith.h functional/loops/program.h functional/diag.h \
 functional/source.h functional/loops/op.def functional/loops/generate.h
functional/loops/arith.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
functional/loops/generate.h:
