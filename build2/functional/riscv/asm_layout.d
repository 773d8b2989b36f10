build2/functional/riscv/asm_layout.o: functional/riscv/asm_layout.c \
 functional/riscv/asm_state.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def
functional/riscv/asm_state.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
