/* vector_lanes: the bodies. The including file defines LANES_TARGET, the target attribute of every
 * function; LANES_BODIES, the table; and LANES_NAME, its name. Loops over lanes have constant
 * bounds and write to copies: compilers vectorise them, and sources may overlap destinations. */
#include <string.h>

#include "functional/kelvin/vector_bodies.h"

/* GCC vectorises many of these loops only with a cost model, which -O2 does not use. */
#if defined(__GNUC__) && !defined(__clang__)
#define LANES_BODY LANES_TARGET __attribute__((optimize("O3")))
#else
#define LANES_BODY LANES_TARGET
#endif
#define LANES_FN static inline __attribute__((always_inline)) LANES_BODY

#define TYPE_S_b int8_t
#define TYPE_S_h int16_t
#define TYPE_S_w int32_t
#define TYPE_U_b uint8_t
#define TYPE_U_h uint16_t
#define TYPE_U_w uint32_t
/* Wide enough for products. */
#define WIDE_b  int32_t
#define WIDE_h  int32_t
#define WIDE_w  int64_t
#define UWIDE_b uint32_t
#define UWIDE_h uint32_t
#define UWIDE_w uint64_t
#define BITS_b  8
#define BITS_h  16
#define BITS_w  32
#define LEAST_S (-((int64_t)1 << (BITS - 1)))
#define MOST_S  (((int64_t)1 << (BITS - 1)) - 1)
#define LEAST_U 0
#define MOST_U  (((int64_t)1 << BITS) - 1)

/* Names used in rows of vector_lane.def; `wide`, `lane`, `least`, `most` are those of the body. */
#define MOST        most
#define HALF_ONE    ((wide)1 << (BITS - 1))
#define LESS(x, y)  ((x) < (wide)(y) ? (x) : (wide)(y))
#define AMOUNT(x)   ((wide)(lane)(x))
#define SATURATE(x) ((x) < least ? least : (x) > most ? most : (x))
/* Rounding adds half of the lowest bit that remains. */
#define RIGHT(x, n, round) (((x) + ((round) ? (wide)1 << (n) >> 1 : 0)) >> (n))
/* clang-format off */
#define LEFT(x, n)                                                                                 \
    ((x) > most >> (n) ? most : (x) < least >> (n) ? least : (x) * ((wide)1 << (n)))
/* clang-format on */

LANES_FN uint32_t lanes_reverse(uint32_t bits, uint32_t amount)
{
    const uint32_t masks[] = {0x55555555, 0x33333333, 0x0f0f0f0f, 0x00ff00ff, 0x0000ffff};
    for (unsigned i = 0; i < 5; i++) {
        const unsigned n = 1u << i;
        const uint32_t swapped = (bits & masks[i]) << n | (bits >> n & masks[i]);
        bits = amount & n ? swapped : bits;
    }
    return bits;
}

LANES_FN uint32_t lanes_count(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    return bits * 0x01010101 >> 24;
}

/* Leading zeros: smear the first 1 down, then count what is not below it. */
LANES_FN uint32_t lanes_leading(uint32_t bits)
{
    for (unsigned n = 1; n < 32; n *= 2)
        bits |= bits >> n;
    return 32 - lanes_count(bits);
}

/* clang-format off */
#define SAME_SIZE(family, step, sign, wide_type, size, value)                                      \
    static LANES_BODY void family##_##step##_##size(const struct kelvin_strip *s)                  \
    {                                                                                              \
        enum { BITS = BITS_##size };                                                               \
        typedef wide_type##_##size wide;                                                           \
        typedef TYPE_S_##size lane;                                                                \
        const wide least = (wide)LEAST_##sign, most = (wide)MOST_##sign;                           \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *x = &s->a[i], *y = &s->b[i * s->b_next];                  \
            union kelvin_register z;                                                               \
            for (unsigned l = 0; l < KELVIN_BYTES * 8 / BITS; l++) {                               \
                const wide a = (TYPE_##sign##_##size)x->size[l];                                   \
                const wide b = (TYPE_##sign##_##size)y->size[l];                                   \
                const wide d = (TYPE_##sign##_##size)s->d[i].size[l];                              \
                (void)a, (void)b, (void)d, (void)least, (void)most, (void)(lane)0;                 \
                z.size[l] = (TYPE_U_##size)(value);                                                \
            }                                                                                      \
            s->d[i] = z;                                                                           \
        }                                                                                          \
    }
#define SAME(family, step, sign, wide, value)                                                      \
    SAME_SIZE(family, step, sign, wide, b, value)                                                  \
    SAME_SIZE(family, step, sign, wide, h, value)                                                  \
    SAME_SIZE(family, step, sign, wide, w, value)

#define PAIR_SIZE(family, step, sign, wide, half, size, value)                                     \
    static LANES_BODY void family##_##step##_##size(const struct kelvin_strip *s)                  \
    {                                                                                              \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *x = &s->a[i], *y = &s->b[i * s->b_next];                  \
            union kelvin_register z[2];                                                            \
            for (unsigned k = 0; k < 2; k++)                                                       \
                for (unsigned l = 0; l < KELVIN_BYTES * 8 / BITS_##size; l++) {                    \
                    const wide##_##half a = (TYPE_##sign##_##half)x->half[2 * l + k];              \
                    const wide##_##half b = (TYPE_##sign##_##half)y->half[2 * l + k];              \
                    z[k].size[l] = (TYPE_U_##size)(value);                                         \
                }                                                                                  \
            s->d[i] = z[0];                                                                        \
            s->d[i + s->strips] = z[1];                                                            \
        }                                                                                          \
    }
#define PAIR(family, step, sign, wide, value)                                                      \
    PAIR_SIZE(family, step, sign, wide, b, h, value)                                               \
    PAIR_SIZE(family, step, sign, wide, h, w, value)

#define HALF_SIZE(family, step, sign, wide, half, size, value)                                     \
    static LANES_BODY void family##_##step##_##size(const struct kelvin_strip *s)                  \
    {                                                                                              \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *x = &s->a[i];                                             \
            union kelvin_register z;                                                               \
            for (unsigned l = 0; l < KELVIN_BYTES * 8 / BITS_##size; l++) {                        \
                const wide##_##half a = (TYPE_##sign##_##half)x->half[2 * l];                      \
                const wide##_##half b = (TYPE_##sign##_##half)x->half[2 * l + 1];                  \
                z.size[l] = (TYPE_U_##size)(value);                                                \
            }                                                                                      \
            s->d[i] = z;                                                                           \
        }                                                                                          \
    }
#define HALF(family, step, sign, wide, value)                                                      \
    HALF_SIZE(family, step, sign, wide, b, h, value)                                               \
    HALF_SIZE(family, step, sign, wide, h, w, value)

/* The shift amount comes from the corresponding lane of the second source; its low bits count.
 * Lanes of the destination are interleaved from the sources, four of them in the order 0, 2, 1, 3:
 * like narrowing by two, twice. */
#define NARROW_SIZE(family, step, sign, sources, source, size)                                     \
    static LANES_BODY void family##_##step##_##size(const struct kelvin_strip *s)                  \
    {                                                                                              \
        enum { BITS = BITS_##size };                                                               \
        typedef WIDE_##source wide;                                                                \
        const wide least = (wide)LEAST_##sign, most = (wide)MOST_##sign;                           \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *y = &s->b[i * s->b_next];                                 \
            union kelvin_register z;                                                               \
            for (unsigned k = 0; k < (sources); k++) {                                             \
                const unsigned at = (sources) == 4 ? k >> 1 | (k & 1) << 1 : k;                    \
                const union kelvin_register *x = &s->a[i + at * s->strips];                        \
                for (unsigned l = 0; l < KELVIN_BYTES * 8 / BITS_##source; l++) {                  \
                    const wide n = y->source[l] & (BITS_##source - 1);                             \
                    const wide from = (TYPE_##sign##_##source)x->source[l];                        \
                    const wide a = RIGHT(from, n, (step) & 2);                                     \
                    z.size[(sources) * l + k] = (TYPE_U_##size)SATURATE(a);                        \
                }                                                                                  \
            }                                                                                      \
            s->d[i] = z;                                                                           \
        }                                                                                          \
    }
#define NARROW(family, step, sign, sources) NARROW_##sources(family, step, sign)
#define NARROW_2(family, step, sign)                                                               \
    NARROW_SIZE(family, step, sign, 2, h, b)                                                       \
    NARROW_SIZE(family, step, sign, 2, w, h)
#define NARROW_4(family, step, sign) NARROW_SIZE(family, step, sign, 4, w, b)
/* clang-format on */

#include "functional/kelvin/vector_lane.def"

/* clang-format off */
#define ACCUMULATE(step, sign, half, size)                                                         \
    static LANES_BODY void vacc_##step##_##size(const struct kelvin_strip *s)                      \
    {                                                                                              \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *y = &s->b[i * s->b_next];                                 \
            union kelvin_register z[2] = {s->a[i], s->a[i + s->strips]};                           \
            for (unsigned k = 0; k < 2; k++)                                                       \
                for (unsigned l = 0; l < KELVIN_BYTES * 8 / BITS_##size; l++) {                    \
                    const TYPE_S_##size more = (TYPE_##sign##_##half)y->half[2 * l + k]; \
                    z[k].size[l] = (TYPE_U_##size)(z[k].size[l] + (TYPE_U_##size)more);            \
                }                                                                                  \
            s->d[i] = z[0];                                                                        \
            s->d[i + s->strips] = z[1];                                                            \
        }                                                                                          \
    }
ACCUMULATE(0, S, b, h)
ACCUMULATE(0, S, h, w)
ACCUMULATE(1, U, b, h)
ACCUMULATE(1, U, h, w)
/* clang-format on */

/* The registers of the first source, then those of the second. */
LANES_FN void both_sources(const struct kelvin_strip *s, union kelvin_register *from)
{
    for (unsigned i = 0; i < s->strips; i++) {
        from[i] = s->a[i];
        from[i + s->strips] = s->b[i * s->b_next];
    }
}

/* clang-format off */
/* The registers of an operand form one long vector. Even or odd lanes of the first source, then of
 * the second; and the inverse. Sources are copied first because they may be destinations. */
#define EVERY_OTHER(size)                                                                          \
    LANES_FN void every_other_##size(union kelvin_register *d, const union kelvin_register *from,  \
                                     unsigned strips, unsigned odd)                                \
    {                                                                                              \
        enum { LANES = KELVIN_BYTES * 8 / BITS_##size };                                           \
        for (unsigned i = 0; i < strips; i++)                                                      \
            for (unsigned l = 0; l < LANES; l++)                                                   \
                d[i].size[l] = from[2 * i + l / (LANES / 2)].size[2 * (l % (LANES / 2)) + odd];    \
    }                                                                                              \
    static LANES_BODY void vevn_##size(const struct kelvin_strip *s)                               \
    {                                                                                              \
        union kelvin_register from[2 * KELVIN_STRIPS];                                             \
        both_sources(s, from);                                                                     \
        every_other_##size(s->d, from, s->strips, 0);                                              \
    }                                                                                              \
    static LANES_BODY void vodd_##size(const struct kelvin_strip *s)                               \
    {                                                                                              \
        union kelvin_register from[2 * KELVIN_STRIPS];                                             \
        both_sources(s, from);                                                                     \
        every_other_##size(s->d, from, s->strips, 1);                                              \
    }                                                                                              \
    static LANES_BODY void vevnodd_##size(const struct kelvin_strip *s)                            \
    {                                                                                              \
        union kelvin_register from[2 * KELVIN_STRIPS];                                             \
        both_sources(s, from);                                                                     \
        every_other_##size(s->d, from, s->strips, 0);                                              \
        every_other_##size(s->d + s->strips, from, s->strips, 1);                                  \
    }                                                                                              \
    static LANES_BODY void vzip_##size(const struct kelvin_strip *s)                               \
    {                                                                                              \
        enum { LANES = KELVIN_BYTES * 8 / BITS_##size };                                           \
        union kelvin_register from[2 * KELVIN_STRIPS];                                             \
        both_sources(s, from);                                                                     \
        for (unsigned i = 0; i < s->strips; i++) {                                                 \
            const union kelvin_register *x = &from[i], *y = &from[i + s->strips];                  \
            for (unsigned k = 0; k < 2; k++)                                                       \
                for (unsigned l = 0; l < LANES / 2; l++) {                                         \
                    s->d[2 * i + k].size[2 * l] = x->size[k * LANES / 2 + l];                      \
                    s->d[2 * i + k].size[2 * l + 1] = y->size[k * LANES / 2 + l];                  \
                }                                                                                  \
        }                                                                                          \
    }
EVERY_OTHER(b)
EVERY_OTHER(h)
EVERY_OTHER(w)
/* clang-format on */

static LANES_BODY void vmvp(const struct kelvin_strip *s)
{
    for (unsigned i = 0; i < s->strips; i++) {
        const union kelvin_register x = s->a[i], y = s->b[i * s->b_next];
        s->d[i] = x;
        s->d[i + s->strips] = y;
    }
}

/* Lanes from byte `slide` on of the first source, followed by the second. */
static LANES_BODY void slide_next(const struct kelvin_strip *s)
{
    for (unsigned i = 0; i < s->strips; i++) {
        const union kelvin_register both[2] = {s->a[i], s->b[i * s->b_next]};
        memcpy(&s->d[i], both[0].b + s->slide, KELVIN_BYTES);
    }
}

static LANES_BODY void slide_next_block(const struct kelvin_strip *s)
{
    union kelvin_register both[KELVIN_STRIPS + 1];
    memcpy(both, s->a, sizeof *both * KELVIN_STRIPS);
    both[KELVIN_STRIPS] = s->b[0];
    memcpy(s->d, both[0].b + s->slide, sizeof *both * KELVIN_STRIPS);
}

/* The last `slide` bytes of the first source, followed by the second. */
static LANES_BODY void slide_previous(const struct kelvin_strip *s)
{
    for (unsigned i = 0; i < s->strips; i++) {
        const union kelvin_register both[2] = {s->a[i], s->b[i * s->b_next]};
        memcpy(&s->d[i], both[1].b - s->slide, KELVIN_BYTES);
    }
}

static LANES_BODY void slide_previous_block(const struct kelvin_strip *s)
{
    union kelvin_register both[KELVIN_STRIPS + 1];
    both[0] = s->a[KELVIN_STRIPS - 1];
    for (unsigned i = 0; i < KELVIN_STRIPS; i++)
        both[i + 1] = s->b[i * s->b_next];
    memcpy(s->d, both[1].b - s->slide, sizeof *both * KELVIN_STRIPS);
}

/* Byte n of the result of two narrowing steps comes from register n mod 4 (in the order 0, 2, 1,
 * 3), lane n / 4. aconv stores row r, column c of its 8 x 8 sums where byte 8 r + c comes from;
 * four rows are in four registers. */
static const unsigned char lanes_order[KELVIN_STRIPS] = {0, 2, 1, 3};

LANES_FN void lanes_extend(int16_t to[KELVIN_BYTES], const union kelvin_register *from,
                           const struct kelvin_products *p, unsigned source)
{
    const int sign = p->sign[source] ? 0x80 : 0, bias = p->bias[source];
    for (unsigned i = 0; i < KELVIN_BYTES; i++)
        to[i] = (int16_t)((from->b[i] ^ sign) - sign + bias);
}

typedef uint32_t lanes_words __attribute__((vector_size(KELVIN_BYTES)));

/* Byte k of each word, extended to a word. */
LANES_FN void lanes_byte(lanes_words *to, const union kelvin_register *from, unsigned k,
                         const struct kelvin_products *p, unsigned source)
{
    const uint32_t flip = p->sign[source] ? 0x80 : 0;
    lanes_words words;
    memcpy(&words, from, sizeof words);
    *to = ((words >> 8 * k & 0xff) ^ flip) - flip + (uint32_t)p->bias[source];
}

static LANES_BODY void aconv(union kelvin_register accum[KELVIN_WORDS],
                             const struct kelvin_products *p)
{
    lanes_words sums[KELVIN_WORDS] = {{0}}; /* of a row */
    for (unsigned k = 0; k < 4; k++) {
        lanes_words narrow[KELVIN_WORDS];
        for (unsigned row = 0; row < KELVIN_WORDS; row++)
            lanes_byte(&narrow[row], &p->narrow[row], k, p, 0);
        for (unsigned i = 0; i < p->count; i++) {
            lanes_words wide;
            lanes_byte(&wide, &p->wide[i], k, p, 1);
            for (unsigned row = 0; row < KELVIN_WORDS; row++)
                sums[row] += wide * narrow[row][p->start + i];
        }
    }
    for (unsigned row = 0; row < KELVIN_WORDS; row++)
        for (unsigned column = 0; column < KELVIN_WORDS; column++)
            accum[row / 4 * 4 + lanes_order[column % 4]].w[row % 4 * 2 + column / 4] +=
                sums[row][column];
}

static LANES_BODY void dwconv(union kelvin_register dwacc[KELVIN_STRIPS],
                              const struct kelvin_products *p)
{
    int32_t sums[KELVIN_BYTES] = {0};
    for (unsigned i = 0; i < 3; i++) {
        int16_t narrow[KELVIN_BYTES], wide[KELVIN_BYTES];
        lanes_extend(narrow, &p->narrow[i], p, 0);
        lanes_extend(wide, &p->wide[i], p, 1);
        for (unsigned n = 0; n < KELVIN_BYTES; n++)
            sums[n] += narrow[n] * wide[n];
    }
    for (unsigned k = 0; k < KELVIN_STRIPS; k++)
        for (unsigned l = 0; l < KELVIN_WORDS; l++)
            dwacc[lanes_order[k]].w[l] += (uint32_t)sums[4 * l + k];
}

/* clang-format off */
const struct kelvin_bodies LANES_BODIES = {
    .name = LANES_NAME,
    .lanes = {
#define SAME(family, step, ...)                                                                    \
    [KELVIN_##family][step] = {family##_##step##_b, family##_##step##_h, family##_##step##_w},
#define PAIR(family, step, ...)                                                                    \
    [KELVIN_##family][step] = {NULL, family##_##step##_h, family##_##step##_w},
#define HALF(family, step, ...) PAIR(family, step, )
#undef NARROW_2
#undef NARROW_4
#define NARROW_2(family, step, sign)                                                               \
    [KELVIN_##family][step] = {family##_##step##_b, family##_##step##_h, NULL},
#define NARROW_4(family, step, sign) [KELVIN_##family][step] = {family##_##step##_b, NULL, NULL},
#define NARROW(family, step, sign, sources) NARROW_##sources(family, step, sign)
#include "functional/kelvin/vector_lane.def"
        [KELVIN_vacc] = {{NULL, vacc_0_h, vacc_0_w}, {NULL, vacc_1_h, vacc_1_w}},
        [KELVIN_vmvp] = {{vmvp, vmvp, vmvp}},
        [KELVIN_vevn] = {{vevn_b, vevn_h, vevn_w}},
        [KELVIN_vodd] = {{vodd_b, vodd_h, vodd_w}},
        [KELVIN_vevnodd] = {{vevnodd_b, vevnodd_h, vevnodd_w}},
        [KELVIN_vzip] = {{vzip_b, vzip_h, vzip_w}},
#define SLIDE(body) {{body, body, body}, {body, body, body}, {body, body, body}, {body, body, body}}
        [KELVIN_vsliden] = SLIDE(slide_next),
        [KELVIN_vslidevn] = SLIDE(slide_next),
        [KELVIN_vslidehn] = SLIDE(slide_next_block),
        [KELVIN_vslidep] = SLIDE(slide_previous),
        [KELVIN_vslidevp] = SLIDE(slide_previous),
        [KELVIN_vslidehp] = SLIDE(slide_previous_block),
    },
    .aconv = aconv,
    .dwconv = dwconv,
};
/* clang-format on */
