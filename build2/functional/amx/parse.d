build2/functional/amx/parse.o: functional/amx/parse.c \
 functional/amx/program.h functional/amx/matfp.h functional/amx/arith.h \
 functional/amx/state.h functional/amx/insn.def functional/diag.h \
 functional/source.h functional/line.h host/grow.h
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/diag.h:
functional/source.h:
functional/line.h:
host/grow.h:
