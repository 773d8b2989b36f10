build2/cli/batch_best.o: cli/batch_best.c cli/batch_best.h \
 cli/batch_job.h include/takt.h cli/options.h cli/cli.h timing/machines.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/machines.def build2/version.h \
 build2/all-commands.def analysis/utf8_json.h cli/diff_run.h \
 analysis/diff_print.h analysis/diff.h analysis/diff_side.h \
 analysis/diff_stream.h traces/store.h timing/costs.h traces/deps.h \
 traces/strings.h traces/region_totals.h cli/session.h library/library.h \
 analysis/dependences.h traces/starts.h analysis/exact_bound.h \
 analysis/verdict.h traces/recorder.h traces/sinks.h host/grow.h
cli/batch_best.h:
cli/batch_job.h:
include/takt.h:
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
analysis/utf8_json.h:
cli/diff_run.h:
analysis/diff_print.h:
analysis/diff.h:
analysis/diff_side.h:
analysis/diff_stream.h:
traces/store.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
cli/session.h:
library/library.h:
analysis/dependences.h:
traces/starts.h:
analysis/exact_bound.h:
analysis/verdict.h:
traces/recorder.h:
traces/sinks.h:
host/grow.h:
