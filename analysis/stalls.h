/* stalls: the binding edges that held statements longest. */
#ifndef TAKT_ANALYSIS_STALLS_H
#define TAKT_ANALYSIS_STALLS_H

#include "traces/store.h"

enum { STALLS_MOST = 20 };

struct stall {
    const struct dep *dep;
    bool transfer;                     /* it held a transfer, not the stream */
    const struct store_transfer *sent; /* of a wait for a tag: the first of src; or NULL */
};

/* The `most` that waited longest; streams_first: those that held the stream before the others.
 * *count of them. Returns 0, or -1 when memory is out. */
int stalls_find(const struct store *store, bool streams_first, size_t most,
                struct stall list[STALLS_MOST], size_t *count);

#endif
