build2/tests/oracle/fill.o: tests/oracle/fill.c tests/oracle/fill.h \
 tests/dice.h tests/oracle/oracle.h functional/mncore2/arith.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def
tests/oracle/fill.h:
tests/dice.h:
tests/oracle/oracle.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
