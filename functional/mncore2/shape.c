#include "functional/mncore2/shape.h"

#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/intern.h"

/* Bytes of an expression before its immediate: the operation and the number of operands. */
enum { HEAD_BYTES = offsetof(struct expr, imm) };
_Static_assert(HEAD_BYTES <= SHAPE_HEAD * sizeof(uint64_t) &&
                   offsetof(struct expr, out_count) < HEAD_BYTES,
               "the head of an expression is copied in words");
/* Bytes of an operand before its addresses. */
enum { OPERAND_BYTES = offsetof(struct operand, addr) };
_Static_assert(OPERAND_BYTES < sizeof(uint64_t) && sizeof(uint64_t) <= sizeof(struct operand),
               "an operand is a word of the key");

static uint64_t operand_word(const struct operand *operand)
{
    uint64_t word;
    memcpy(&word, operand, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word & ((UINT64_C(1) << 8 * OPERAND_BYTES) - 1);
#else
    return word >> 8 * (sizeof word - OPERAND_BYTES);
#endif
}

static uint32_t make_key(const struct step *step, uint64_t key[SHAPE_WORDS])
{
    uint32_t words = 0;
    key[words++] = step->nops | (uint64_t)step->wait << 32 | (uint64_t)step->mask_entry << 40 |
                   (uint64_t)step->mask_wide << 48 | (uint64_t)step->noforward << 49 |
                   (uint64_t)step->darw << 50 | (uint64_t)step->needs_flat << 51;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(step, group);
        if (expr == NULL)
            continue;
        key[words + SHAPE_HEAD - 1] = 0;
        memcpy(&key[words], expr, HEAD_BYTES);
        words += SHAPE_HEAD;
        for (unsigned i = 0; i < (unsigned)expr->in_count + expr->out_count; i++)
            key[words++] = operand_word(&expr->in[i]);
    }
    return words;
}

/* Two chains, since each multiplication waits for the previous one. */
static uint64_t hash_key(const uint64_t *key, uint32_t words)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t even = words, odd = 0;
    for (uint32_t i = 0; i + 1 < words; i += 2) {
        even = (even ^ key[i]) * factor;
        even ^= even >> 29;
        odd = (odd ^ key[i + 1]) * factor;
        odd ^= odd >> 31;
    }
    even = (even ^ key[words - 1]) * factor + odd;
    return (even ^ even >> 32) * factor;
}

static bool grow(struct shapes *shapes)
{
    const size_t larger = shapes->slot_count == 0 ? 64 : shapes->slot_count * 2;
    struct shape **slots = calloc(larger, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < shapes->slot_count; i++) {
        if (shapes->slots[i] == NULL)
            continue;
        size_t at = (shapes->slots[i]->hash >> 32) & (larger - 1);
        while (slots[at] != NULL)
            at = (at + 1) & (larger - 1);
        slots[at] = shapes->slots[i];
    }
    free(shapes->slots);
    shapes->slots = slots;
    shapes->slot_count = larger;
    return true;
}

/* True if the shape has the key being looked up. */
static bool same(const struct shapes *shapes, const struct shape *shape)
{
    uint64_t differ = shape->words ^ shapes->words;
    for (uint32_t i = 0; differ == 0 && i < shapes->words; i++)
        differ = shape->key[i] ^ shapes->key[i];
    return differ == 0;
}

/* The slot of the key being looked up, or the empty slot for it. */
static struct shape **slot_of(const struct shapes *shapes, uint64_t hash)
{
    const size_t last = shapes->slot_count - 1;
    size_t at = (hash >> 32) & last;
    while (shapes->slots[at] != NULL &&
           (shapes->slots[at]->hash != hash || !same(shapes, shapes->slots[at])))
        at = (at + 1) & last;
    return &shapes->slots[at];
}

const struct shape *mncore2_shape_of(struct shapes *shapes, struct pool *pool,
                                     const struct step *step)
{
    shapes->words = make_key(step, shapes->key);
    const uint64_t hash = hash_key(shapes->key, shapes->words);
    if ((size_t)shapes->count * 2 >= shapes->slot_count && !grow(shapes))
        return NULL;
    struct shape **slot = slot_of(shapes, hash);
    if (*slot != NULL)
        return *slot;
    const size_t size = shapes->words * sizeof shapes->key[0];
    struct shape *shape = mncore2_pool_take(pool, sizeof *shape + size);
    if (shape == NULL)
        return NULL;
    *shape = (struct shape){.hash = hash, .words = shapes->words, .number = ++shapes->count};
    memcpy(shape->key, shapes->key, size);
    return *slot = shape;
}

void mncore2_shapes_free(struct shapes *shapes)
{
    free(shapes->slots);
    *shapes = (struct shapes){0};
}
