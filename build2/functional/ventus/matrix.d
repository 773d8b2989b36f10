build2/functional/ventus/matrix.o: functional/ventus/matrix.c \
 functional/ventus/matrix.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/exec.h \
 functional/ventus/check.h functional/ventus/state.h \
 functional/ventus/float32.h functional/ventus/memory.h \
 functional/ventus/launch.h functional/ventus/number.h
functional/ventus/matrix.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/exec.h:
functional/ventus/check.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/ventus/memory.h:
functional/ventus/launch.h:
functional/ventus/number.h:
