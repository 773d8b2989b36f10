/* The bodies for AVX2. */
#include "functional/kelvin/vector_bodies.h"

#ifdef __x86_64__

#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_BODIES kelvin_bodies_avx2
#define LANES_NAME   "avx2"

#include "functional/kelvin/vector_lanes.h"

#endif
