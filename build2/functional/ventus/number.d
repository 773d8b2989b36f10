build2/functional/ventus/number.o: functional/ventus/number.c \
 functional/ventus/number.h functional/ventus/float32.h
functional/ventus/number.h:
functional/ventus/float32.h:
