build2/functional/mncore2/parse_mau.o: functional/mncore2/parse_mau.c \
 functional/mncore2/parse.h functional/mncore2/lex.h \
 functional/mncore2/program.h functional/diag.h functional/source.h \
 functional/mncore2/insn.def functional/mncore2/mv.def
functional/mncore2/parse.h:
functional/mncore2/lex.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
