build2/tests/oracle/lockstep.o: tests/oracle/lockstep.c \
 tests/oracle/lockstep.h tests/oracle/fill.h tests/dice.h \
 tests/oracle/oracle.h functional/mncore2/arith.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/arith_select.h tests/often.h
tests/oracle/lockstep.h:
tests/oracle/fill.h:
tests/dice.h:
tests/oracle/oracle.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/arith_select.h:
tests/often.h:
