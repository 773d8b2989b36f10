build2/functional/riscv/extension.o: functional/riscv/extension.c \
 functional/riscv/extension.h
functional/riscv/extension.h:
