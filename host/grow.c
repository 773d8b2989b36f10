#include "host/grow.h"

#include <stdint.h>
#include <stdlib.h>

#include "host/big_memory.h"
#include "host/failure.h"

enum { FIRST = 16, FIRST_BIG = 512 };

/* Capacity for `needed` items, at least twice the old one; 0 if the size overflows. */
static size_t larger(size_t capacity, size_t needed, size_t size, size_t first)
{
    const size_t most = SIZE_MAX / 2 / size;
    if (needed > most || capacity > most / 2)
        return 0;
    const size_t twice = capacity < first / 2 ? first : 2 * capacity;
    return needed > twice ? needed : twice;
}

void *grow_more(void *items, size_t *capacity, size_t needed, size_t size)
{
    const size_t room = larger(*capacity, needed, size, FIRST);
    void *grown = room ? realloc(items, room * size) : NULL;
    if (grown)
        *capacity = room;
    else
        failure_note("out of memory");
    return grown;
}

void *grow_big_more(void *items, size_t *capacity, size_t needed, size_t size)
{
    const size_t room = larger(*capacity, needed, size, FIRST_BIG);
    void *grown = room ? big_memory_grow(items, *capacity * size, room * size) : NULL;
    if (grown)
        *capacity = room;
    else
        failure_note("out of memory");
    return grown;
}
