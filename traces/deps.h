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
    struct deps_slot {
        uint32_t row, hash; /* row + 1, or 0 */
    } *slots;
    size_t slot_count;
    struct deps_block *block; /* being filled */
    bool here;                /* it is the thread of `aside` that adds */
    bool failed;              /* memory was out */
};

/* Make room for about so many rows, with all its pages: a job of the aside, before the first edge. More rows find
 * room later; fewer leave some unused. */
void deps_reserve(struct deps *deps, size_t rows);
/* rule: id of the edge's rule in the string table, or NONE_ID. Returns 0, or -1 when memory is out.
 */
int deps_add(struct deps *deps, const struct sink_edge *edge, uint32_t rule);
/* Give the block that is being filled to the aside. */
void deps_hand_over(struct deps *deps);
/* Between these calls it is a job of the aside that adds; the block has been handed over before it. */
void deps_begin_here(struct deps *deps);
void deps_end_here(struct deps *deps);
/* Take in those that are in blocks; before rows are read. The caller is the only one to give the aside
 * work. Returns 0, or -1 when memory is out. */
int deps_settle(struct deps *deps);
/* Of each kind only the `most` longest waits are left, by kind and the longest first. Nothing can
 * be added after it. Returns 0, or -1 when memory is out. */
int deps_keep_longest(struct deps *deps, size_t most);
/* Free it, when the aside has nothing left to do with it: a job of the aside may. */
void deps_drop(struct deps *deps);
/* The same after waiting. */
void deps_free(struct deps *deps);

#endif
