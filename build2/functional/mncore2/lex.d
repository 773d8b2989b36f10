build2/functional/mncore2/lex.o: functional/mncore2/lex.c \
 functional/mncore2/lex.h
functional/mncore2/lex.h:
