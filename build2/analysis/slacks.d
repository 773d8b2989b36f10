build2/analysis/slacks.o: analysis/slacks.c analysis/slacks.h \
 traces/store.h functional/diag.h functional/source.h timing/bounds.h \
 timing/graph.h timing/costs.h timing/sink.h timing/reason.def \
 traces/deps.h traces/strings.h traces/region_totals.h host/grow.h \
 timing/slack.h timing/machine.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h timing/run.h functional/init.h \
 timing/account.h timing/charges.h timing/kernel.h timing/queue.h \
 timing/path.h
analysis/slacks.h:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/graph.h:
timing/costs.h:
timing/sink.h:
timing/reason.def:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
host/grow.h:
timing/slack.h:
timing/machine.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
