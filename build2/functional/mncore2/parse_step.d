build2/functional/mncore2/parse_step.o: functional/mncore2/parse_step.c \
 functional/mncore2/parse.h functional/mncore2/lex.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/shape.h
functional/mncore2/parse.h:
functional/mncore2/lex.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/shape.h:
