build2/cli/mncore2/judge.o: cli/mncore2/judge.c cli/files.h cli/cli.h \
 timing/machines.h timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/diag.h \
 functional/source.h functional/vocabulary.h timing/machine_timing.h \
 functional/directive.h timing/sink.h timing/reason.def \
 timing/machine_values.h timing/range.h timing/terms.h \
 config/machines.def build2/version.h build2/all-commands.def \
 cli/options.h cli/reports.h analysis/junit.h analysis/answer.h \
 host/number.h analysis/utf8_json.h analysis/verdict.h traces/store.h \
 timing/costs.h traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/warned.h cli/mncore2/expect.h functional/mncore2/exec.h \
 functional/init.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def functional/text.h \
 library/library.h analysis/dependences.h traces/starts.h \
 analysis/diff_stream.h analysis/exact_bound.h include/takt.h \
 traces/recorder.h traces/sinks.h host/file.h host/text.h \
 timing/mncore2/arrive.h timing/mncore2/check_race.h \
 timing/mncore2/meets.h functional/mncore2/effect.h timing/run.h \
 timing/account.h timing/charges.h timing/kernel.h timing/queue.h \
 timing/path.h
cli/files.h:
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
cli/options.h:
cli/reports.h:
analysis/junit.h:
analysis/answer.h:
host/number.h:
analysis/utf8_json.h:
analysis/verdict.h:
traces/store.h:
timing/costs.h:
traces/deps.h:
traces/strings.h:
traces/region_totals.h:
analysis/warned.h:
cli/mncore2/expect.h:
functional/mncore2/exec.h:
functional/init.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/text.h:
library/library.h:
analysis/dependences.h:
traces/starts.h:
analysis/diff_stream.h:
analysis/exact_bound.h:
include/takt.h:
traces/recorder.h:
traces/sinks.h:
host/file.h:
host/text.h:
timing/mncore2/arrive.h:
timing/mncore2/check_race.h:
timing/mncore2/meets.h:
functional/mncore2/effect.h:
timing/run.h:
timing/account.h:
timing/charges.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
