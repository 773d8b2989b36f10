build2/cli/loops/layout.o: cli/loops/layout.c cli/loops/layout.h \
 cli/loops/choose.h functional/loops/generate.h \
 functional/loops/program.h functional/diag.h functional/source.h \
 functional/loops/op.def timing/machine.h timing/bounds.h timing/graph.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h
cli/loops/layout.h:
cli/loops/choose.h:
functional/loops/generate.h:
functional/loops/program.h:
functional/diag.h:
functional/source.h:
functional/loops/op.def:
timing/machine.h:
timing/bounds.h:
timing/graph.h:
timing/machine_advice.h:
timing/machine_options.h:
config/config.h:
timing/moves.h:
timing/machine_language.h:
functional/vocabulary.h:
timing/machine_timing.h:
functional/directive.h:
timing/sink.h:
timing/reason.def:
timing/machine_values.h:
timing/range.h:
timing/terms.h:
