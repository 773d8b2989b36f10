/* fuzz_kelvin: programs of Kelvin, as text and as ELF files. */
#define FUZZED machine_kelvin
#define NAME   "fuzz.kelvin"
#include "tests/fuzz/machine.h"
