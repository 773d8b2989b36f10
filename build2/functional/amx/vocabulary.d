build2/functional/amx/vocabulary.o: functional/amx/vocabulary.c \
 functional/amx/vocabulary.h functional/vocabulary.h functional/diag.h \
 functional/source.h functional/amx/insn.def
functional/amx/vocabulary.h:
functional/vocabulary.h:
functional/diag.h:
functional/source.h:
functional/amx/insn.def:
