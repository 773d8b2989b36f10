build2/functional/ventus/lanes.o: functional/ventus/lanes.c \
 functional/ventus/exec.h functional/ventus/check.h \
 functional/ventus/state.h functional/ventus/float32.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.h \
 functional/ventus/single.h functional/ventus/work.h functional/work.h
functional/ventus/exec.h:
functional/ventus/check.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.h:
functional/ventus/single.h:
functional/ventus/work.h:
functional/work.h:
