#include "functional/ventus/memory.h"

#include <stdlib.h>
#include <string.h>

#include "host/big_memory.h"
#include "host/grow.h"

int ventus_memory_add(struct ventus_memory *memory, uint32_t base, uint64_t size, uint32_t copies)
{
    size = size ? size : 1;
    if (size > (UINT64_C(1) << 32) - base || size > UINT32_MAX)
        return 1;
    for (size_t i = 0; i < memory->count; i++) {
        const struct ventus_piece *piece = &memory->pieces[i];
        if (base < (uint64_t)piece->base + piece->size && piece->base < base + size)
            return 1;
    }
    struct ventus_piece *pieces =
        grow(memory->pieces, &memory->capacity, memory->count + 1, sizeof *pieces);
    if (!pieces)
        return -1;
    memory->pieces = pieces;
    uint8_t *bytes = big_memory_new((size_t)size * copies);
    if (!bytes)
        return -1;
    pieces[memory->count++] = (struct ventus_piece){.base = base,
                                                    .size = (uint32_t)size,
                                                    .bytes = bytes,
                                                    .copies = bytes,
                                                    .room = (size_t)size * copies};
    return 0;
}

void ventus_memory_free(struct ventus_memory *memory)
{
    for (size_t i = 0; i < memory->count; i++)
        big_memory_free(memory->pieces[i].copies, memory->pieces[i].room);
    free(memory->pieces);
    *memory = (struct ventus_memory){.pieces = NULL};
}

void ventus_memory_copy(struct ventus_memory *to, const struct ventus_memory *from)
{
    for (size_t i = 0; i < to->count; i++)
        memcpy(to->pieces[i].copies, from->pieces[i].copies, from->pieces[i].room);
}

void ventus_memory_turn(struct ventus_memory *memory, uint32_t copy)
{
    for (size_t i = 0; i < memory->count; i++) {
        struct ventus_piece *p = &memory->pieces[i];
        if (((size_t)copy + 1) * p->size <= p->room)
            p->bytes = p->copies + (size_t)copy * p->size;
    }
}

void ventus_memory_remove(struct ventus_memory *memory, uint32_t base)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->count; i++)
        if (memory->pieces[i].base == base)
            big_memory_free(memory->pieces[i].copies, memory->pieces[i].room);
        else
            memory->pieces[kept++] = memory->pieces[i];
    memory->count = kept;
}

uint8_t *ventus_memory_at(const struct ventus_memory *memory, uint32_t address, uint32_t count)
{
    for (size_t i = 0; i < memory->count; i++) {
        const struct ventus_piece *p = &memory->pieces[i];
        if (address >= p->base && address - p->base < p->size)
            return count <= p->size - (address - p->base) ? p->bytes + (address - p->base) : NULL;
    }
    return NULL;
}

uint32_t ventus_memory_given(const struct ventus_memory *memory, uint32_t address)
{
    for (size_t i = 0; i < memory->count; i++) {
        const struct ventus_piece *p = &memory->pieces[i];
        if (address >= p->base && address - p->base < p->size)
            return p->given > address - p->base ? p->given - (address - p->base) : 0;
    }
    return 0;
}

void ventus_memory_give(struct ventus_memory *memory, uint32_t base, uint64_t size)
{
    for (size_t i = 0; i < memory->count; i++) {
        struct ventus_piece *p = &memory->pieces[i];
        if (base >= p->base && base - p->base < p->size && base - p->base + size > p->given)
            p->given = (uint32_t)(base - p->base + size);
    }
}
