build2/functional/ventus/insn.o: functional/ventus/insn.c \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/option.def
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/option.def:
