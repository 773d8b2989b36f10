build2/functional/amx/exec.o: functional/amx/exec.c functional/amx/exec.h \
 functional/amx/program.h functional/amx/matfp.h functional/amx/arith.h \
 functional/amx/state.h functional/amx/insn.def functional/diag.h \
 functional/source.h functional/line.h functional/init.h \
 functional/place.h host/hash.h
functional/amx/exec.h:
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/diag.h:
functional/source.h:
functional/line.h:
functional/init.h:
functional/place.h:
host/hash.h:
