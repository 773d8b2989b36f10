/*
 * search: the first of sorted rows that is not below what is wanted; `count` where all are below.
 *
 *   search_rows   by a comparison as for qsort
 *   search_u32    by a field of each row, at this offset
 */
#ifndef TAKT_HOST_SEARCH_H
#define TAKT_HOST_SEARCH_H

#include <stddef.h>
#include <stdint.h>

static inline size_t search_rows(const void *rows, size_t count, size_t size, const void *wanted,
                                 int (*compare)(const void *row, const void *wanted))
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare((const char *)rows + middle * size, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline size_t search_u32(const void *rows, size_t count, size_t size, size_t offset,
                                uint64_t wanted)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const void *field = (const char *)rows + middle * size + offset;
        if (*(const uint32_t *)field < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
