build2/functional/amx/arith.o: functional/amx/arith.c \
 functional/amx/arith.h
functional/amx/arith.h:
