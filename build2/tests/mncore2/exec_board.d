build2/tests/mncore2/exec_board.o: tests/mncore2/exec_board.c \
 tests/mncore2/exec_board.h functional/mncore2/exec.h functional/init.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/state.h host/workers.h
tests/mncore2/exec_board.h:
functional/mncore2/exec.h:
functional/init.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/state.h:
host/workers.h:
