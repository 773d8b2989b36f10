build2/tests/case_program.o: tests/case_program.c \
 functional/kelvin/program.h functional/diag.h functional/source.h \
 functional/kelvin/state.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/csr.def functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/asm.h functional/riscv/asm.h \
 functional/ventus/setup.h functional/ventus/launch.h \
 functional/ventus/insn.h functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.def tests/case_run.h \
 tests/case_file.h timing/machines.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 config/machines.def
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
functional/ventus/asm.h:
functional/riscv/asm.h:
functional/ventus/setup.h:
functional/ventus/launch.h:
functional/ventus/insn.h:
functional/ventus/insn.def:
functional/ventus/form.def:
functional/ventus/body.def:
functional/ventus/memory.h:
functional/ventus/launch.def:
tests/case_run.h:
tests/case_file.h:
timing/machines.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
config/machines.def:
