build2/functional/amx/work.o: functional/amx/work.c functional/amx/work.h \
 functional/amx/program.h functional/amx/matfp.h functional/amx/arith.h \
 functional/amx/state.h functional/amx/insn.def functional/diag.h \
 functional/source.h functional/line.h functional/work.h
functional/amx/work.h:
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/diag.h:
functional/source.h:
functional/line.h:
functional/work.h:
