build2/functional/kelvin/vector_execute.o: \
 functional/kelvin/vector_execute.c functional/kelvin/vector_bodies.h \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def functional/kelvin/vector_operand.h
functional/kelvin/vector_bodies.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
functional/kelvin/vector_operand.h:
