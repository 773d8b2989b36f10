build2/cli/sweep_local.o: cli/sweep_local.c cli/sweep_local.h \
 analysis/sweep_folder.h analysis/sweep_store.h analysis/sweep_spec.h \
 functional/diag.h functional/source.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h cli/cli.h timing/machines.h config/machines.def \
 build2/version.h build2/all-commands.def cli/sweep_chunk.h
cli/sweep_local.h:
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
cli/cli.h:
timing/machines.h:
config/machines.def:
build2/version.h:
build2/all-commands.def:
cli/sweep_chunk.h:
