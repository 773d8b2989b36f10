#include "functional/big_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* From these sizes on: a mapping; huge pages. One of them can take the system longer to find than 512 small
 * ones, so that a table should need some. */
enum { MAPPED = BIG_MEMORY_MAPPED, HUGE = 8 * MAPPED };

static void advise(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (size >= HUGE)
        madvise(memory, size, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

void *big_memory_new(size_t size)
{
    if (size < MAPPED)
        return calloc(1, size);
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    advise(map, size);
    return map;
}

void *big_memory_touched(size_t size)
{
    void *memory = big_memory_new(size);
    return memory != NULL ? memset(memory, 0, size) : NULL;
}

void *big_memory_grow(void *memory, size_t size, size_t larger)
{
#ifdef MREMAP_MAYMOVE
    if (size >= MAPPED) {
        void *map = mremap(memory, size, larger, MREMAP_MAYMOVE);
        if (map == MAP_FAILED)
            return NULL;
        advise(map, larger);
        return map;
    }
#endif
    void *grown = big_memory_new(larger);
    if (grown == NULL)
        return NULL;
    if (size != 0)
        memcpy(grown, memory, size);
    big_memory_free(memory, size);
    return grown;
}

void big_memory_free(void *memory, size_t size)
{
    if (memory == NULL)
        return;
    if (size < MAPPED)
        free(memory);
    else
        munmap(memory, size);
}
