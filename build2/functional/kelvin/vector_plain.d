build2/functional/kelvin/vector_plain.o: functional/kelvin/vector_plain.c \
 functional/kelvin/vector_lanes.h functional/kelvin/vector_bodies.h \
 functional/kelvin/vector.h functional/riscv/memory.h \
 functional/kelvin/vector.def functional/kelvin/vector_lane.def
functional/kelvin/vector_lanes.h:
functional/kelvin/vector_bodies.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
functional/kelvin/vector_lane.def:
