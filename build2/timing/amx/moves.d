build2/timing/amx/moves.o: timing/amx/moves.c timing/amx/moves.h \
 config/config.h functional/amx/program.h functional/amx/matfp.h \
 functional/amx/arith.h functional/amx/state.h functional/amx/insn.def \
 functional/diag.h functional/source.h functional/line.h timing/moves.h \
 functional/directive.h timing/amx/model.h timing/resource.h \
 timing/kernel.h timing/queue.h timing/run.h functional/init.h \
 timing/account.h timing/sink.h timing/reason.def timing/charges.h \
 timing/costs.h timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h timing/machine_values.h timing/range.h \
 timing/terms.h timing/path.h timing/scoreboard.h timing/producer.h \
 timing/unit_event.h timing/amx/param.def config/host.def \
 timing/amx/counter.def timing/amx/unit.def
timing/amx/moves.h:
config/config.h:
functional/amx/program.h:
functional/amx/matfp.h:
functional/amx/arith.h:
functional/amx/state.h:
functional/amx/insn.def:
functional/diag.h:
functional/source.h:
functional/line.h:
timing/moves.h:
functional/directive.h:
timing/amx/model.h:
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
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
timing/path.h:
timing/scoreboard.h:
timing/producer.h:
timing/unit_event.h:
timing/amx/param.def:
config/host.def:
timing/amx/counter.def:
timing/amx/unit.def:
