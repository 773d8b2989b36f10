build2/timing/ventus/model.o: timing/ventus/model.c timing/ventus/model.h \
 config/config.h functional/ventus/run.h functional/place.h \
 functional/ventus/exec.h functional/ventus/check.h \
 functional/ventus/state.h functional/ventus/float32.h \
 functional/ventus/insn.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/ventus/insn.def \
 functional/ventus/form.def functional/ventus/body.def \
 functional/ventus/memory.h functional/ventus/launch.h \
 functional/ventus/program.h functional/diag.h functional/source.h \
 functional/riscv/get.h functional/directive.h functional/riscv/image.h \
 functional/ventus/setup.h functional/ventus/launch.def \
 functional/ventus/work.h functional/work.h timing/cache.h \
 timing/producer.h timing/resource.h timing/kernel.h timing/queue.h \
 timing/run.h functional/init.h timing/account.h timing/sink.h \
 timing/reason.def timing/charges.h timing/costs.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h timing/machine_values.h \
 timing/range.h timing/terms.h timing/path.h timing/scoreboard.h \
 timing/ventus/param.def config/host.def timing/ventus/counter.def \
 timing/ventus/unit.def timing/ventus/reason.def
timing/ventus/model.h:
config/config.h:
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
timing/sink.h:
timing/reason.def:
timing/charges.h:
timing/costs.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
timing/path.h:
timing/scoreboard.h:
timing/ventus/param.def:
config/host.def:
timing/ventus/counter.def:
timing/ventus/unit.def:
timing/ventus/reason.def:
