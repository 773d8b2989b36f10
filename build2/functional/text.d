build2/functional/text.o: functional/text.c functional/text.h \
 host/failure.h
functional/text.h:
host/failure.h:
