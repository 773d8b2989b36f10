build2/timing/mncore2/machine.o: timing/mncore2/machine.c config/embed.h \
 functional/directive.h functional/diag.h functional/source.h \
 functional/mncore2/vocabulary.h functional/vocabulary.h host/number.h \
 timing/machines.h timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h timing/machine_timing.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/machines.def timing/mncore2/again.h \
 timing/mncore2/run.h functional/mncore2/exec.h functional/init.h \
 functional/mncore2/program.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/unit_event.h timing/kernel.h \
 timing/queue.h timing/mncore2/arrive.h timing/mncore2/check_race.h \
 timing/mncore2/meets.h functional/mncore2/effect.h \
 timing/mncore2/hazard.h timing/mncore2/hazard.def timing/mncore2/mv.h \
 timing/memory.h timing/account.h timing/mncore2/model.h \
 timing/mncore2/stream.h timing/resource.h timing/mncore2/param.def \
 config/host.def timing/mncore2/unit.def timing/mncore2/reason.def \
 timing/mncore2/counter.def timing/path.h timing/mncore2/removable.h \
 timing/run.h timing/charges.h timing/costs.h timing/mncore2/check.h \
 timing/mncore2/finding.h timing/mncore2/moves.h timing/mncore2/speed.def \
 timing/mncore2/term.def timing/mncore2/rule.def
config/embed.h:
functional/directive.h:
functional/diag.h:
functional/source.h:
functional/mncore2/vocabulary.h:
functional/vocabulary.h:
host/number.h:
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
timing/mncore2/again.h:
timing/mncore2/run.h:
functional/mncore2/exec.h:
functional/init.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/unit_event.h:
timing/kernel.h:
timing/queue.h:
timing/mncore2/arrive.h:
timing/mncore2/check_race.h:
timing/mncore2/meets.h:
functional/mncore2/effect.h:
timing/mncore2/hazard.h:
timing/mncore2/hazard.def:
timing/mncore2/mv.h:
timing/memory.h:
timing/account.h:
timing/mncore2/model.h:
timing/mncore2/stream.h:
timing/resource.h:
timing/mncore2/param.def:
config/host.def:
timing/mncore2/unit.def:
timing/mncore2/reason.def:
timing/mncore2/counter.def:
timing/path.h:
timing/mncore2/removable.h:
timing/run.h:
timing/charges.h:
timing/costs.h:
timing/mncore2/check.h:
timing/mncore2/finding.h:
timing/mncore2/moves.h:
timing/mncore2/speed.def:
timing/mncore2/term.def:
timing/mncore2/rule.def:
