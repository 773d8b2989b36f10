build2/functional/riscv/image.o: functional/riscv/image.c \
 functional/riscv/image.h functional/source.h host/grow.h
functional/riscv/image.h:
functional/source.h:
host/grow.h:
