build2/timing/mncore2/check_pe.o: timing/mncore2/check_pe.c \
 timing/mncore2/check_pe.h functional/diag.h functional/source.h \
 timing/mncore2/pieces.h functional/mncore2/effect.h \
 functional/mncore2/program.h functional/mncore2/insn.def \
 functional/mncore2/mv.def timing/mncore2/finding.h
timing/mncore2/check_pe.h:
functional/diag.h:
functional/source.h:
timing/mncore2/pieces.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
timing/mncore2/finding.h:
