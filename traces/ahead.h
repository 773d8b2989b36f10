/*
 * ahead: what a trace needs of the program alone. Of a long program it is worked out in a thread of its
 * own while the program runs.
 *
 *   struct told --ahead_start--> thread --ahead_join--> hash, packed text, ordinals
 *
 * What comes out does not depend on the thread: without one, ahead_join does the work.
 */
#ifndef TAKT_TRACES_AHEAD_H
#define TAKT_TRACES_AHEAD_H

#include <pthread.h>
#include <stdbool.h>

#include "traces/ordinals.h"
#include "traces/packed.h"

struct ahead {
    struct told told;
    bool pack; /* the text, if its lines repeat */
    uint64_t hash;
    struct packed packed;
    uint32_t *ordinals; /* of each statement */
    size_t ordinal_bytes;
    struct kind_text *kinds; /* NULL: the text is packed, or nobody told kinds */
    size_t kind_bytes;
    int status;
    pthread_t thread;
    bool threaded, done;
};

/* told and what it points to have to stand until ahead_join or ahead_free. */
void ahead_start(struct ahead *ahead, const struct told *told, bool pack);
/* Returns 0, or -1 when memory is out. */
int ahead_join(struct ahead *ahead, const struct told *told);
void ahead_free(struct ahead *ahead);

#endif
