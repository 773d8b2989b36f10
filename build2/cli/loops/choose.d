build2/cli/loops/choose.o: cli/loops/choose.c cli/loops/choose.h \
 functional/loops/generate.h functional/loops/program.h functional/diag.h \
 functional/source.h functional/loops/op.def
cli/loops/choose.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
