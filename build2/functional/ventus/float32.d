build2/functional/ventus/float32.o: functional/ventus/float32.c \
 functional/ventus/float32.h
functional/ventus/float32.h:
