build2/functional/mncore2/arith_rrn.o: functional/mncore2/arith_rrn.c \
 functional/mncore2/arith_fp.h functional/mncore2/arith.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/arith_kernels.h
functional/mncore2/arith_fp.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/arith_kernels.h:
