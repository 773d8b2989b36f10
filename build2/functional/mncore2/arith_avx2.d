build2/functional/mncore2/arith_avx2.o: functional/mncore2/arith_avx2.c \
 functional/mncore2/arith_kernels.h functional/mncore2/arith.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/arith_lanes.h functional/mncore2/arith_fp.h \
 functional/mncore2/arith_lanes_all.h \
 functional/mncore2/arith_lanes_alu.h functional/mncore2/arith_lanes_bf.h \
 functional/mncore2/arith_lanes_matrix.h \
 functional/mncore2/arith_lanes_mau.h \
 functional/mncore2/arith_lanes_rrn.h
functional/mncore2/arith_kernels.h:
functional/mncore2/arith.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/arith_lanes.h:
functional/mncore2/arith_fp.h:
functional/mncore2/arith_lanes_all.h:
functional/mncore2/arith_lanes_alu.h:
functional/mncore2/arith_lanes_bf.h:
functional/mncore2/arith_lanes_matrix.h:
functional/mncore2/arith_lanes_mau.h:
functional/mncore2/arith_lanes_rrn.h:
