/*
 * range: the effect of unpublished numbers on the total of a program.
 *
 *   configuration with plausible ranges, retime --range_find--> low, high, a row for each number
 *
 * Each number with a plausible range (config/config.h) that was not set by hand is moved over it
 * alone, then all together; each total is that of a run. A text is tried with each of its choices.
 *
 *   low   no setting inside the plausible ranges gives less: all numbers at their optimistic ends,
 *         and no wait for a unit (`alone`), since the order at a unit may depend on the numbers
 *   high  the largest total found: also of settings drawn from the plausible ranges with a fixed
 *         seed, one for each number, half of them at ends only; from the longest of all on, numbers
 *         are moved to their other ends as long as that makes it longer; another setting may give
 *         more
 *
 * With joint settings (config/config.h) these alone are tried instead for both ends: low and high
 * are the least and the largest total with them; where these differ, with an eighth of the
 * distance and a half per cent of the total more; low stays a total or bound as above where that is
 * greater.
 *
 * Rows come in order of effect: the largest spread of totals first, then as in param.def.
 */
#ifndef TAKT_TIMING_RANGE_H
#define TAKT_TIMING_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/config.h"

struct range_subject {
    const struct config *config;
    uint64_t cycles; /* the total as configured */
    /* The total of the same program under another configuration. alone: a lower bound of it, in
     * which no operation waits for a unit. May run in several threads. Returns 0; 1 when these
     * numbers make no chip; -1 when the host failed. */
    int (*retime)(void *context, const struct config *config, bool alone, uint64_t *cycles);
    void *context;
};

struct range_row {
    size_t param;
    const char *name; /* of the parameter */
    uint64_t at_low,
        at_high; /* totals at the least and the greatest plausible number; of a text the
                                 least and the greatest total of its choices */
    uint64_t least, greatest; /* of these and the total as configured */
    size_t first, count;      /* its part of range.totals: of a text for each choice */
};

struct range {
    bool known;
    bool joint; /* of settings that explain measurements */
    uint64_t low, high;
    uint64_t optimistic, pessimistic; /* totals with every number at that end */
    struct range_row *rows;
    size_t count;
    uint64_t *totals; /* UINT64_MAX: the value makes no chip */
};

/* Whether the extra runs take negligible time, given the events of one run. */
bool range_is_cheap(const struct config *config, uint64_t events);

/* threads: at least 1. Returns 0, or -1 when the host failed; to be freed in both cases. */
int range_find(struct range *range, const struct range_subject *subject, unsigned threads);
void range_free(struct range *range);

#endif
