build2/functional/riscv/insn.o: functional/riscv/insn.c \
 functional/riscv/insn.h functional/riscv/insn.def
functional/riscv/insn.h:
functional/riscv/insn.def:
