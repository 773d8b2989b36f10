build2/functional/mncore2/vocabulary.o: functional/mncore2/vocabulary.c \
 functional/vocabulary.h functional/diag.h functional/source.h \
 functional/mncore2/effect.h functional/mncore2/program.h \
 functional/mncore2/insn.def functional/mncore2/mv.def \
 functional/mncore2/parse.h functional/mncore2/lex.h \
 functional/mncore2/vocabulary.h
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/mncore2/effect.h:
functional/mncore2/program.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/parse.h:
functional/mncore2/lex.h:
functional/mncore2/vocabulary.h:
