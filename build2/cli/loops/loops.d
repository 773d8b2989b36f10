build2/cli/loops/loops.o: cli/loops/loops.c cli/loops/layout.h \
 cli/loops/choose.h functional/loops/generate.h \
 functional/loops/program.h functional/diag.h functional/source.h \
 functional/loops/op.def timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 cli/options.h cli/cli.h timing/machines.h config/machines.def \
 build2/version.h build2/all-commands.def functional/text.h host/number.h \
 host/text.h timing/loops/model.h functional/loops/traverse.h \
 timing/resource.h timing/kernel.h timing/queue.h timing/run.h \
 functional/init.h timing/account.h timing/charges.h timing/costs.h \
 timing/path.h timing/scoreboard.h timing/producer.h timing/unit_event.h \
 timing/loops/param.def config/host.def timing/loops/counter.def \
 timing/loops/unit.def timing/loops/reason.def
cli/loops/layout.h:
cli/loops/choose.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
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
functional/directive.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
cli/options.h:
cli/cli.h:
timing/machines.h:
config/machines.def:
build2/version.h:
build2/all-commands.def:
functional/text.h:
host/number.h:
host/text.h:
timing/loops/model.h:
functional/loops/traverse.h:
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
timing/producer.h:
timing/unit_event.h:
timing/loops/param.def:
config/host.def:
timing/loops/counter.def:
timing/loops/unit.def:
timing/loops/reason.def:
