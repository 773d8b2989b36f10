build2/tests/mncore2/check_text.o: tests/mncore2/check_text.c \
 tests/mncore2/check_text.h config/config.h functional/diag.h \
 functional/source.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def config/embed.h \
 timing/mncore2/check.h timing/mncore2/hazard.h \
 functional/mncore2/effect.h timing/mncore2/hazard.def \
 timing/mncore2/param.def config/host.def
tests/mncore2/check_text.h:
config/config.h:
functional/diag.h:
functional/source.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
config/embed.h:
timing/mncore2/check.h:
timing/mncore2/hazard.h:
functional/mncore2/effect.h:
timing/mncore2/hazard.def:
timing/mncore2/param.def:
config/host.def:
