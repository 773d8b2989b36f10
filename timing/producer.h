/* producer: who made others wait: a statement, as it was executed. */
#ifndef TAKT_TIMING_PRODUCER_H
#define TAKT_TIMING_PRODUCER_H

#include <stdint.h>

struct producer {
    uint64_t number; /* of the execution, the owner's count */
    uint32_t statement;
    uint32_t kind; /* the owner's */
};

#define NO_PRODUCER ((struct producer){.number = UINT64_MAX, .statement = UINT32_MAX})

/* What let somebody go on. */
struct release {
    struct producer by;
    uint64_t at;
};

#endif
