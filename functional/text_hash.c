#include "functional/text_hash.h"

#include <string.h>

enum { WORD = sizeof(uint64_t), WORDS = 8, ROUND = WORDS * WORD };

/* The first byte is the highest. */
static uint64_t word_at(const char *text)
{
    uint64_t word;
    memcpy(&word, text, WORD);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

uint64_t text_hash_shift(size_t size)
{
    uint64_t power = 1, square = 256;
    for (; size; size >>= 1) {
        if (size & 1)
            power = text_hash_reduce((text_hash_product)power * square);
        square = text_hash_reduce((text_hash_product)square * square);
    }
    return power;
}

struct text_hash text_hash_of(const char *text, size_t size)
{
    /* 2^64 is 59 modulo the prime: the words of a round are added with powers of it, and reduced together. */
    uint64_t powers[WORDS + 1] = {1};
    for (unsigned i = 0; i < WORDS; i++)
        powers[i + 1] = powers[i] * TEXT_HASH_REST;
    uint64_t value = 0;
    size_t at = 0;
    for (; size - at >= ROUND; at += ROUND) {
        text_hash_product sum = (text_hash_product)value * powers[WORDS];
        for (unsigned i = 0; i < WORDS; i++)
            sum += (text_hash_product)word_at(text + at + i * WORD) * powers[WORDS - 1 - i];
        value = text_hash_reduce(sum);
    }
    for (; at < size; at++)
        value = text_hash_reduce(((text_hash_product)value << 8) + (unsigned char)text[at]);
    return (struct text_hash){value, text_hash_shift(size)};
}

uint64_t text_hash_end(struct text_hash hash, size_t size)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t mixed = size;
    mixed = (mixed ^ hash.value % TEXT_HASH_PRIME) * factor;
    mixed ^= mixed >> 32;
    mixed *= factor;
    return mixed ^ mixed >> 32;
}
