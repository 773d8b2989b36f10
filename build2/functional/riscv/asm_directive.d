build2/functional/riscv/asm_directive.o: functional/riscv/asm_directive.c \
 functional/riscv/asm_state.h functional/riscv/asm.h functional/diag.h \
 functional/source.h functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def host/suggest.h
functional/riscv/asm_state.h:
functional/riscv/asm.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
host/suggest.h:
