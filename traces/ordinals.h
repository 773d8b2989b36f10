/*
 * ordinals: how often the text of a statement stood before, from 1. With its text it is what a
 * statement is known by when lines move (stmt.uid).
 */
#ifndef TAKT_TRACES_ORDINALS_H
#define TAKT_TRACES_ORDINALS_H

#include <stddef.h>
#include <stdint.h>

#include "traces/packed.h"
#include "traces/told.h"

/* What statements have in common. */
struct alike {
    uint64_t hash;            /* of their text (dictionary_hash) */
    struct ordinal_slot *slot; /* while ordinals are made */
};

/* The same of lines of a kind (timing/sink.h), and where they have their statement. */
struct kind_text {
    struct alike alike;
    uint32_t at, length;
};

/* The ordinal of each of told->stmt_count statements. packed: of the same program; its count may be 0.
 * Then kinds, zeros if it is not NULL, gets what was seen of told->kind_count kinds. Returns 0, or -1 when
 * memory is out. */
int ordinals_make(uint32_t *ordinals, const struct told *told, const struct packed *packed,
                  struct kind_text *kinds);

#endif
