build2/timing/mncore2/hazard_window.o: timing/mncore2/hazard_window.c \
 timing/mncore2/hazard_profile.h timing/mncore2/hazard.h config/config.h \
 functional/mncore2/effect.h functional/mncore2/program.h \
 functional/diag.h functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/mncore2/hazard.def
timing/mncore2/hazard_profile.h:
timing/mncore2/hazard.h:
config/config.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/hazard.def:
