build2/analysis/sweep_report.o: analysis/sweep_report.c \
 analysis/sweep_report.h analysis/sweep_folder.h analysis/sweep_store.h \
 analysis/sweep_spec.h functional/diag.h functional/source.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 analysis/answer.h host/number.h traces/json_text.h traces/rows.h
analysis/sweep_report.h:
analysis/sweep_folder.h:
analysis/sweep_store.h:
analysis/sweep_spec.h:
functional/diag.h:
functional/source.h:
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
analysis/answer.h:
host/number.h:
traces/json_text.h:
traces/rows.h:
