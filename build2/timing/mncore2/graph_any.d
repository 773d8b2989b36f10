build2/timing/mncore2/graph_any.o: timing/mncore2/graph_any.c \
 timing/mncore2/graph_any.h timing/mncore2/graph_lag.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def timing/graph.h \
 timing/mncore2/hazard_profile.h timing/mncore2/hazard.h config/config.h \
 functional/mncore2/effect.h timing/mncore2/hazard.def \
 timing/mncore2/graph_claim.h
timing/mncore2/graph_any.h:
timing/mncore2/graph_lag.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/graph.h:
timing/mncore2/hazard_profile.h:
timing/mncore2/hazard.h:
config/config.h:
functional/mncore2/effect.h:
timing/mncore2/hazard.def:
timing/mncore2/graph_claim.h:
