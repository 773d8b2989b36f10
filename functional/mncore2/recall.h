/*
 * recall: operands and opcodes found again by their text. Lines of generated programs differ, but
 * the operands in them are the same few thousand: looking sixteen bytes up costs less than reading
 * them.
 *
 * Whole expressions of one form are not checked again either (parse_quick.c).
 *
 *   text --recall_token--> struct recall_token --recall_operand, recall_opcode--> meaning, or none
 *
 * Only what was read without a finding is kept, and it means the same wherever it stands.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_RECALL_H
#define TAKT_FUNCTIONAL_MNCORE2_RECALL_H

#include <string.h>

#include "functional/mncore2/parse.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { RECALL_BYTES = 16, RECALL_SETS = 1 << 12, RECALL_WAYS = 2, RECALL_OPCODES = 1 << 8 };
enum { RECALL_FORMS = 1 << 9, FORM_OPERANDS = 6 };

/* A token of at most RECALL_BYTES bytes without brackets and quotes, filled up with zeros. */
struct recall_token {
    uint64_t first, second;
    size_t length; /* 0: the token is none */
};

struct recalled_operand {
    uint64_t first, second;
    struct operand operand;
    uint8_t entry, bits; /* of struct written, whose base is addr[0] */
};
_Static_assert(sizeof(struct recalled_operand) == 32, "a set is a cache line");

struct recalled_opcode {
    uint64_t first, second;
    const struct opcode *opcode;
    size_t letters; /* bytes of the token that are the opcode; what is attached follows */
};

/* What an opcode makes of operands that are given but for their addresses. */
struct form {
    uint64_t hash;
    const struct opcode *opcode;
    uint64_t head[FORM_OPERANDS]; /* all of each operand but its addresses */
    char expr[offsetof(struct expr, in)];
    uint8_t count, block; /* operands; which of them is L1BM, if rate is not 0 */
    uint16_t rate;        /* its long words a cycle, a power of two, which are its alignment */
};

struct recall {
    struct recalled_operand operands[RECALL_SETS][RECALL_WAYS]; /* the last one read first */
    struct recalled_opcode opcodes[RECALL_OPCODES];
    struct form forms[RECALL_FORMS];
};

/* The first of sixteen bytes that may end a token or make it a long one: below '#', or '['. */
static inline size_t recall_stop(const char *text)
{
#ifdef __SSE2__
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)text);
    const __m128i stops = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8('#')),
                                       _mm_cmpeq_epi8(bytes, _mm_set1_epi8('[')));
    return (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(stops) | 1u << RECALL_BYTES);
#else
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
    for (size_t at = 0; at < RECALL_BYTES; at += 8) {
        uint64_t word;
        memcpy(&word, text + at, sizeof word);
        const uint64_t open = word ^ ones * '[';
        const uint64_t stops = (((word - ones * '#') & ~word) | ((open - ones) & ~open)) & high;
        if (stops != 0) /* the lowest one is right */
            return at + (size_t)__builtin_ctzll(stops) / 8;
    }
    return RECALL_BYTES;
#endif
}

/* The token at text, which is no blank; it ends at a blank or at end. Up to limit may be read. */
static inline struct recall_token recall_token(const char *text, const char *end, const char *limit)
{
    struct recall_token token = {0, 0, 0};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (limit - text < RECALL_BYTES)
        return token;
    const size_t left = (size_t)(end - text), stop = recall_stop(text);
    const size_t length = stop < left ? stop : left;
    if (stop < left && (stop == RECALL_BYTES || !lex_is(text[stop], LEX_BLANK)))
        return token;
    /* No branch: lengths follow no pattern. */
    static const uint8_t keep[2 * RECALL_BYTES] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    uint64_t first, second;
    memcpy(&first, keep + RECALL_BYTES - length, 8);
    memcpy(&second, keep + RECALL_BYTES - length + 8, 8);
    memcpy(&token.first, text, 8);
    memcpy(&token.second, text + 8, 8);
    token.first &= first;
    token.second &= second;
    token.length = length;
#else
    (void)text, (void)end, (void)limit;
#endif
    return token;
}

static inline size_t recall_hash(struct recall_token token)
{
    const uint64_t hash =
        (token.first ^ token.second * UINT64_C(0xff51afd7ed558ccd)) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 52); /* the highest bits depend on every byte */
}

/* What the token meant; NULL when it is not known. */
static inline const struct recalled_operand *recall_operand(struct recall *recall,
                                                            struct recall_token token)
{
    const struct recalled_operand *known = recall->operands[recall_hash(token) % RECALL_SETS];
    /* No branch: which of the two it is cannot be predicted. */
    known += ((known[0].first ^ token.first) | (known[0].second ^ token.second)) != 0;
    return known->first == token.first && known->second == token.second ? known : NULL;
}

static inline struct written recall_written(const struct recalled_operand *known)
{
    const unsigned bits = known->bits;
    return (struct written){.mask = {.entry = known->entry,
                                     .present = (bits & 1) != 0,
                                     .wide = (bits & 2) != 0,
                                     .pad = (bits & 4) != 0,
                                     .truncate = (bits & 8) != 0},
                            .no_address = (bits & 16) != 0,
                            .l2b = (bits & 32) != 0,
                            .base = known->operand.addr[0]};
}

static inline void recall_keep(struct recall *recall, struct recall_token token,
                               const struct operand *operand, const struct written *written)
{
    struct recalled_operand *set = recall->operands[recall_hash(token) % RECALL_SETS];
    const unsigned bits = (written->mask.present ? 1u : 0) | (written->mask.wide ? 2u : 0) |
                          (written->mask.pad ? 4u : 0) | (written->mask.truncate ? 8u : 0) |
                          (written->no_address ? 16u : 0) | (written->l2b ? 32u : 0);
    if (written->base != operand->addr[0])
        return;
    set[1] = set[0];
    set[0] = (struct recalled_operand){.first = token.first,
                                       .second = token.second,
                                       .operand = *operand,
                                       .entry = written->mask.entry,
                                       .bits = (uint8_t)bits};
}

/* Where an opcode of this text is kept, if it is. */
static inline struct recalled_opcode *recall_opcode(struct recall *recall,
                                                    struct recall_token token)
{
    return &recall->opcodes[recall_hash(token) % RECALL_OPCODES];
}

#endif
