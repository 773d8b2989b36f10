build2/analysis/sweep_merge.o: analysis/sweep_merge.c \
 analysis/sweep_merge.h analysis/sweep_folder.h analysis/sweep_store.h \
 analysis/sweep_spec.h functional/diag.h functional/source.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 host/failure.h traces/rows.h
analysis/sweep_merge.h:
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
host/failure.h:
traces/rows.h:
