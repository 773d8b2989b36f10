build2/timing/kelvin/caches.o: timing/kelvin/caches.c \
 timing/kelvin/model.h config/config.h functional/kelvin/exec.h \
 functional/init.h functional/kelvin/program.h functional/diag.h \
 functional/source.h functional/kelvin/state.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/csr.def functional/riscv/get.h functional/directive.h \
 functional/riscv/image.h functional/riscv/insn.h \
 functional/riscv/insn.def functional/place.h timing/cache.h \
 timing/producer.h timing/fifo.h timing/resource.h timing/kernel.h \
 timing/queue.h timing/run.h timing/account.h timing/sink.h \
 timing/reason.def timing/charges.h timing/costs.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h timing/machine_values.h \
 timing/range.h timing/terms.h timing/path.h timing/scoreboard.h \
 timing/kelvin/param.def config/host.def timing/kelvin/unit.def \
 timing/kelvin/reason.def timing/kelvin/counter.def
timing/kelvin/model.h:
config/config.h:
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
timing/cache.h:
timing/producer.h:
timing/fifo.h:
timing/resource.h:
timing/kernel.h:
timing/queue.h:
timing/run.h:
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
timing/kelvin/param.def:
config/host.def:
timing/kelvin/unit.def:
timing/kelvin/reason.def:
timing/kelvin/counter.def:
