build2/cli/expect.o: cli/expect.c analysis/expectation.h traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/graph.h \
 timing/costs.h timing/sink.h timing/reason.def traces/deps.h \
 traces/strings.h traces/region_totals.h analysis/sarif.h \
 analysis/fixes.h timing/machine.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h analysis/slacks.h analysis/utf8_json.h \
 analysis/app_trace.h analysis/app_answer.h analysis/app_time.h \
 analysis/app_turn.h analysis/app.h timing/memory_state.h timing/memory.h \
 timing/account.h timing/kernel.h timing/queue.h \
 cli/application_answers.h cli/application.h cli/session.h \
 library/library.h analysis/dependences.h traces/starts.h \
 analysis/diff_stream.h analysis/exact_bound.h analysis/verdict.h \
 include/takt.h traces/recorder.h traces/sinks.h cli/options.h cli/cli.h \
 timing/machines.h config/machines.def build2/version.h \
 build2/all-commands.def cli/expect_values.h cli/diff_run.h \
 analysis/diff_print.h analysis/diff.h analysis/diff_side.h \
 cli/open_trace.h analysis/questions.h cli/reports.h analysis/junit.h \
 functional/text.h host/grow.h host/text.h timing/slack.h \
 traces/store_read.h traces/trace.h
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
analysis/sarif.h:
analysis/fixes.h:
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
analysis/slacks.h:
analysis/utf8_json.h:
analysis/app_trace.h:
analysis/app_answer.h:
analysis/app_time.h:
analysis/app_turn.h:
analysis/app.h:
timing/memory_state.h:
timing/memory.h:
timing/account.h:
timing/kernel.h:
timing/queue.h:
cli/application_answers.h:
cli/application.h:
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
cli/cli.h:
timing/machines.h:
config/machines.def:
build2/version.h:
build2/all-commands.def:
cli/expect_values.h:
cli/diff_run.h:
analysis/diff_print.h:
analysis/diff.h:
analysis/diff_side.h:
cli/open_trace.h:
analysis/questions.h:
cli/reports.h:
analysis/junit.h:
functional/text.h:
host/grow.h:
host/text.h:
timing/slack.h:
traces/store_read.h:
traces/trace.h:
