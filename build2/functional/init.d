build2/functional/init.o: functional/init.c functional/init.h
functional/init.h:
