/* fuzz_mncore2: programs of MN-Core 2, checked and run; fuzz_parse.c prints them. */
#define FUZZED machine_mncore2
#define NAME   "fuzz.vsm"
#include "tests/fuzz/machine.h"
