build2/functional/ventus/work.o: functional/ventus/work.c \
 functional/ventus/work.h functional/ventus/state.h \
 functional/ventus/float32.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h functional/work.h \
 functional/ventus/matrix.h
functional/ventus/work.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/work.h:
functional/ventus/matrix.h:
