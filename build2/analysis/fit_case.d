build2/analysis/fit_case.o: analysis/fit_case.c analysis/fit_case.h \
 analysis/fit_list.h config/config.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 timing/moves.h timing/machine_language.h functional/diag.h \
 functional/source.h functional/vocabulary.h timing/machine_timing.h \
 functional/directive.h timing/sink.h timing/reason.def \
 timing/machine_values.h timing/range.h timing/terms.h \
 analysis/measured.h timing/run.h functional/init.h timing/account.h \
 timing/charges.h timing/costs.h timing/kernel.h timing/queue.h \
 timing/path.h traces/sinks.h
analysis/fit_case.h:
analysis/fit_list.h:
config/config.h:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
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
analysis/measured.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/costs.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
traces/sinks.h:
