build2/tests/kelvin/brute.o: tests/kelvin/brute.c tests/kelvin/brute.h \
 functional/kelvin/exec.h functional/init.h functional/kelvin/program.h \
 functional/diag.h functional/source.h functional/kelvin/state.h \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def functional/kelvin/csr.def \
 functional/riscv/get.h functional/directive.h functional/riscv/image.h \
 functional/riscv/insn.h functional/riscv/insn.def functional/place.h \
 timing/kelvin/param.def config/host.def
tests/kelvin/brute.h:
functional/kelvin/exec.h:
functional/init.h:
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
functional/place.h:
timing/kelvin/param.def:
config/host.def:
