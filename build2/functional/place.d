build2/functional/place.o: functional/place.c functional/place.h \
 functional/words.h
functional/place.h:
functional/words.h:
