build2/cli/export.o: cli/export.c analysis/page.h analysis/report.h \
 analysis/answer.h host/number.h analysis/questions.h cli/files.h \
 cli/cli.h timing/machines.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/diag.h functional/source.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 config/machines.def build2/version.h build2/all-commands.def cli/gzip.h \
 cli/open_trace.h cli/options.h functional/text.h host/failure.h \
 host/file.h traces/extent.h traces/konata.h traces/packets.h \
 traces/perfetto.h traces/slice.h traces/stacks.h traces/trace.h
analysis/page.h:
analysis/report.h:
analysis/answer.h:
host/number.h:
analysis/questions.h:
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
cli/gzip.h:
cli/open_trace.h:
cli/options.h:
functional/text.h:
host/failure.h:
host/file.h:
traces/extent.h:
traces/konata.h:
traces/packets.h:
traces/perfetto.h:
traces/slice.h:
traces/stacks.h:
traces/trace.h:
