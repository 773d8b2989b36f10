build2/cli/mncore2/expect.o: cli/mncore2/expect.c cli/mncore2/expect.h \
 functional/mncore2/arith.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def host/grow.h
cli/mncore2/expect.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
host/grow.h:
