build2/tests/mncore2/lang_help.o: tests/mncore2/lang_help.c \
 tests/mncore2/lang_help.h functional/mncore2/program.h functional/diag.h \
 functional/source.h functional/mncore2/insn.def \
 functional/mncore2/mv.def functional/mncore2/lex.h
tests/mncore2/lang_help.h:
functional/mncore2/program.h:
functional/diag.h:
functional/source.h:
functional/mncore2/insn.def:
functional/mncore2/mv.def:
functional/mncore2/lex.h:
