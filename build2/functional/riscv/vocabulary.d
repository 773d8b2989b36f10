build2/functional/riscv/vocabulary.o: functional/riscv/vocabulary.c \
 functional/riscv/vocabulary.h functional/vocabulary.h functional/diag.h \
 functional/source.h functional/riscv/insn.h functional/riscv/insn.def
functional/riscv/vocabulary.h:
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
