build2/functional/kelvin/vector_form.o: functional/kelvin/vector_form.c \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
