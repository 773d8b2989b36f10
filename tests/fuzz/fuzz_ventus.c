/* fuzz_ventus: programs of Ventus as text. */
#define FUZZED machine_ventus
#define NAME   "fuzz.ventus"
#include "tests/fuzz/machine.h"
