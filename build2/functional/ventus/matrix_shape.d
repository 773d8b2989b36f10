build2/functional/ventus/matrix_shape.o: functional/ventus/matrix_shape.c \
 functional/ventus/matrix.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/number.h \
 functional/ventus/float32.h functional/ventus/state.h \
 functional/ventus/memory.h
functional/ventus/matrix.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/number.h:
functional/ventus/float32.h:
functional/ventus/state.h:
functional/ventus/memory.h:
