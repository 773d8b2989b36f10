build2/tests/mncore2/lang_tables.o: tests/mncore2/lang_tables.c \
 tests/mncore2/lang_tables.h functional/mncore2/parse.h \
 functional/mncore2/lex.h functional/mncore2/program.h functional/diag.h \
 functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def
tests/mncore2/lang_tables.h:
functional/mncore2/parse.h:
functional/mncore2/lex.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
