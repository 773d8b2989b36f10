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

/* Where lines of a kind (timing/sink.h) have their statement, and the hash of its text
 * (dictionary_hash). */
struct kind_text {
    uint64_t hash;
    size_t at, length;
};

/* The ordinal of each of told->stmt_count statements. packed: of the same program; its count may be 0.
 * Then kinds, if it is not NULL, gets what was seen of told->kind_count kinds. Returns 0, or -1 when
 * memory is out. */
int ordinals_make(uint32_t *ordinals, const struct told *told, const struct packed *packed,
                  struct kind_text *kinds);

#endif
