build2/functional/ventus/setup.o: functional/ventus/setup.c \
 functional/ventus/setup.h functional/riscv/image.h functional/source.h \
 functional/ventus/launch.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h \
 functional/ventus/launch.def functional/diag.h functional/ventus/state.h \
 functional/ventus/float32.h host/grow.h host/suggest.h
functional/ventus/setup.h:
functional/riscv/image.h:
functional/source.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
functional/diag.h:
functional/ventus/state.h:
functional/ventus/float32.h:
host/grow.h:
host/suggest.h:
