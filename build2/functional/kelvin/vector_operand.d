build2/functional/kelvin/vector_operand.o: \
 functional/kelvin/vector_operand.c functional/kelvin/vector_operand.h \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def
functional/kelvin/vector_operand.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
