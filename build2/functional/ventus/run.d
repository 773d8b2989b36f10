build2/functional/ventus/run.o: functional/ventus/run.c \
 functional/ventus/run.h functional/place.h functional/ventus/exec.h \
 functional/ventus/check.h functional/ventus/state.h \
 functional/ventus/float32.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h \
 functional/ventus/launch.h functional/ventus/program.h functional/diag.h \
 functional/source.h functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/ventus/setup.h \
 functional/ventus/launch.def host/hash.h
functional/ventus/run.h:
functional/place.h:
functional/ventus/exec.h:
functional/ventus/check.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.h:
functional/ventus/program.h:
functional/diag.h:
functional/source.h:
functional/riscv/get.h:
functional/directive.h:
functional/riscv/image.h:
functional/ventus/setup.h:
functional/ventus/launch.def:
host/hash.h:
