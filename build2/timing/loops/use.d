build2/timing/loops/use.o: timing/loops/use.c timing/loops/model.h \
 config/config.h functional/loops/traverse.h functional/loops/generate.h \
 functional/loops/program.h functional/diag.h functional/source.h \
 functional/loops/op.def timing/resource.h timing/kernel.h timing/queue.h \
 timing/run.h functional/init.h timing/account.h timing/sink.h \
 timing/reason.def timing/charges.h timing/costs.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/machine_values.h timing/range.h timing/terms.h timing/path.h \
 timing/scoreboard.h timing/producer.h timing/unit_event.h \
 timing/loops/param.def config/host.def timing/loops/counter.def \
 timing/loops/unit.def timing/loops/reason.def
timing/loops/model.h:
config/config.h:
functional/loops/traverse.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
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
functional/directive.h:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
timing/path.h:
timing/scoreboard.h:
timing/producer.h:
timing/unit_event.h:
timing/loops/param.def:
config/host.def:
timing/loops/counter.def:
timing/loops/unit.def:
timing/loops/reason.def:
