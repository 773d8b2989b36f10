build2/timing/amx/machine.o: timing/amx/machine.c timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/embed.h functional/amx/exec.h \
 functional/amx/program.h functional/amx/matfp.h functional/amx/arith.h \
 functional/amx/state.h functional/amx/insn.def functional/line.h \
 functional/init.h functional/place.h functional/amx/vocabulary.h \
 timing/amx/model.h timing/resource.h timing/kernel.h timing/queue.h \
 timing/run.h timing/account.h timing/charges.h timing/costs.h \
 timing/path.h timing/scoreboard.h timing/producer.h timing/unit_event.h \
 timing/amx/param.def config/host.def timing/amx/counter.def \
 timing/amx/unit.def timing/amx/moves.h timing/machines.h \
 config/machines.def timing/amx/speed.def timing/amx/term.def
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/diag.h:
functional/source.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
config/embed.h:
functional/amx/exec.h:
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/line.h:
functional/init.h:
functional/place.h:
functional/amx/vocabulary.h:
timing/amx/model.h:
timing/resource.h:
timing/kernel.h:
timing/queue.h:
timing/run.h:
timing/account.h:
timing/charges.h:
timing/costs.h:
timing/path.h:
timing/scoreboard.h:
timing/producer.h:
timing/unit_event.h:
timing/amx/param.def:
config/host.def:
timing/amx/counter.def:
timing/amx/unit.def:
timing/amx/moves.h:
timing/machines.h:
config/machines.def:
timing/amx/speed.def:
timing/amx/term.def:
