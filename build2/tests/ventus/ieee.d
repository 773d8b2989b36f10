build2/tests/ventus/ieee.o: tests/ventus/ieee.c tests/ventus/ieee.h \
 functional/ventus/float32.h
tests/ventus/ieee.h:
functional/ventus/float32.h:
