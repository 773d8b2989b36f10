/*
 * memory: the little-endian memory of a RISC-V core: addresses [base, base + size), and further
 * ranges that are not adjacent.
 *
 *   address --riscv_memory_read--> bytes, or false if some of them are outside
 *
 * Any alignment is allowed. An access that is partly or completely outside does nothing and returns
 * false; the core decides what follows (a trap, an error). An access does not wrap at the end of
 * the address space and must be inside one range.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_MEMORY_H
#define TAKT_FUNCTIONAL_RISCV_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct riscv_memory {
    uint8_t *bytes;
    uint32_t base, size;
    const struct riscv_memory *more; /* the next range, or NULL */
};

/* The byte at an address if `count` bytes from there are in one range, else NULL. */
static inline uint8_t *riscv_memory_at(const struct riscv_memory *memory, uint32_t address,
                                       uint32_t count)
{
    for (; memory; memory = memory->more)
        if (count <= memory->size && address - memory->base <= memory->size - count)
            return memory->bytes + (address - memory->base);
    return NULL;
}

/* True if [address, address + count) is in memory; true for count 0 anywhere. */
static inline bool riscv_memory_has(const struct riscv_memory *memory, uint32_t address,
                                    uint32_t count)
{
    return !count || riscv_memory_at(memory, address, count);
}

static inline bool riscv_memory_read(const struct riscv_memory *memory, uint32_t address, void *to,
                                     uint32_t count)
{
    const uint8_t *at = riscv_memory_at(memory, address, count);
    if (at && count)
        memcpy(to, at, count);
    return at || !count;
}

static inline bool riscv_memory_write(struct riscv_memory *memory, uint32_t address,
                                      const void *from, uint32_t count)
{
    uint8_t *at = riscv_memory_at(memory, address, count);
    if (at && count)
        memcpy(at, from, count);
    return at || !count;
}

/* Load `count` bytes, 1 to 4, zero-extended. */
static inline bool riscv_memory_load(const struct riscv_memory *memory, uint32_t address,
                                     uint32_t count, uint32_t *value)
{
    const uint8_t *at = riscv_memory_at(memory, address, count);
    if (!at)
        return false;
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint32_t)at[i] << 8 * i;
    *value = bits;
    return true;
}

/* Store the low `count` bytes of a number. */
static inline bool riscv_memory_store(struct riscv_memory *memory, uint32_t address, uint32_t count,
                                      uint32_t value)
{
    uint8_t *at = riscv_memory_at(memory, address, count);
    if (!at)
        return false;
    for (uint32_t i = 0; i < count; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    return true;
}

#endif
