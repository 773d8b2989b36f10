/* The bodies in plain C. */
#define LANES_TARGET
#define LANES_BODIES kelvin_bodies_plain
#define LANES_NAME   "plain"

#include "functional/kelvin/vector_lanes.h"
