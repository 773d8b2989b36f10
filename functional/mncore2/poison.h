/*
 * poison: values as they are while transfers are in flight (manual 3.5.3). A transfer's destination
 * reads as words of no meaning until the transfer ends; what something else writes there before,
 * and all of it when its source or the DAR entries that it goes by changed before, has no meaning
 * afterwards either.
 *
 *   mncore2_poison_new --> mncore2_poison_begin, item, mncore2_poison_end for each item in order
 *
 * d get lines see transfers that have ended: the host reads when all that was issued is over.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_POISON_H
#define TAKT_FUNCTIONAL_MNCORE2_POISON_H

#include "functional/mncore2/program.h"

struct exec;
struct poison;

/* When the transfer of an MV statement ends: its cycle, and the first item that issues no earlier.
 * */
struct poison_end {
    uint64_t cycle;
    size_t over;
};

/* ends: by item; they are copied. NULL when the host has no memory. */
struct poison *mncore2_poison_new(struct exec *exec, const struct program *program,
                                  const struct poison_end *ends, uint64_t seed);
void mncore2_poison_free(struct poison *poison);

/* Before and after an item is executed; behind the last one, every transfer has ended. They return
 * 0, or -1 when the host has no memory. */
int mncore2_poison_begin(struct poison *poison, size_t item);
int mncore2_poison_end(struct poison *poison, size_t item);

#endif
