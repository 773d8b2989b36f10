build2/functional/ventus/case.o: functional/ventus/case.c \
 functional/ventus/program.h functional/diag.h functional/source.h \
 functional/riscv/get.h functional/directive.h functional/riscv/image.h \
 functional/ventus/setup.h functional/ventus/launch.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.def \
 functional/ventus/state.h functional/ventus/float32.h host/grow.h
functional/ventus/program.h:
functional/diag.h:
functional/source.h:
functional/riscv/get.h:
functional/directive.h:
functional/riscv/image.h:
functional/ventus/setup.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
functional/ventus/state.h:
functional/ventus/float32.h:
host/grow.h:
