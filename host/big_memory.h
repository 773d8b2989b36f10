/* big_memory: memory for tables that grow with the program. Small tables are on the heap; large
 * ones are mapped, so that they grow without a copy. */
#ifndef TAKT_HOST_BIG_MEMORY_H
#define TAKT_HOST_BIG_MEMORY_H

#include <stddef.h>

/* Memory of at least this size is mapped: untouched pages cost nothing, and it grows without a
 * copy. */
enum { BIG_MEMORY_MAPPED = 1 << 21 };

/* Zeroed memory of size bytes (more than 0), or NULL. */
void *big_memory_new(size_t size);
/* The same, with every page touched. A page that is first read and then written is mapped twice,
 * which stalls all threads: slow for a table that is searched before it is filled. */
void *big_memory_touched(size_t size);
/* Grow the memory to `larger` bytes, the new ones zeroed. NULL on failure; the old memory is then
 * unchanged. memory may be NULL with size 0. */
void *big_memory_grow(void *memory, size_t size, size_t larger);
/* size: as in the last call for this memory. memory may be NULL. */
void big_memory_free(void *memory, size_t size);

#endif
