build2/timing/mncore2/meets.o: timing/mncore2/meets.c \
 timing/mncore2/meets.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def host/big_memory.h \
 host/grow.h
timing/mncore2/meets.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
host/big_memory.h:
host/grow.h:
