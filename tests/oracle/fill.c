#include "tests/oracle/fill.h"

unsigned fill_below(struct dice *fill, unsigned limit)
{
    return (unsigned)((dice_next(fill) >> 32) * limit >> 32);
}

bool fill_chance(struct dice *fill, unsigned in)
{
    return fill_below(fill, in) == 0;
}

uint64_t fill_mantissa(struct dice *fill, unsigned bits)
{
    const uint64_t ones = (UINT64_C(1) << bits) - 1;
    const uint64_t random = dice_next(fill) & ones;
    const unsigned place = fill_below(fill, bits);
    switch (fill_below(fill, 12)) {
    case 0:
        return 0;
    case 1:
        return ones;
    case 2:
        return UINT64_C(1) << place;
    case 3:
        return ones ^ UINT64_C(1) << place;
    case 4: /* ones down to a position */
        return ones & ~((UINT64_C(1) << place) - 1);
    case 5: /* ones below a position */
        return (UINT64_C(1) << place) - 1;
    case 6: /* random above, zeros below */
        return random & ~((UINT64_C(1) << place) - 1);
    case 7: /* a single bit, and one at the end */
        return (UINT64_C(1) << place) | 1;
    case 8: /* ones down to a position, then random */
        return (ones & ~((UINT64_C(1) << place) - 1)) | random;
    default:
        return random;
    }
}

unsigned fill_exponent(struct dice *fill, const struct format *format)
{
    const unsigned top = oracle_exponent_max(format), bias = (unsigned)oracle_bias(format);
    const unsigned little = fill_below(fill, 4);
    switch (fill_below(fill, 12)) {
    case 0:
        return little;
    case 1:
        return top - little;
    case 2: /* two such factors give a product near the smallest: half of the bias */
        return bias / 2 + little;
    case 3: /* the same near the largest */
        return bias + bias / 2 + little - 1;
    case 4:
        return bias + format->mantissa + little - 2;
    case 5:
        return bias - format->mantissa + little - 2;
    case 6:
    case 7:
    case 8:
    case 9:
        return bias + little - 2;
    default:
        return fill_below(fill, top + 1);
    }
}

uint64_t fill_float(struct dice *fill, const struct format *format)
{
    const unsigned choice = fill_below(fill, 16);
    if (choice == 0)
        return dice_next(fill) >> (64 - format->bits);
    unsigned exponent = fill_exponent(fill, format);
    if (choice == 1)
        exponent = 0;
    if (choice == 2 && fill_chance(fill, 2))
        exponent = oracle_exponent_max(format);
    return oracle_pack(format, fill_below(fill, 2), exponent,
                       fill_mantissa(fill, format->mantissa));
}

uint64_t fill_near(struct dice *fill, const struct format *format, unsigned exponent,
                   unsigned spread)
{
    unsigned down = fill_chance(fill, 3) ? 0 : fill_below(fill, spread + 1);
    if (fill_chance(fill, 16))
        down = exponent; /* a zero */
    return oracle_pack(format, fill_below(fill, 2), down > exponent ? 0 : exponent - down,
                       fill_mantissa(fill, format->mantissa));
}

uint64_t fill_integer(struct dice *fill, unsigned bits)
{
    const uint64_t ones = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const uint64_t random = dice_next(fill) & ones, little = fill_below(fill, 3);
    switch (fill_below(fill, 10)) {
    case 0:
        return little;
    case 1:
        return ones - little;
    case 2: /* around the sign change */
        return (UINT64_C(1) << (bits - 1)) - 1 + little;
    case 3:
        return UINT64_C(1) << fill_below(fill, bits);
    case 4: /* shift amounts around the length and its double */
        return (bits - 1 + little) & ones;
    case 5:
        return (2 * bits - 1 + little) & ones;
    case 6:
        return fill_below(fill, 2 * bits);
    case 7: /* a shift amount under bits that are ignored */
        return ((random & ~(uint64_t)(2 * bits - 1)) | fill_below(fill, 2 * bits)) & ones;
    default:
        return random;
    }
}

uint64_t fill_long(struct dice *fill, const struct format *format, unsigned bits)
{
    uint64_t all = 0;
    for (unsigned i = 0; i < 64 / bits; i++)
        all |= oracle_place(format ? fill_float(fill, format) : fill_integer(fill, bits), bits, i);
    return all;
}
