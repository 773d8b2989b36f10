#include "tests/kelvin/scalar.h"

int64_t scalar_sign(uint32_t a)
{
    return a < UINT32_C(0x80000000) ? (int64_t)a : (int64_t)a - (INT64_C(1) << 32);
}

/* Low 32 bits of an exact number. */
static uint32_t low(int64_t a)
{
    const int64_t size = INT64_C(1) << 32;
    return (uint32_t)(((a % size) + size) % size);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return (a - ((a % b) + b) % b) / b;
}

/* High half of the product of a and an unsigned b, by 16-bit digits. */
static uint32_t high(int64_t a, uint32_t b)
{
    const int64_t small = floor_of(a * (int64_t)(b % 65536), 65536),
                  large = a * (int64_t)(b / 65536);
    return low(floor_of(small + large, 65536));
}

const char *const scalar_names[SCALAR_NAMES] = {"add",    "sub",   "sll", "slt",  "sltu", "xor",
                                                "srl",    "sra",   "or",  "and",  "mul",  "mulh",
                                                "mulhsu", "mulhu", "div", "divu", "rem",  "remu"};

static uint32_t bitwise(unsigned name, uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (uint32_t bit = 1; bit; bit *= 2) {
        const unsigned ones = (a / bit % 2) + (b / bit % 2);
        if (name == 5 ? ones == 1 : name == 8 ? ones > 0 : ones == 2)
            sum += bit;
    }
    return sum;
}

/* The manual's tables, in exact numbers. */
uint32_t scalar_value(unsigned name, uint32_t a, uint32_t b)
{
    const int64_t sa = scalar_sign(a), sb = scalar_sign(b), ua = a, ub = b,
                  power = INT64_C(1) << b % 32;
    switch (name) {
    case 0:
        return low(ua + ub);
    case 1:
        return low(ua - ub);
    case 2:
        return low(ua * power);
    case 3:
        return sa < sb;
    case 4:
        return ua < ub;
    case 5:
    case 8:
    case 9:
        return bitwise(name, a, b);
    case 6:
        return low(ua / power);
    case 7:
        return low(floor_of(sa, power));
    case 10:
        return low(low(ua * (ub % 65536)) + low(ua * (ub / 65536) % 65536 * 65536));
    case 11:
        return low((int64_t)high(sa, b) - (sb < 0 ? sa : 0));
    case 12:
        return high(sa, b);
    case 13:
        return high(ua, b);
    case 14:
        return sb ? low(sa / sb) : UINT32_MAX;
    case 15:
        return ub ? low(ua / ub) : UINT32_MAX;
    case 16:
        return sb ? low(sa % sb) : a;
    default:
        return ub ? low(ua % ub) : a;
    }
}
