/* producer: one execution of a statement, for which others wait. */
#ifndef TAKT_TIMING_PRODUCER_H
#define TAKT_TIMING_PRODUCER_H

#include <stdint.h>

struct producer {
    uint64_t number; /* of the execution, the owner's count */
    uint32_t statement;
    uint32_t kind; /* the owner's */
};

#define NO_PRODUCER ((struct producer){.number = UINT64_MAX, .statement = UINT32_MAX})

/* What ended a wait. */
struct release {
    struct producer by;
    uint64_t at;
};

/* Of two cycles. */
static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
