build2/timing/mncore2/check_race.o: timing/mncore2/check_race.c \
 timing/mncore2/check_race.h functional/diag.h functional/source.h \
 timing/mncore2/meets.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/mncore2/check.h config/config.h \
 timing/mncore2/hazard.h timing/mncore2/hazard.def \
 timing/mncore2/finding.h
timing/mncore2/check_race.h:
functional/diag.h:
functional/source.h:
timing/mncore2/meets.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/check.h:
config/config.h:
timing/mncore2/hazard.h:
timing/mncore2/hazard.def:
timing/mncore2/finding.h:
