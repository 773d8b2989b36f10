build2/functional/kelvin/vocabulary.o: functional/kelvin/vocabulary.c \
 functional/kelvin/vocabulary.h functional/vocabulary.h functional/diag.h \
 functional/source.h functional/kelvin/program.h \
 functional/kelvin/state.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/csr.def functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/riscv/vocabulary.h
functional/kelvin/vocabulary.h:
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/kelvin/program.h:
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
functional/riscv/vocabulary.h:
