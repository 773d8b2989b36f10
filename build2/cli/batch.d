build2/cli/batch.o: cli/batch.c cli/options.h cli/cli.h timing/machines.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/machines.def build2/version.h \
 build2/all-commands.def cli/reports.h analysis/junit.h cli/batch_best.h \
 cli/batch_job.h include/takt.h cli/batch_junit.h cli/batch_serve.h \
 host/failure.h host/file.h host/in_use.h
cli/options.h:
cli/cli.h:
timing/machines.h:
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
config/machines.def:
build2/version.h:
build2/all-commands.def:
cli/reports.h:
analysis/junit.h:
cli/batch_best.h:
cli/batch_job.h:
include/takt.h:
cli/batch_junit.h:
cli/batch_serve.h:
host/failure.h:
host/file.h:
host/in_use.h:
