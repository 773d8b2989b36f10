build2/analysis/exact_bound.o: analysis/exact_bound.c \
 analysis/exact_bound.h timing/bounds.h timing/graph.h timing/machine.h \
 timing/machine_advice.h timing/machine_options.h config/config.h \
 timing/moves.h timing/machine_language.h functional/diag.h \
 functional/source.h functional/vocabulary.h timing/machine_timing.h \
 functional/directive.h timing/sink.h timing/reason.def \
 timing/machine_values.h timing/range.h timing/terms.h \
 analysis/schedule_exact.h analysis/list_schedule.h host/grow.h
analysis/exact_bound.h:
timing/bounds.h:
timing/graph.h:
timing/machine.h:
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
analysis/schedule_exact.h:
analysis/list_schedule.h:
host/grow.h:
