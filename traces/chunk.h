/*
 * chunk: up to 4096 intervals of one unit as bytes.
 *
 *   struct slice_item[] --chunk_encode--> bytes --chunk_decode--> struct slice_item[]
 *
 * The bytes are a row of operations, all numbers LEB128 varints:
 *
 *   [gap << 5 | reason << 1 | 0] [duration] [zigzag(stmt - previous stmt)]     one interval
 *   [distance << 1 | 1] [length]                     `length` operations again, as they stood
 *                                                    `distance` intervals before
 *
 * gap is the cycles between the end of the interval before and this start (the unit was idle). The
 * first interval counts from cycle 0 and statement 0, so that a chunk stands alone. Since all three
 * numbers are relative, a loop or straight-line code with a regular rhythm is one repetition.
 *
 * The steps of a stream are packed alike (chunk_encode_stream): an item with reason busy is a step,
 * its duration the number of its pattern, and the next gap counts from its start; any other is a hold,
 * as an interval.
 */
#ifndef TAKT_TRACES_CHUNK_H
#define TAKT_TRACES_CHUNK_H

#include <stddef.h>
#include <stdint.h>

enum {
    CHUNK_ITEMS = 4096,
    CHUNK_BYTES = CHUNK_ITEMS * 25 /* the longest that chunk_encode can write */
};

struct slice_item {
    uint64_t start, duration;
    uint32_t stmt;   /* NONE_ID: none */
    uint32_t reason; /* enum reason */
};

/* Items must be in order of start and must not overlap; count <= CHUNK_ITEMS. Returns the bytes
 * written to out[CHUNK_BYTES]. */
size_t chunk_encode(const struct slice_item *items, size_t count, uint8_t *out);

/* The same of steps and holds. */
size_t chunk_encode_stream(const struct slice_item *items, size_t count, uint8_t *out);

/* Returns 0 and *count items, or -1 when data is no chunk (items[CHUNK_ITEMS]). None of them ends
 * after cycle 2^63, so that a sum of two cycles fits. */
int chunk_decode(const uint8_t *data, size_t size, struct slice_item *items, size_t *count);
int chunk_decode_stream(const uint8_t *data, size_t size, struct slice_item *items, size_t *count);

#endif
