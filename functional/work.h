/*
 * work: the accesses of one executed statement. The functional core of a machine produces it and
 * the timing of that machine reads it. It contains neither values nor cycle numbers.
 *
 *   program, statement --<machine>_work--> struct work --> units, scoreboards and memories
 *
 *   reads, writes   spans of places. Read spans contain every place whose contents can affect the
 *                   statement; write spans contain every place that it may change. Where the run
 *                   decides (masks, base registers), spans are larger, never smaller. A partial
 *                   write of a place does not count as a read.
 *   addresses       addresses seen by the memory system, in access order, in the machine's unit
 *
 * The arrays are in the caller's storage and are valid until it is filled again. Spaces, ports,
 * operations and units of count are enumerated in functional/<machine>/work.h.
 */
#ifndef TAKT_FUNCTIONAL_WORK_H
#define TAKT_FUNCTIONAL_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_END UINT32_MAX /* no next statement */

/* Places [first, first + count) of each instance in set; a span never wraps. */
struct span {
    uint16_t space;
    uint8_t port; /* port of the space; 0 if it has only one */
    uint8_t when; /* bit i: in cycle i of the statement */
    uint64_t set; /* bit i: instance (or register) i; 0 if the space has only one */
    uint32_t first, count;
};

struct work {
    uint32_t stream;    /* instruction stream that executes the statement */
    uint32_t statement; /* item of the program */
    uint32_t operation;
    const struct span *reads;
    size_t read_count;
    const struct span *writes;
    size_t write_count;
    const uint64_t *addresses;
    size_t address_count;
    uint32_t next; /* next statement in this stream, WORK_END at its end */
};

/* True if two spans have a place in common. */
static inline bool span_meets(const struct span *a, const struct span *b)
{
    return a->space == b->space && (!a->set || !b->set || (a->set & b->set)) &&
           a->first < (uint64_t)b->first + b->count && b->first < (uint64_t)a->first + a->count;
}

#endif
