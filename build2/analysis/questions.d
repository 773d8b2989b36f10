build2/analysis/questions.o: analysis/questions.c analysis/questions.h \
 analysis/loops.h analysis/nops.h timing/machine.h timing/bounds.h \
 timing/graph.h timing/machine_advice.h timing/machine_options.h \
 config/config.h timing/moves.h timing/machine_language.h \
 functional/diag.h functional/source.h functional/vocabulary.h \
 timing/machine_timing.h functional/directive.h timing/sink.h \
 timing/reason.def timing/machine_values.h timing/range.h timing/terms.h \
 config/embed.h
analysis/questions.h:
analysis/loops.h:
analysis/nops.h:
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
config/embed.h:
