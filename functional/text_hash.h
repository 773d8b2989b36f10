/*
 * text_hash: the hash of a text, which follows from those of its parts.
 *
 *   text --text_hash_of--> struct text_hash --text_hash_join*--> ... --text_hash_end--> 64 bits
 *
 * The bytes are the digits of a number to the base 256, the first one the highest; the hash is what is left of it
 * modulo 2^64 - 59, a prime. With the size of the text it is mixed at the end. So the hash of a text of a million lines
 * of which few are different takes a multiplication a line.
 */
#ifndef TAKT_FUNCTIONAL_TEXT_HASH_H
#define TAKT_FUNCTIONAL_TEXT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_HASH_PRIME (UINT64_MAX - 58)
enum { TEXT_HASH_REST = 59 }; /* 2^64 modulo the prime */

/* Both modulo the prime, or the prime more. */
struct text_hash {
    uint64_t value;
    uint64_t shift; /* 256 to the power of the size: what the parts before are multiplied by */
};

struct text_hash text_hash_of(const char *text, size_t size);
/* 256 to the power of size. */
uint64_t text_hash_shift(size_t size);
uint64_t text_hash_end(struct text_hash hash, size_t size);

__extension__ typedef unsigned __int128 text_hash_product;

static inline uint64_t text_hash_reduce(text_hash_product product)
{
    const text_hash_product once = (text_hash_product)(uint64_t)(product >> 64) * TEXT_HASH_REST + (uint64_t)product;
    const uint64_t more = (uint64_t)(once >> 64) * TEXT_HASH_REST, sum = (uint64_t)once + more;
    return sum < more ? sum + TEXT_HASH_REST : sum;
}

/* The text with the other behind it. */
static inline struct text_hash text_hash_join(struct text_hash a, struct text_hash b)
{
    return (struct text_hash){
        text_hash_reduce((text_hash_product)a.value * b.shift + b.value),
        text_hash_reduce((text_hash_product)a.shift * b.shift)};
}

#endif
