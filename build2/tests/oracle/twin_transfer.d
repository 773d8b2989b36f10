build2/tests/oracle/twin_transfer.o: tests/oracle/twin_transfer.c \
 tests/oracle/twin.h functional/mncore2/program.h functional/diag.h \
 functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def tests/oracle/oracle.h \
 functional/mncore2/arith.h
tests/oracle/twin.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
tests/oracle/oracle.h:
functional/mncore2/arith.h:
