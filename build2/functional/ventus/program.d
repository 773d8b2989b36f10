build2/functional/ventus/program.o: functional/ventus/program.c \
 functional/ventus/program.h functional/diag.h functional/source.h \
 functional/riscv/get.h functional/directive.h functional/riscv/image.h \
 functional/ventus/setup.h functional/ventus/launch.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.def \
 functional/riscv/elf.h functional/riscv/print.h functional/ventus/asm.h \
 functional/riscv/asm.h functional/ventus/state.h \
 functional/ventus/float32.h functional/ventus/work.h functional/work.h
functional/ventus/program.h:
functional/diag.h:
functional/source.h:
functional/riscv/get.h:
functional/directive.h:
functional/riscv/image.h:
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
functional/riscv/elf.h:
functional/riscv/print.h:
functional/ventus/asm.h:
functional/riscv/asm.h:
functional/ventus/state.h:
functional/ventus/float32.h:
functional/ventus/work.h:
functional/work.h:
