build2/functional/mncore2/operand.o: functional/mncore2/operand.c \
 functional/mncore2/parse.h functional/mncore2/lex.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def host/suggest.h
functional/mncore2/parse.h:
functional/mncore2/lex.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
host/suggest.h:
