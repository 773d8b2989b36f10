/*
 * grow: arrays that grow by doubling.
 *
 *   if (!grow_list(&list->rows, &list->capacity, list->count + 1, sizeof *list->rows))
 *       return -1;                    list->rows is unchanged
 *   list->rows[list->count++] = row;
 */
#ifndef TAKT_HOST_GROW_H
#define TAKT_HOST_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The slow path of grow and grow_big. */
void *grow_more(void *items, size_t *capacity, size_t needed, size_t size);
void *grow_big_more(void *items, size_t *capacity, size_t needed, size_t size);

/* Returns the array with space for `needed` items of `size` bytes, and its capacity in *capacity.
 * NULL when memory is out or the size overflows; nothing has changed then. items may be NULL with
 * *capacity 0. Free with free(). */
static inline void *grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    return items && needed <= *capacity ? items : grow_more(items, capacity, needed, size);
}

/* The same for the array whose pointer, of whatever type, is at `list`. */
static inline bool grow_list(void *list, size_t *capacity, size_t needed, size_t size)
{
    void *items;
    memcpy(&items, list, sizeof items);
    items = grow(items, capacity, needed, size);
    if (items)
        memcpy(list, &items, sizeof items);
    return items;
}

/* As grow, with big_memory.h: new items are zero; free with big_memory_free(items, *capacity *
 * size). */
static inline void *grow_big(void *items, size_t *capacity, size_t needed, size_t size)
{
    return items && needed <= *capacity ? items : grow_big_more(items, capacity, needed, size);
}

#endif
