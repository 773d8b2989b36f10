build2/functional/kelvin/check.o: functional/kelvin/check.c \
 functional/kelvin/program.h functional/diag.h functional/source.h \
 functional/kelvin/state.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/csr.def functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/riscv/extension.h
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
functional/riscv/extension.h:
