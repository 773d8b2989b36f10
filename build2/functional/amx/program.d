build2/functional/amx/program.o: functional/amx/program.c \
 functional/amx/program.h functional/amx/matfp.h functional/amx/arith.h \
 functional/amx/state.h functional/amx/insn.def functional/diag.h \
 functional/source.h functional/line.h
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/diag.h:
functional/source.h:
functional/line.h:
