/* fuzz_loops: programs of tensor loops. */
#define FUZZED machine_loops
#define NAME   "fuzz.loops"
#include "tests/fuzz/machine.h"
