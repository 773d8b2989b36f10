build2/functional/mncore2/work.o: functional/mncore2/work.c \
 functional/mncore2/work.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def functional/work.h
functional/mncore2/work.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/work.h:
