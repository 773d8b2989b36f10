/*
 * proven: the lower bounds of a run and the gap to any order, as all answers give them.
 *
 *   store --proven_find--> the first screen's phrases        --proven_json--> [{"class", ...}]
 *
 * A gap is to any-order alone, and there is none where that was not computed.
 */
#ifndef TAKT_ANALYSIS_PROVEN_H
#define TAKT_ANALYSIS_PROVEN_H

#include <stdbool.h>

#include "traces/store.h"

enum { PROVEN_PHRASE = 160 };

struct proven {
    bool computed;
    char this_order[PROVEN_PHRASE];  /* "this order 1,380" */
    char any_order[PROVEN_PHRASE];   /* "any order 1,204 (mau)" */
    char free_places[PROVEN_PHRASE]; /* "free registers and addresses 1,100 (alu)" */
    char floor[PROVEN_PHRASE];       /* "1,204 in any order of these statements" */
    char gap[PROVEN_PHRASE];         /* "196 cycles (14.0 %) to gain" */
    char limit[PROVEN_PHRASE];       /* "limited by mau" */
};

/* Returns 0, or -1 when memory is out. */
int proven_find(const struct store *store, struct proven *proven);
/* The largest bound of a class, of a complete run; NULL: there is none. */
const struct store_bound *proven_best(const struct store *store, const char *class);

struct json_t;
/* [{"class", "kind", "unit", "cycles", "certificate"}]; NULL when memory is out. */
struct json_t *proven_json(const struct store *store);
/* {"class": "any-order", "cycles": n}, or null. */
struct json_t *proven_gap_json(const struct store *store);

#endif
