/*
 * alike: units of a trace, those that are the same in every cycle as one.
 *
 *   trace --alike_find--> "core0.alu x8", "core0.port0 x4", "issue"
 *
 * Units are alike when they are of one kind and width, have the same totals and bytes, and the same
 * intervals; in a trace without intervals, the same utilisation windows.
 */
#ifndef TAKT_TRACES_ALIKE_H
#define TAKT_TRACES_ALIKE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct alike {
    int64_t unit, count; /* the first of them; how many they are */
    char name[96];       /* of the first, and " x4" of four */
    bool issues;         /* it is a stream */
    bool busy;           /* in some cycle, or the run has no totals */
    double peak;         /* bytes a cycle that its width allows; 0: it has none */
    double bytes;        /* that passed it; of each of them */
    int64_t busy_cycles; /* -1: the run has no totals */
};

enum alike_which {
    ALIKE_FOLDED, /* units that are alike are one row */
    ALIKE_EACH    /* each unit is a row */
};

/* In order of unit.id; *units is for free(). Returns an SQLite code. */
int alike_find(sqlite3 *db, enum alike_which which, struct alike **units, size_t *count);

#endif
