build2/functional/mncore2/hash.o: functional/mncore2/hash.c \
 functional/mncore2/state.h functional/mncore2/exec.h functional/init.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def host/workers.h \
 host/hash.h
functional/mncore2/state.h:
functional/mncore2/exec.h:
functional/init.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
host/workers.h:
host/hash.h:
