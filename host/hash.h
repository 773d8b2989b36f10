/*
 * hash: FNV-1a of bytes, the same on every host. For files, states and tables; not against somebody
 * who looks for equal hashes.
 *
 *   hash = hash_bytes(HASH_START, a, a_size);
 *   hash = hash_bytes(hash, b, b_size);
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

#endif
