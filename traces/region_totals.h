/*
 * region_totals: the cycles of every unit by region of the program, from its intervals.
 *
 * A region's time are the cycles in which the issuing unit is at its statements. Other units follow
 * the first issuing unit with which they share most of their path, whatever statement they work
 * for: so in a region's time each unit's cycles add up to the same sum, and regions and rest
 * together to the total. The rest is what is charged to no region: cycles with no issuing unit at a
 * statement, and the end of the run, when the last statement has been issued.
 *
 *   region_totals_init --region_totals_add*--> region_totals_finish --> rows of unit_total
 *
 * Intervals come in order of time for each unit, and in any order across units.
 */
#ifndef TAKT_TRACES_REGION_TOTALS_H
#define TAKT_TRACES_REGION_TOTALS_H

#include "timing/sink.h"

struct region_totals;

/* NULL when the host has no memory. */
struct region_totals *region_totals_new(const struct sink_header *header);
void region_totals_free(struct region_totals *totals);

/* Returns 0, or -1 when the host has no memory. */
int region_totals_add(struct region_totals *totals, const struct sink_interval *interval);

/* The rows of a run, which know no regions, divided and allocated; NULL when the host has no
 * memory. */
struct sink_unit_total *region_totals_finish(struct region_totals *totals,
                                             const struct sink_unit_total *rows, size_t row_count,
                                             size_t *count);

#endif
