build2/timing/mncore2/plain.o: timing/mncore2/plain.c \
 timing/mncore2/plain.h timing/mncore2/graph.h timing/machine.h \
 timing/bounds.h timing/graph.h timing/machine_advice.h \
 timing/machine_options.h config/config.h timing/moves.h \
 timing/machine_language.h functional/diag.h functional/source.h \
 functional/vocabulary.h timing/machine_timing.h functional/directive.h \
 timing/sink.h timing/reason.def timing/machine_values.h timing/range.h \
 timing/terms.h timing/mncore2/arrive.h timing/mncore2/check_race.h \
 timing/mncore2/meets.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/mncore2/graph_lag.h \
 timing/mncore2/hazard_profile.h timing/mncore2/hazard.h \
 timing/mncore2/hazard.def timing/mncore2/moves_tags.h host/grow.h \
 host/text.h
timing/mncore2/plain.h:
timing/mncore2/graph.h:
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
timing/mncore2/arrive.h:
timing/mncore2/check_race.h:
timing/mncore2/meets.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/graph_lag.h:
timing/mncore2/hazard_profile.h:
timing/mncore2/hazard.h:
timing/mncore2/hazard.def:
timing/mncore2/moves_tags.h:
host/grow.h:
host/text.h:
