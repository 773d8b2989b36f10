/*
 * scoreboard: from when on each place (a register, an accumulator row) can be read, and which
 * statement writes it.
 *
 *   statement, reads and writes --scoreboard_issue--> first cycle in which it may issue, and the
 *                                                     producer that it waits for
 *   statement, writes, ready cycle --scoreboard_write--> places
 *
 *   place 3   ------- write issues ====== latency ====== ready ------------------
 *   a read of 3                                          issues here or later
 *   a write of 3 with latency 2                        issues here or later (lands at `ready`)
 *
 * Rules. A statement may issue in the first cycle t with, for each place that it reads, t >= ready;
 * for each place that it writes and does not read, t + latency >= ready: a write may not land
 * before an earlier one of the same place, but in the same cycle. A place that was never written is
 * ready in cycle 0. The place that is ready last binds; of several, the first in
 * the sets, the lowest of its set.
 *
 * A write replaces what was known of the place: its statement has waited for scoreboard_issue.
 *
 * Does not model: partial writes, forwarding, ports of the register file.
 *
 * Nothing is allocated after scoreboard_init.
 */
#ifndef TAKT_TIMING_SCOREBOARD_H
#define TAKT_TIMING_SCOREBOARD_H

#include <stddef.h>
#include <stdint.h>

#include "timing/producer.h"

struct scoreboard {
    size_t places;
    uint64_t *ready; /* of each place */
    struct producer *by;
};

/* What a statement does with up to 64 consecutive places; bit i is place first + i. */
struct place_set {
    uint32_t first;
    uint64_t reads, writes;
};

/* Returns 0, or -1 when the host has no memory. */
int scoreboard_init(struct scoreboard *scoreboard, size_t places);
void scoreboard_free(struct scoreboard *scoreboard);

/* First cycle in which a statement may issue whose writes land `latency` cycles later. *by is the
 * producer of the place that binds, or NO_PRODUCER when that cycle is 0. */
uint64_t scoreboard_issue(const struct scoreboard *scoreboard, const struct place_set *sets,
                          size_t count, uint64_t latency, struct producer *by);

/* Whatever the sets write is ready in this cycle. */
void scoreboard_write(struct scoreboard *scoreboard, const struct place_set *sets, size_t count,
                      uint64_t ready, const struct producer *by);

#endif
