/* fuzz_amx: programs of AMX. */
#define MACHINE machine_amx
#define NAME    "fuzz.amx"
#include "tests/fuzz/machine.h"
