build2/functional/ventus/describe.o: functional/ventus/describe.c \
 functional/ventus/describe.h functional/diag.h functional/source.h \
 functional/ventus/setup.h functional/riscv/image.h \
 functional/ventus/launch.h functional/ventus/insn.h \
 functional/riscv/insn.h functional/riscv/insn.def \
 functional/ventus/insn.def functional/ventus/form.def \
 functional/ventus/body.def functional/ventus/memory.h \
 functional/ventus/launch.def host/grow.h
functional/ventus/describe.h:
functional/diag.h:
functional/source.h:
functional/ventus/setup.h:
functional/riscv/image.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
host/grow.h:
