build2/cli/improve.o: cli/improve.c cli/improve.h analysis/candidate.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h cli/session.h library/library.h analysis/dependences.h \
 traces/starts.h traces/store.h timing/costs.h traces/deps.h \
 traces/strings.h traces/region_totals.h analysis/diff_stream.h \
 analysis/exact_bound.h analysis/verdict.h include/takt.h \
 traces/recorder.h traces/sinks.h cli/options.h cli/cli.h \
 timing/machines.h config/machines.def build2/version.h \
 build2/all-commands.def cli/files.h host/failure.h host/file.h
cli/improve.h:
analysis/candidate.h:
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
cli/session.h:
library/library.h:
analysis/dependences.h:
traces/starts.h:
traces/store.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
analysis/diff_stream.h:
analysis/exact_bound.h:
analysis/verdict.h:
include/takt.h:
traces/recorder.h:
traces/sinks.h:
cli/options.h:
cli/cli.h:
timing/machines.h:
config/machines.def:
build2/version.h:
build2/all-commands.def:
cli/files.h:
host/failure.h:
host/file.h:
