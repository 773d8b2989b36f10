build2/functional/riscv/asm_symbol.o: functional/riscv/asm_symbol.c \
 functional/riscv/asm_state.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def host/grow.h host/hash.h
functional/riscv/asm_state.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
host/grow.h:
host/hash.h:
