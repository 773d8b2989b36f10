build2/functional/riscv/asm_section.o: functional/riscv/asm_section.c \
 functional/riscv/asm_state.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def host/grow.h
functional/riscv/asm_state.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
host/grow.h:
