/*
 * shuffled: a program of machine code with its blocks in random orders that keep what takt schedule
 * says depends on what, run from another start of the memories: its dumps and state are those of
 * the program as written. So a dependence that is missed is found, however few orders the search
 * itself tries.
 */
#ifndef TAKT_TESTS_SHUFFLED_H
#define TAKT_TESTS_SHUFFLED_H

#include "tests/dice.h"
#include "timing/machine.h"

struct shuffled {
    const struct machine *machine;
    const char *name; /* of the program: says what it is */
    const char *text;
    size_t size;
};

/* `times` orders. Returns how many nodes have changed their places in all of them; SIZE_MAX: the
 * program cannot be reordered, with a sentence in error. */
size_t shuffled_check(const struct shuffled *program, unsigned times, struct dice *dice,
                      char error[MACHINE_ERROR]);

/* Whether the last two nodes of the last block may change places. */
bool shuffled_may_swap(const struct shuffled *program);

/* The image of a text, assembled by the machine, as an ELF file: a segment each, no sections and
 * no symbols. To be freed. */
char *shuffled_elf(const struct machine *machine, const char *text, size_t *size);

#endif
