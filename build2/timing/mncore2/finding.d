build2/timing/mncore2/finding.o: timing/mncore2/finding.c \
 timing/mncore2/finding.h functional/diag.h functional/source.h \
 functional/mncore2/program.h functional/mncore2/insn.def \
 functional/mncore2/mv.def
timing/mncore2/finding.h:
functional/diag.h:
functional/source.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
