/* fuzz_amx: programs of AMX. */
#define FUZZED machine_amx
#define NAME   "fuzz.amx"
#include "tests/fuzz/machine.h"
