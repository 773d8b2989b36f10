/*
 * proven: the lower bounds of a trace and the gap to any order, as all answers give them.
 *
 *   trace --proven_find--> the first screen's phrases        --proven_json--> [{"class", ...}]
 *
 * A gap is to any-order alone, and there is none where that was not computed.
 */
#ifndef TAKT_ANALYSIS_PROVEN_H
#define TAKT_ANALYSIS_PROVEN_H

#include <sqlite3.h>
#include <stdbool.h>

enum { PROVEN_PHRASE = 160 };

struct proven {
    bool computed;
    char this_order[PROVEN_PHRASE];  /* "this order 1,380" */
    char any_order[PROVEN_PHRASE];   /* "any order 1,204 (unit mau)" */
    char free_places[PROVEN_PHRASE]; /* "free places 1,100 (path 4 > 9)" */
    char gap[PROVEN_PHRASE];         /* "gap 196 cycles, 14.0 %" */
};

/* Returns an SQLite code. */
int proven_find(sqlite3 *db, struct proven *proven);

struct json_t;
/* [{"class", "kind", "unit", "cycles", "certificate"}]; NULL with *rc when memory is out. */
struct json_t *proven_json(sqlite3 *db, int *rc);
/* {"class": "any-order", "cycles": n}, or null. */
struct json_t *proven_gap_json(sqlite3 *db, int *rc);

#endif
