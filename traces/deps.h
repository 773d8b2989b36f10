/*
 * deps: binding edges on their way to the dep table. Equal ones become one row.
 *
 *   struct sink_edge --deps_add--> blocks --deps_settle--> rows, in order of first appearance
 *
 * A look at a table of some megabytes is a wait for memory. So edges are taken in by the block, aside if
 * there is somebody (traces/aside.h), and the places of the next ones are on the way meanwhile.
 */
#ifndef TAKT_TRACES_DEPS_H
#define TAKT_TRACES_DEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/sink.h"
#include "traces/aside.h"

/* One row of dep while it is gathered. */
struct dep {
    uint64_t order; /* of first appearance, from 1 */
    uint32_t src, dst, unit, rule, kind;
    uint64_t times, waited, tight, min_slack;
    uint64_t first_released, first_at, last_released, last_at;
};

enum { DEPS_BLOCK = 1024 };

struct deps {
    struct aside *aside; /* or NULL; to be set before the first edge */
    struct dep *rows;
    size_t count, capacity;
    uint32_t *slots; /* row + 1, or 0 */
    size_t slot_count;
    struct deps_block *block; /* being filled */
    bool failed;              /* memory was out */
};

/* rule: id of the edge's rule in the string table, or NONE_ID. Returns 0, or -1 when memory is out.
 */
int deps_add(struct deps *deps, const struct sink_edge *edge, uint32_t rule);
/* Take in those that are in blocks; before rows are read. The caller is the only one to give the aside
 * work. Returns 0, or -1 when memory is out. */
int deps_settle(struct deps *deps);
/* Of each kind only the `most` longest waits are left, by kind and the longest first. Nothing can
 * be added after it. Returns 0, or -1 when memory is out. */
int deps_keep_longest(struct deps *deps, size_t most);
void deps_free(struct deps *deps);

#endif
