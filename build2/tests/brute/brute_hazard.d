build2/tests/brute/brute_hazard.o: tests/brute/brute_hazard.c \
 tests/brute/brute_hazard.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def
tests/brute/brute_hazard.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
