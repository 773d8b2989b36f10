build2/tests/gen_program.o: tests/gen_program.c tests/gen_program.h \
 tests/gen_model.h functional/mncore2/program.h functional/diag.h \
 functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def tests/oracle/fill.h tests/dice.h \
 tests/oracle/oracle.h functional/mncore2/arith.h
tests/gen_program.h:
tests/gen_model.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
tests/oracle/fill.h:
tests/dice.h:
tests/oracle/oracle.h:
functional/mncore2/arith.h:
