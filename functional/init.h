/*
 * init: what memories hold before a program runs (--init).
 *
 *   "zero", "pattern" or "random:SEED" --init_parse--> struct init
 */
#ifndef TAKT_FUNCTIONAL_INIT_H
#define TAKT_FUNCTIONAL_INIT_H

#include <stddef.h>
#include <stdint.h>

enum init_kind { INIT_ZERO, INIT_PATTERN, INIT_RANDOM };

struct init {
    enum init_kind kind;
    uint64_t seed; /* of INIT_RANDOM */
};

/* text NULL is zero. Returns 0, or 1 with a sentence in error. */
int init_parse(struct init *init, const char *text, char *error, size_t error_size);

#endif
