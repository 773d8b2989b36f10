build2/functional/riscv/elf.o: functional/riscv/elf.c \
 functional/riscv/elf.h functional/diag.h functional/source.h \
 functional/riscv/image.h host/grow.h host/text.h
functional/riscv/elf.h:
functional/diag.h:
functional/source.h:
functional/riscv/image.h:
host/grow.h:
host/text.h:
