build2/functional/words.o: functional/words.c functional/words.h \
 host/file.h
functional/words.h:
host/file.h:
