build2/analysis/why.o: analysis/why.c analysis/why.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h analysis/moment.h functional/text.h traces/rows.h \
 analysis/why_chain.h host/suggest.h timing/slack.h traces/slice.h \
 traces/trace.h
analysis/why.h:
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
analysis/moment.h:
functional/text.h:
traces/rows.h:
analysis/why_chain.h:
host/suggest.h:
timing/slack.h:
traces/slice.h:
traces/trace.h:
