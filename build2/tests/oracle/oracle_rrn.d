build2/tests/oracle/oracle_rrn.o: tests/oracle/oracle_rrn.c \
 tests/oracle/oracle.h functional/mncore2/arith.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def
tests/oracle/oracle.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
