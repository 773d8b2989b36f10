/*
 * hash: the same on every host. For files, states and tables; not cryptographic.
 *
 *   hash = hash_bytes(HASH_START, a, a_size);         FNV-1a of bytes
 *   hash = hash_bytes(hash, b, b_size);
 *   total += hash_place(place, memory[place]);        of a memory, in any order
 */
#ifndef TAKT_HOST_HASH_H
#define TAKT_HOST_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START  UINT64_C(0xcbf29ce484222325)
#define HASH_FACTOR UINT64_C(0x100000001b3)

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * HASH_FACTOR;
    return hash;
}

/* Spreads the bits of a number over all bits. */
static inline uint64_t hash_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Hash of a long word and its place; zeros add nothing, so that untouched memory can be skipped. */
static inline uint64_t hash_place(uint64_t place, uint64_t value)
{
    if (value == 0)
        return 0;
    uint64_t x = value ^ place * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
    x += place * 0xc2b2ae3d27d4eb4fu;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

#endif
