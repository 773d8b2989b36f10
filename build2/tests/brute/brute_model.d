build2/tests/brute/brute_model.o: tests/brute/brute_model.c \
 tests/brute/brute_model.h config/config.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def tests/brute/brute_state.h \
 functional/mncore2/exec.h functional/init.h tests/brute/brute_hazard.h
tests/brute/brute_model.h:
config/config.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
tests/brute/brute_state.h:
functional/mncore2/exec.h:
functional/init.h:
tests/brute/brute_hazard.h:
