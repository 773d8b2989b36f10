build2/functional/loops/parse.o: functional/loops/parse.c \
 functional/loops/parse.h functional/line.h functional/diag.h \
 functional/source.h functional/loops/program.h functional/loops/op.def \
 host/grow.h
functional/loops/parse.h:
functional/line.h:
functional/diag.h:
functional/source.h:
functional/loops/program.h:
functional/loops/op.def:
host/grow.h:
