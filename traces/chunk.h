/*
 * chunk: up to 4096 intervals of one unit as bytes.
 *
 *   interval --chunk_add*--> bytes --chunk_next*--> interval
 *
 * An interval is three LEB128 varints:
 *
 *   [gap << 5 | reason] [duration] [zigzag(stmt - stmt of the interval before)]
 *
 * gap is the cycles between the end of the interval before and this start (the unit was idle). The
 * first counts from cycle 0 and statement 0, so that a chunk is self-contained. A statement is
 * counted modulo 2^32, so that NONE_ID is -1.
 */
#ifndef TAKT_TRACES_CHUNK_H
#define TAKT_TRACES_CHUNK_H

#include <stddef.h>
#include <stdint.h>

enum { CHUNK_INTERVALS = 4096 };

struct chunk {
    uint8_t *data;
    size_t size, capacity;
    uint32_t count;
    uint32_t stmt;          /* of the last interval */
    uint64_t start, finish; /* of all of them */
};

struct chunk_interval {
    uint64_t start, duration;
    uint32_t stmt, reason;
};

/* In order of start, disjoint, at most CHUNK_INTERVALS. Returns 0, or -1 when memory is out. */
int chunk_add(struct chunk *chunk, const struct chunk_interval *interval);
/* Empty it, with its memory kept; free that. */
void chunk_clear(struct chunk *chunk);
void chunk_free(struct chunk *chunk);

struct chunk_reader {
    const uint8_t *at, *end;
    uint64_t cycle;
    uint32_t stmt;
};

struct chunk_reader chunk_read(const void *data, size_t size);
/* Returns 1 and an interval, 0 at the end, -1 when the bytes are not a chunk. No interval ends
 * after cycle 2^62. */
int chunk_next(struct chunk_reader *reader, struct chunk_interval *interval);

#endif
