build2/cli/run.o: cli/run.c analysis/run_json.h traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/graph.h \
 timing/costs.h timing/sink.h timing/reason.def traces/deps.h \
 traces/strings.h traces/region_totals.h analysis/screen.h cli/files.h \
 cli/cli.h timing/machines.h timing/machine.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h config/machines.def build2/version.h \
 build2/all-commands.def cli/session.h library/library.h \
 analysis/dependences.h traces/starts.h analysis/diff_stream.h \
 analysis/exact_bound.h analysis/verdict.h include/takt.h \
 traces/recorder.h traces/sinks.h cli/options.h functional/text.h \
 host/failure.h host/file.h timing/run.h functional/init.h \
 timing/account.h timing/charges.h timing/kernel.h timing/queue.h \
 timing/path.h traces/trace_file.h
analysis/run_json.h:
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
analysis/screen.h:
cli/files.h:
cli/cli.h:
timing/machines.h:
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
config/machines.def:
build2/version.h:
build2/all-commands.def:
cli/session.h:
library/library.h:
analysis/dependences.h:
traces/starts.h:
analysis/diff_stream.h:
analysis/exact_bound.h:
analysis/verdict.h:
include/takt.h:
traces/recorder.h:
traces/sinks.h:
cli/options.h:
functional/text.h:
host/failure.h:
host/file.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
traces/trace_file.h:
