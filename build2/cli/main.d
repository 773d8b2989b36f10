build2/cli/main.o: cli/main.c cli/cli.h timing/machines.h \
 timing/machine.h timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h config/machines.def build2/version.h \
 build2/all-commands.def functional/text.h host/failure.h host/file.h \
 host/in_use.h host/suggest.h
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
functional/text.h:
host/failure.h:
host/file.h:
host/in_use.h:
host/suggest.h:
