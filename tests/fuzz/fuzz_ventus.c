/* fuzz_ventus: programs of Ventus as text. */
#define MACHINE machine_ventus
#define NAME    "fuzz.ventus"
#include "tests/fuzz/machine.h"
