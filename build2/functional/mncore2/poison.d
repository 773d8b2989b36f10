build2/functional/mncore2/poison.o: functional/mncore2/poison.c \
 functional/mncore2/poison.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def functional/mncore2/effect.h \
 functional/mncore2/state.h functional/mncore2/exec.h functional/init.h \
 host/workers.h host/grow.h
functional/mncore2/poison.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/effect.h:
functional/mncore2/state.h:
functional/mncore2/exec.h:
functional/init.h:
host/workers.h:
host/grow.h:
