/*
 * grow: arrays that grow by doubling.
 *
 *   struct row *rows = grow(list->rows, &list->capacity, list->count + 1, sizeof *rows);
 *   if (rows == NULL)
 *       return -1;                    list->rows is as it was
 *   list->rows = rows;
 */
#ifndef TAKT_HOST_GROW_H
#define TAKT_HOST_GROW_H

#include <stddef.h>

/* What grow and grow_big do when there is no room. */
void *grow_more(void *items, size_t *capacity, size_t needed, size_t size);
void *grow_big_more(void *items, size_t *capacity, size_t needed, size_t size);

/* The array with room for `needed` items of `size` bytes, and how many fit in *capacity. NULL when
 * there is no memory or the size would overflow; then nothing has changed. items may be NULL with
 * *capacity 0. To be freed by free(). */
static inline void *grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    return items && needed <= *capacity ? items : grow_more(items, capacity, needed, size);
}

/* The same by big_memory.h: new items are zero; big_memory_free(items, *capacity * size) frees
 * them. */
static inline void *grow_big(void *items, size_t *capacity, size_t needed, size_t size)
{
    return items && needed <= *capacity ? items : grow_big_more(items, capacity, needed, size);
}

#endif
