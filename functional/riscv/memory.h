/*
 * memory: the bytes that a RISC-V core sees, little-endian, at addresses [base, base + size).
 *
 *   address --riscv_memory_read--> bytes, or false: some of them lie outside
 *
 * Any alignment. An access that lies outside, in part or as a whole, does nothing and is false:
 * what that means (a trap, a fault of the run) is the core's to say. An access does not wrap around
 * at the end of the addresses.
 */
#ifndef TAKT_FUNCTIONAL_RISCV_MEMORY_H
#define TAKT_FUNCTIONAL_RISCV_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct riscv_memory {
    uint8_t *bytes;
    uint32_t base, size;
};

/* Whether [address, address + count) lies in it; no bytes do everywhere. */
static inline bool riscv_memory_has(const struct riscv_memory *memory, uint32_t address,
                                    uint32_t count)
{
    return !count || (count <= memory->size && address - memory->base <= memory->size - count);
}

static inline bool riscv_memory_read(const struct riscv_memory *memory, uint32_t address, void *to,
                                     uint32_t count)
{
    if (!riscv_memory_has(memory, address, count))
        return false;
    memcpy(to, memory->bytes + (address - memory->base), count);
    return true;
}

static inline bool riscv_memory_write(struct riscv_memory *memory, uint32_t address,
                                      const void *from, uint32_t count)
{
    if (!riscv_memory_has(memory, address, count))
        return false;
    memcpy(memory->bytes + (address - memory->base), from, count);
    return true;
}

/* A number of `count` bytes, 1 to 4, zero-extended. */
static inline bool riscv_memory_load(const struct riscv_memory *memory, uint32_t address,
                                     uint32_t count, uint32_t *value)
{
    if (!riscv_memory_has(memory, address, count))
        return false;
    const uint8_t *at = memory->bytes + (address - memory->base);
    uint32_t bits = 0;
    for (uint32_t i = 0; i < count; i++)
        bits |= (uint32_t)at[i] << 8 * i;
    *value = bits;
    return true;
}

/* The low bytes of a number. */
static inline bool riscv_memory_store(struct riscv_memory *memory, uint32_t address, uint32_t count,
                                      uint32_t value)
{
    if (!riscv_memory_has(memory, address, count))
        return false;
    uint8_t *at = memory->bytes + (address - memory->base);
    for (uint32_t i = 0; i < count; i++)
        at[i] = (uint8_t)(value >> 8 * i);
    return true;
}

#endif
