/*
 * deps: binding edges on their way to the dep table. Equal ones become one row.
 *
 *   struct sink_edge --deps_add--> waiting --deps_settle--> rows, in order of first appearance
 *
 * A look at a table of some megabytes is a wait for memory. So a few edges wait until their places are
 * on the way, and are taken in one after the other.
 */
#ifndef TAKT_TRACES_DEPS_H
#define TAKT_TRACES_DEPS_H

#include <stddef.h>
#include <stdint.h>

#include "timing/sink.h"

/* One row of dep while it is gathered. */
struct dep {
    uint64_t order; /* of first appearance, from 1 */
    uint32_t src, dst, unit, rule, kind;
    uint64_t times, waited, tight, min_slack;
    uint64_t first_released, first_at, last_released, last_at;
};

enum { DEPS_WAITING = 16 };

struct deps {
    struct dep *rows;
    size_t count, capacity;
    uint32_t *slots; /* row + 1, or 0 */
    size_t slot_count;
    struct dep_waiting {
        uint64_t hash, times;
        struct dep row; /* as if it were the only edge of its kind */
    } waiting[DEPS_WAITING];
    unsigned waiting_count;
};

/* rule: id of the edge's rule in the string table, or NONE_ID. Returns 0, or -1 when memory is out. */
int deps_add(struct deps *deps, const struct sink_edge *edge, uint32_t rule);
/* Take in those that wait; before rows are read. Returns 0, or -1 when memory is out. */
int deps_settle(struct deps *deps);
/* Of each kind only the `most` longest waits are left, by kind and the longest first. Nothing can be
 * added after it. Returns 0, or -1 when memory is out. */
int deps_keep_longest(struct deps *deps, size_t most);
void deps_free(struct deps *deps);

#endif
