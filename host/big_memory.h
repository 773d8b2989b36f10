/*
 * big_memory: memory for tables that grow with the program. Small ones come from the heap; large
 * ones are mapped, so that they grow without a copy.
 */
#ifndef TAKT_HOST_BIG_MEMORY_H
#define TAKT_HOST_BIG_MEMORY_H

#include <stddef.h>

/* From this size on memory is mapped: untouched pages cost nothing, and it grows without a copy. */
enum { BIG_MEMORY_MAPPED = 1 << 21 };

/* Zeroed memory of size bytes (more than 0), NULL when there is none. */
void *big_memory_new(size_t size);
/* The same, with every page written to. A page that is read first is mapped again when it is
 * written, in all threads: slow in a table that is looked up before it is filled. */
void *big_memory_touched(size_t size);
/* The same memory with `larger` bytes, the new ones zeroed; NULL when there is none, and then it
 * stays as it was. memory may be NULL with size 0. */
void *big_memory_grow(void *memory, size_t size, size_t larger);
/* size: that of the last call for this memory. NULL may be given. */
void big_memory_free(void *memory, size_t size);

#endif
