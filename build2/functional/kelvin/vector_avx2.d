build2/functional/kelvin/vector_avx2.o: functional/kelvin/vector_avx2.c \
 functional/kelvin/vector_bodies.h functional/kelvin/vector.h \
 functional/riscv/memory.h functional/kelvin/vector.def \
 functional/kelvin/vector_lanes.h functional/kelvin/vector_lane.def
functional/kelvin/vector_bodies.h:
functional/kelvin/vector.h:
functional/riscv/memory.h:
functional/kelvin/vector.def:
functional/kelvin/vector_lanes.h:
functional/kelvin/vector_lane.def:
