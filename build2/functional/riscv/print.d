build2/functional/riscv/print.o: functional/riscv/print.c \
 functional/riscv/print.h functional/riscv/get.h functional/diag.h \
 functional/source.h functional/directive.h functional/riscv/image.h
functional/riscv/print.h:
functional/riscv/get.h:
functional/diag.h:
functional/source.h:
functional/directive.h:
functional/riscv/image.h:
