build2/timing/mncore2/pieces.o: timing/mncore2/pieces.c \
 timing/mncore2/pieces.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def host/grow.h
timing/mncore2/pieces.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
host/grow.h:
