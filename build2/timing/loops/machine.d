build2/timing/loops/machine.o: timing/loops/machine.c timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/embed.h functional/loops/exec.h functional/init.h \
 functional/loops/traverse.h functional/loops/generate.h \
 functional/loops/program.h functional/loops/op.def functional/place.h \
 functional/loops/vocabulary.h timing/loops/model.h timing/resource.h \
 timing/kernel.h timing/queue.h timing/run.h timing/account.h \
 timing/charges.h timing/costs.h timing/path.h timing/scoreboard.h \
 timing/producer.h timing/unit_event.h timing/loops/param.def \
 config/host.def timing/loops/counter.def timing/loops/unit.def \
 timing/loops/reason.def timing/machines.h config/machines.def \
 timing/loops/speed.def timing/loops/term.def
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
functional/loops/exec.h:
functional/init.h:
functional/loops/traverse.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/loops/op.def:
functional/place.h:
functional/loops/vocabulary.h:
timing/loops/model.h:
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
timing/loops/param.def:
config/host.def:
timing/loops/counter.def:
timing/loops/unit.def:
timing/loops/reason.def:
timing/machines.h:
config/machines.def:
timing/loops/speed.def:
timing/loops/term.def:
