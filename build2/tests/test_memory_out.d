build2/tests/test_memory_out.o: tests/test_memory_out.c \
 analysis/run_json.h traces/store.h functional/diag.h functional/source.h \
 timing/bounds.h timing/graph.h timing/costs.h timing/sink.h \
 timing/reason.def traces/deps.h traces/strings.h traces/region_totals.h \
 analysis/screen.h cli/loop.c cli/cli.h timing/machines.h \
 timing/machine.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/machine_values.h timing/range.h timing/terms.h \
 config/machines.def build2/version.h build2/all-commands.def \
 library/library.h analysis/dependences.h traces/starts.h \
 analysis/diff_stream.h analysis/exact_bound.h analysis/verdict.h \
 include/takt.h traces/recorder.h traces/sinks.h host/file.h timing/run.h \
 functional/init.h timing/account.h timing/charges.h timing/kernel.h \
 timing/queue.h timing/path.h tests/often.h tests/takt_process.h \
 tests/trace_sample.h traces/rows.h traces/trace.h traces/store_read.h
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
cli/loop.c:
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
library/library.h:
analysis/dependences.h:
traces/starts.h:
analysis/diff_stream.h:
analysis/exact_bound.h:
analysis/verdict.h:
include/takt.h:
traces/recorder.h:
traces/sinks.h:
host/file.h:
timing/run.h:
functional/init.h:
timing/account.h:
timing/charges.h:
timing/kernel.h:
timing/queue.h:
timing/path.h:
tests/often.h:
tests/takt_process.h:
tests/trace_sample.h:
traces/rows.h:
traces/trace.h:
traces/store_read.h:
