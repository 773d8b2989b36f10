build2/functional/amx/matfp.o: functional/amx/matfp.c \
 functional/amx/matfp.h functional/amx/arith.h functional/amx/state.h \
 functional/amx/insn.def
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
