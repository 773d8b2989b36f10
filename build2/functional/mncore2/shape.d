build2/functional/mncore2/shape.o: functional/mncore2/shape.c \
 functional/mncore2/shape.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def functional/mncore2/intern.h
functional/mncore2/shape.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/intern.h:
