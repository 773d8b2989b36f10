build2/functional/ventus/elf.o: functional/ventus/elf.c \
 functional/riscv/elf.h functional/diag.h functional/source.h \
 functional/riscv/image.h functional/ventus/describe.h \
 functional/ventus/setup.h functional/ventus/launch.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.def \
 functional/ventus/program.h functional/riscv/get.h \
 functional/directive.h
functional/riscv/elf.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/ventus/describe.h:
functional/ventus/setup.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/riscv/insn.h:
functional/riscv/insn.def:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
functional/ventus/program.h:
functional/riscv/get.h:
functional/directive.h:
