build2/timing/ventus/machine.o: timing/ventus/machine.c config/embed.h \
 functional/riscv/elf.h functional/diag.h functional/source.h \
 functional/riscv/image.h functional/ventus/log.h functional/ventus/run.h \
 functional/place.h functional/ventus/exec.h functional/ventus/check.h \
 functional/ventus/state.h functional/ventus/float32.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.h \
 functional/ventus/program.h functional/riscv/get.h \
 functional/directive.h functional/ventus/setup.h \
 functional/ventus/launch.def functional/ventus/vocabulary.h \
 functional/vocabulary.h host/file.h timing/machines.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h timing/machine_timing.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 config/machines.def timing/ventus/model.h functional/ventus/work.h \
 functional/work.h timing/cache.h timing/producer.h timing/resource.h \
 timing/kernel.h timing/queue.h timing/run.h functional/init.h \
 timing/account.h timing/charges.h timing/costs.h timing/path.h \
 timing/scoreboard.h timing/ventus/param.def config/host.def \
 timing/ventus/counter.def timing/ventus/unit.def \
 timing/ventus/reason.def timing/ventus/speed.def timing/ventus/term.def
config/embed.h:
functional/riscv/elf.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
functional/ventus/log.h:
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
functional/riscv/get.h:
functional/directive.h:
functional/ventus/setup.h:
functional/ventus/launch.def:
functional/ventus/vocabulary.h:
functional/vocabulary.h:
host/file.h:
timing/machines.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
timing/machine_timing.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
config/machines.def:
timing/ventus/model.h:
functional/ventus/work.h:
functional/work.h:
timing/cache.h:
timing/producer.h:
timing/resource.h:
timing/kernel.h:
timing/queue.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/costs.h:
timing/path.h:
timing/scoreboard.h:
timing/ventus/param.def:
config/host.def:
timing/ventus/counter.def:
timing/ventus/unit.def:
timing/ventus/reason.def:
timing/ventus/speed.def:
timing/ventus/term.def:
