build2/functional/kelvin/program.o: functional/kelvin/program.c \
 functional/kelvin/program.h functional/diag.h functional/source.h \
 functional/kelvin/state.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/csr.def functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/riscv/asm.h functional/riscv/elf.h \
 functional/riscv/print.h host/grow.h host/suggest.h
functional/kelvin/program.h:
functional/diag.h:
functional/source.h:
functional/kelvin/state.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
functional/kelvin/csr.def:
functional/riscv/get.h:
functional/directive.h:
functional/riscv/image.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/riscv/asm.h:
functional/riscv/elf.h:
functional/riscv/print.h:
host/grow.h:
host/suggest.h:
