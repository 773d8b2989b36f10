/*
 * deps: binding edges on their way to the table dep. Equal ones become one row.
 *
 *   struct sink_edge --deps_add*--> rows --deps_sort--> by dst, src, kind, unit and rule
 *
 * A row does not depend on the order in which its edges came.
 */
#ifndef TAKT_TRACES_DEPS_H
#define TAKT_TRACES_DEPS_H

#include "timing/sink.h"
#include "traces/strings.h"

struct dep {
    uint32_t src, dst, unit, kind;
    uint32_t rule; /* of strings: a number, or an id after deps_sort */
    uint64_t times, waited, tight, min_slack;
    uint64_t first_released, first_at, last_released, last_at;
};

struct deps {
    struct dep *rows;
    size_t count, capacity;
    uint32_t *slots; /* row + 1; 0: empty */
    size_t slot_count;
};

/* rule: number of the edge's rule. Returns 0, or -1 when memory is out. */
int deps_add(struct deps *deps, const struct sink_edge *edge, uint32_t rule);
/* After strings_sort. Nothing can be added after it. */
void deps_sort(struct deps *deps, const struct strings *strings);
void deps_free(struct deps *deps);

#endif
