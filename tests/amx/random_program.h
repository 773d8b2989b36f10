/* random_program: a short AMX program of several threads that share registers, ports and arrays. */
#ifndef TAKT_TESTS_AMX_RANDOM_PROGRAM_H
#define TAKT_TESTS_AMX_RANDOM_PROGRAM_H

#include <stddef.h>

#include "tests/dice.h"

void amx_random_program(struct dice *dice, char *text, size_t size);

#endif
