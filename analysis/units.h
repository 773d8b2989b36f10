/*
 * units: where the cycles of each unit went.
 */
#ifndef TAKT_ANALYSIS_UNITS_H
#define TAKT_ANALYSIS_UNITS_H

#include "traces/store.h"

struct unit_use {
    uint64_t busy, waiting, idle, total;
};

/* By unit; to be freed. NULL when memory is out. */
struct unit_use *units_use(const struct store *store);
/* Share of its cycles in which it is busy. */
double units_share(const struct unit_use *use);
/* Units that do the same under names that differ in numbers alone. */
struct unit_group {
    uint32_t unit; /* the first of them */
    size_t count;
    struct unit_use use; /* of each */
};
/* Those that are busy, the busiest first; *count of them. To be freed. NULL when memory is out. */
struct unit_group *units_groups(const struct store *store, size_t *count);
/* The unit of a name, or NONE_ID. */
uint32_t units_named(const struct store *store, const char *name);
/* Whether it issues statements. */
bool units_issues(const struct store *store, uint32_t unit);
/* The cycles of a region: of several issuing units that issue anything those of the one that has
 * most in it. Returns whether one was in it. */
bool units_region(const struct store *store, uint32_t region, uint64_t *cycles);

#endif
