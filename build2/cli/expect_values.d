build2/cli/expect_values.o: cli/expect_values.c cli/expect_values.h \
 analysis/expectation.h traces/store.h functional/diag.h \
 functional/source.h timing/bounds.h timing/graph.h timing/costs.h \
 timing/sink.h timing/reason.def traces/deps.h traces/strings.h \
 traces/region_totals.h cli/diff_run.h analysis/diff_print.h \
 analysis/diff.h analysis/diff_side.h analysis/diff_stream.h \
 cli/session.h library/library.h analysis/dependences.h traces/starts.h \
 analysis/exact_bound.h timing/machine.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h analysis/verdict.h include/takt.h \
 traces/recorder.h traces/sinks.h cli/options.h cli/cli.h \
 timing/machines.h config/machines.def build2/version.h \
 build2/all-commands.def functional/text.h timing/run.h functional/init.h \
 timing/account.h timing/charges.h timing/kernel.h timing/queue.h \
 timing/path.h
cli/expect_values.h:
analysis/expectation.h:
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
cli/diff_run.h:
analysis/diff_print.h:
analysis/diff.h:
analysis/diff_side.h:
analysis/diff_stream.h:
cli/session.h:
library/library.h:
analysis/dependences.h:
traces/starts.h:
analysis/exact_bound.h:
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
functional/text.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
