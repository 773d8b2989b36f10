build2/tests/kelvin/oracle.o: tests/kelvin/oracle.c \
 tests/kelvin/oracle_parts.h tests/kelvin/oracle.h \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def
tests/kelvin/oracle_parts.h:
tests/kelvin/oracle.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
