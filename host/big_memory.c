#include "host/big_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "host/failure.h"

/* Small pages, without a hint for huge ones: in a virtual machine that returns free memory to its
 * host, allocating a huge page takes longer than reusing 512 recently freed small ones. */
enum { MAPPED = BIG_MEMORY_MAPPED };

static void *mapped(void *map)
{
    return failure_memory(map == MAP_FAILED ? NULL : map);
}

void *big_memory_new(size_t size)
{
    if (size < MAPPED)
        return calloc(1, size);
    void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mapped(map);
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
        return mapped(map);
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
