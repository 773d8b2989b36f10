/* fuzz_loops: programs of tensor loops. */
#define MACHINE machine_loops
#define NAME    "fuzz.loops"
#include "tests/fuzz/machine.h"
