/*
 * poison: values as they are while transfers are in flight (manual 3.5.3). A transfer's destination
 * reads as undefined words until the transfer ends. Words that another statement writes there
 * meanwhile stay undefined afterwards; so does the whole destination if the source or the
 * transfer's DAR entries change meanwhile.
 *
 *   mncore2_poison_new --> mncore2_poison_begin, item, mncore2_poison_end for each item in order
 *
 * d get lines see all earlier transfers as ended: the host reads when everything issued is
 * complete.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_POISON_H
#define TAKT_FUNCTIONAL_MNCORE2_POISON_H

#include "functional/mncore2/program.h"

struct exec;
struct poison;

/* When the transfer of an MV statement ends: its cycle, and the first item that issues at that
 * cycle or later. */
struct poison_end {
    uint64_t cycle;
    size_t over;
};

/* ends: indexed by item; copied. NULL when memory is out. */
struct poison *mncore2_poison_new(struct exec *exec, const struct program *program,
                                  const struct poison_end *ends, uint64_t seed);
void mncore2_poison_free(struct poison *poison);

/* Call before and after an item is executed; after the last item, every transfer has ended. They
 * return 0, or -1 when memory is out. */
int mncore2_poison_begin(struct poison *poison, size_t item);
int mncore2_poison_end(struct poison *poison, size_t item);

#endif
