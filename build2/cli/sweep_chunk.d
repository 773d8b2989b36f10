build2/cli/sweep_chunk.o: cli/sweep_chunk.c cli/sweep_chunk.h \
 analysis/sweep_folder.h analysis/sweep_store.h analysis/sweep_spec.h \
 functional/diag.h functional/source.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h cli/batch_job.h include/takt.h cli/cli.h \
 timing/machines.h config/machines.def build2/version.h \
 build2/all-commands.def host/failure.h host/file.h host/in_use.h
cli/sweep_chunk.h:
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
cli/batch_job.h:
include/takt.h:
cli/cli.h:
timing/machines.h:
config/machines.def:
build2/version.h:
build2/all-commands.def:
host/failure.h:
host/file.h:
host/in_use.h:
