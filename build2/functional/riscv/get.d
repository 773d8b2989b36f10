build2/functional/riscv/get.o: functional/riscv/get.c \
 functional/riscv/get.h functional/diag.h functional/source.h \
 functional/directive.h functional/riscv/image.h host/grow.h
functional/riscv/get.h:
functional/diag.h:
functional/source.h:
functional/directive.h:
functional/riscv/image.h:
host/grow.h:
