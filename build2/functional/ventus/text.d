build2/functional/ventus/text.o: functional/ventus/text.c \
 functional/ventus/work.h functional/ventus/state.h \
 functional/ventus/float32.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h functional/work.h \
 functional/ventus/csr.def
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
functional/ventus/csr.def:
