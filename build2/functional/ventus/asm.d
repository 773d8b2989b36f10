build2/functional/ventus/asm.o: functional/ventus/asm.c \
 functional/ventus/asm.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/setup.h \
 functional/ventus/launch.h functional/ventus/insn.h \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h \
 functional/ventus/launch.def functional/ventus/work.h \
 functional/ventus/state.h functional/ventus/float32.h functional/work.h \
 host/suggest.h functional/ventus/csr.def
functional/ventus/asm.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/setup.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
functional/ventus/work.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/work.h:
host/suggest.h:
functional/ventus/csr.def:
