build2/functional/kelvin/vector_work.o: functional/kelvin/vector_work.c \
 functional/kelvin/vector_operand.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def
functional/kelvin/vector_operand.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
