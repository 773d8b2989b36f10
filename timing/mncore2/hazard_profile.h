/*
 * hazard_profile: what hazard.c makes, and hazard_window.c and graph.c read: the rows with their
 * latencies, and what of a statement takes part in them. No other file includes this.
 */
#ifndef TAKT_TIMING_MNCORE2_HAZARD_PROFILE_H
#define TAKT_TIMING_MNCORE2_HAZARD_PROFILE_H

#include "timing/mncore2/hazard.h"

enum { ALL_CYCLES = (1 << CYCLES) - 1 };

/* What a profile keeps of an access. */
struct touch {
    uint16_t addr[CYCLES];
    uint16_t low, high;    /* all units touched are in [low, high) */
    uint16_t length, last; /* last: units of the memory minus 1; a power of two minus 1 */
    uint8_t cycles, entry, set;
    bool any;
    const struct operand *operand;
};
_Static_assert(sizeof(struct touch) == 32, "profiles are copied for each statement");

/* Which touches of a profile take part in each row, as bits. */
struct takers {
    uint64_t produce[HAZARD_COUNT], consume[HAZARD_COUNT];
};
_Static_assert(MAX_ACCESSES <= 64, "touches are bits");

struct mask_write {
    uint8_t target, cycles, entry;
};

enum { MAX_MASK_WRITES = 2 }; /* the ALU's and the MAU's (3.6.1.13) */

struct hazard_profile {
    uint32_t produces, consumes; /* rows, over all touches */
    uint8_t entry;               /* variable write mask of the statement, 0 = none */
    uint8_t mask_write_count;
    uint16_t count;
    struct mask_write mask_writes[MAX_MASK_WRITES];
    const struct takers *takers;
    struct touch touch[];
};

struct chunk; /* of hazard.c */

/* A place for the profile of a statement that occurs once. */
struct hazard_once {
    struct hazard_profile *profile;
    struct takers *takers;
};

enum { HAZARD_TAKERS = 256 }; /* a power of two */

struct hazard {
    uint32_t latency[HAZARD_COUNT];
    uint64_t reach[HAZARD_COUNT]; /* a producer issued at t matters before t + reach */
    uint64_t longest;
    uint32_t produced_by[KIND_COUNT], consumed_by[KIND_COUNT]; /* rows with a latency */
    struct chunk *chunks;
    const struct takers *takers[HAZARD_TAKERS]; /* kept last, by their hash */
    struct hazard_once *once;                   /* a ring */
    size_t once_count, once_next;
};

#endif
