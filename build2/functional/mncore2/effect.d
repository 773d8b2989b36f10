build2/functional/mncore2/effect.o: functional/mncore2/effect.c \
 functional/mncore2/effect.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
