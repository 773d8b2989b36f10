build2/timing/mncore2/check_use.o: timing/mncore2/check_use.c \
 timing/mncore2/check_use.h functional/diag.h functional/source.h \
 functional/mncore2/effect.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 timing/mncore2/finding.h timing/mncore2/check_pe.h \
 timing/mncore2/pieces.h timing/mncore2/check_race.h \
 timing/mncore2/meets.h
timing/mncore2/check_use.h:
functional/diag.h:
functional/source.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/finding.h:
timing/mncore2/check_pe.h:
timing/mncore2/pieces.h:
timing/mncore2/check_race.h:
timing/mncore2/meets.h:
