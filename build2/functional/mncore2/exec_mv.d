build2/functional/mncore2/exec_mv.o: functional/mncore2/exec_mv.c \
 functional/mncore2/arith.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def functional/mncore2/state.h \
 functional/mncore2/exec.h functional/init.h host/workers.h
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/state.h:
functional/mncore2/exec.h:
functional/init.h:
host/workers.h:
