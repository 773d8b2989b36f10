/*
 * diff_reader: what diff_side.c and diff_charge.c share while they read one side. Private to them.
 *
 *   totals or intervals --> spent --diff_charge--> cells of the side
 */
#ifndef TAKT_ANALYSIS_DIFF_READER_H
#define TAKT_ANALYSIS_DIFF_READER_H

#include <stdbool.h>

#include "analysis/diff_side.h"
#include "host/grow.h"

enum { DIFF_REASONS = REASON_MAX };

/* What holds a statement, or the transfer that it began. */
struct diff_hold {
    uint32_t dst, src, unit, reason;
    bool moves; /* a transfer that has been issued */
    uint64_t waited;
    size_t number; /* of the edge */
};

struct diff_moved {
    uint32_t stmt, unit; /* unit: that limits it */
    uint64_t issued;
};

/* What a statement spent, before it is split. */
struct diff_spent {
    uint32_t stmt, reason;
    uint64_t cycles, execs;
};

struct diff_reader {
    struct diff_side *side;
    const struct store *store;
    struct strings *strings;
    int status;      /* as of diff_side_read */
    bool totals;     /* there are no intervals */
    uint32_t unit;   /* of the stream */
    uint32_t *units; /* names, by unit.id */
    size_t unit_count;
    uint32_t reasons[DIFF_REASONS]; /* names */
    bool waits[DIFF_REASONS];
    struct diff_moved *moved; /* by statement */
    size_t moved_count, moved_capacity;
    struct diff_hold *holds; /* by dst, the longest first */
    size_t hold_count, hold_capacity;
    struct diff_spent *spent;
    size_t spent_count, spent_capacity;
};

/* Makes room for one more in *list, a pointer. False when there is no memory; r->status says so. */
static inline bool diff_reader_room(struct diff_reader *r, void *list, size_t count,
                                    size_t *capacity, size_t size)
{
    if (!grow_list(list, capacity, count + 1, size))
        r->status = -1;
    return r->status == 0;
}

/* Every cycle of the side into a cell, from what its statements spent. */
void diff_charge(struct diff_reader *r);

#endif
