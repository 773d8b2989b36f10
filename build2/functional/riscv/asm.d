build2/functional/riscv/asm.o: functional/riscv/asm.c \
 functional/riscv/asm_state.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/riscv/extension.h host/grow.h
functional/riscv/asm_state.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/riscv/extension.h:
host/grow.h:
