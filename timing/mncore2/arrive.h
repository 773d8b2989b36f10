/*
 * arrive: when the results of transfers exist, and which accesses come earlier.
 *
 *   program --mncore2_arrivals_open--> struct arrivals, empty where no access relies on time alone
 *   run --at, finished--> mncore2_arrivals_judge --> early accesses
 *   setup --mncore2_arrivals_of--> the same of a whole run
 *
 * A transfer's result exists when the transfer ends, and until then it may read its source (3.5.3).
 * An access without a wait for a transfer relies on the time between them. If it issues when
 * the transfer has ended, the pair is satisfied, and it is a dependence for all that changes the
 * program; if it issues before, it is early.
 */
#ifndef TAKT_TIMING_MNCORE2_ARRIVE_H
#define TAKT_TIMING_MNCORE2_ARRIVE_H

#include "config/config.h"
#include "timing/machine.h"
#include "timing/mncore2/check_race.h"

/* The first early access of a transfer. */
struct early {
    size_t transfer, access; /* items */
    uint64_t cycles;         /* from its issue to the end of the transfer */
};

struct exec;

struct arrivals {
    const struct program *program;
    uint64_t dar_latency;
    size_t count;       /* items; 0: no access relies on time alone, and there are no lists */
    uint64_t *at;       /* by item: the cycle in which it issues; never falls */
    uint64_t *finished; /* by item, of MV statements; UINT64_MAX: the transfer has not ended */
    uint64_t *spare;    /* by item, once judged: cycles from the transfer's end to the first access
                           that relies on it; UINT64_MAX: no access does */
    struct early *early;
    size_t early_count, early_capacity;
    uint64_t early_cycles; /* of all early accesses */
};

/* To be freed in every case. Returns 0, or -1 when the host has no memory. */
int mncore2_arrivals_open(struct arrivals *arrivals, const struct program *program,
                          const struct config *config);
void mncore2_arrivals_free(struct arrivals *arrivals);
/* All items have issued. Returns 0, or -1 when the host has no memory. */
int mncore2_arrivals_judge(struct arrivals *arrivals);
/* First item that issues when the transfer of an MV statement has ended; count: none. */
size_t mncore2_arrivals_over(const struct arrivals *arrivals, size_t transfer);

/* Of a run with this setup, whose sink is not used; without values where its time does not depend
 * on them. To be freed in every case. Returns 0; 1 with a sentence for an error of the program;
 * -1. */
int mncore2_arrivals_of(struct arrivals *arrivals, const struct run_setup *setup,
                        char error[MACHINE_ERROR]);

/* The run's values as they are while transfers are in flight (functional/mncore2/poison.h): when
 * they end is what a run with this setup has. Status as above. */
int mncore2_arrivals_poison(struct exec *exec, const struct run_setup *setup, uint64_t seed,
                            char error[MACHINE_ERROR]);

/* The first wait that never ends, since no MV statement before it carries its tag; item_count:
 * there is none. With the setting "freed" transfers have been taken away, and their waits with
 * them. */
size_t mncore2_endless_wait(const struct program *program, const struct machine_setting *settings);

#endif
