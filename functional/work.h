/*
 * work: what one executed statement does. The functional core of a machine makes it, the timing of
 * that machine reads it, and neither values nor cycle numbers are part of it.
 *
 *   program, statement --<machine>_work--> struct work --> units, scoreboards and memories
 *
 *   reads, writes   spans of places. A read span holds every place whose contents can change what
 *                   the statement does; a write span every place that it may change. What depends
 *                   on the run (masks, base registers) makes them larger, never smaller. A place
 *                   that is written in part keeps the rest: that alone does not make it a read.
 *   addresses       what the memory system sees, in the order of access, in the machine's unit
 *
 * The arrays stand in storage that the caller gives, and are valid until it is filled again.
 * Spaces, ports, operations and units of count are enumerated in functional/<machine>/work.h.
 */
#ifndef TAKT_FUNCTIONAL_WORK_H
#define TAKT_FUNCTIONAL_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_END UINT32_MAX /* no statement follows */

/* Places [first, first + count) of each instance in set; a span never wraps around. */
struct span {
    uint16_t space;
    uint8_t port; /* through which port of the space; 0 when it has one alone */
    uint8_t when; /* bit i: in cycle i of the statement */
    uint64_t set; /* bit i: instance (or register) i; 0 when the space has one alone */
    uint32_t first, count;
};

struct work {
    uint32_t stream;    /* instruction stream that executes it */
    uint32_t statement; /* item of the program */
    uint32_t operation;
    const struct span *reads;
    size_t read_count;
    const struct span *writes;
    size_t write_count;
    const uint64_t *addresses;
    size_t address_count;
    uint32_t next; /* statement that follows in this stream, WORK_END at its end */
};

/* Whether two spans have a place in common. */
static inline bool span_meets(const struct span *a, const struct span *b)
{
    return a->space == b->space && (!a->set || !b->set || (a->set & b->set)) &&
           a->first < (uint64_t)b->first + b->count && b->first < (uint64_t)a->first + a->count;
}

#endif
