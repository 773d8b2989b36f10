build2/functional/ventus/vocabulary.o: functional/ventus/vocabulary.c \
 functional/ventus/vocabulary.h functional/vocabulary.h functional/diag.h \
 functional/source.h functional/riscv/insn.h functional/riscv/insn.def \
 functional/riscv/vocabulary.h functional/ventus/insn.h \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def
functional/ventus/vocabulary.h:
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/riscv/vocabulary.h:
functional/ventus/insn.h:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
