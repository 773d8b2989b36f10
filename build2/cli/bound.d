build2/cli/bound.o: cli/bound.c analysis/bound_answer.h traces/starts.h \
 timing/graph.h timing/sink.h timing/reason.def traces/store.h \
 functional/diag.h functional/source.h timing/bounds.h timing/costs.h \
 traces/deps.h traces/strings.h traces/region_totals.h \
 cli/application_answers.h cli/application.h analysis/app_answer.h \
 analysis/app_time.h analysis/app_turn.h analysis/app.h timing/machine.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/machine_values.h \
 timing/range.h timing/terms.h timing/memory_state.h timing/memory.h \
 timing/account.h timing/kernel.h timing/queue.h cli/session.h \
 library/library.h analysis/dependences.h analysis/diff_stream.h \
 analysis/exact_bound.h analysis/verdict.h include/takt.h \
 traces/recorder.h traces/sinks.h cli/options.h cli/cli.h \
 timing/machines.h config/machines.def build2/version.h \
 build2/all-commands.def cli/improve.h analysis/candidate.h host/text.h
analysis/bound_answer.h:
traces/starts.h:
timing/graph.h:
timing/sink.h:
timing/reason.def:
traces/store.h:
functional/diag.h:
functional/source.h:
timing/bounds.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
cli/application_answers.h:
cli/application.h:
analysis/app_answer.h:
analysis/app_time.h:
analysis/app_turn.h:
analysis/app.h:
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
timing/memory_state.h:
timing/memory.h:
timing/account.h:
timing/kernel.h:
timing/queue.h:
cli/session.h:
library/library.h:
analysis/dependences.h:
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
cli/improve.h:
analysis/candidate.h:
host/text.h:
