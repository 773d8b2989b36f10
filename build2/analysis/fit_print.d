build2/analysis/fit_print.o: analysis/fit_print.c analysis/answer.h \
 host/number.h analysis/fit.h analysis/fit_search.h analysis/fit_model.h \
 analysis/fit_case.h analysis/fit_list.h config/config.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h timing/moves.h timing/machine_language.h \
 functional/diag.h functional/source.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 analysis/measured.h timing/run.h functional/init.h timing/account.h \
 timing/charges.h timing/costs.h timing/kernel.h timing/queue.h \
 timing/path.h analysis/fit_surrogate.h analysis/fit_space.h \
 host/workers.h analysis/utf8_json.h functional/text.h
analysis/answer.h:
host/number.h:
analysis/fit.h:
analysis/fit_search.h:
analysis/fit_model.h:
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
analysis/fit_surrogate.h:
analysis/fit_space.h:
host/workers.h:
analysis/utf8_json.h:
functional/text.h:
