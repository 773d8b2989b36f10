/*
 * Which operation each float instruction is, of lanes and of scalars: RVV 1.0 section 13, the F
 * extension and zfinx, against the host's own floats in all of its rounding modes.
 */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "tests/ventus/vkit.h"

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static float number(uint32_t word)
{
    float f;
    memcpy(&f, &word, 4);
    return f;
}

static uint32_t word_of(float f)
{
    uint32_t word;
    memcpy(&word, &f, 4);
    return (word & 0x7fffffff) > 0x7f800000 ? VENTUS_F32_NAN : word;
}

static uint32_t draw(void)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                       0x7fc00000, 0x3f800000, 1,          0x7f7fffff};
    const uint64_t r = vkit_random();
    const uint32_t low = (uint32_t)(r >> 16);
    return r >> 62 == 0   ? special[r >> 50 & 7]
           : r >> 62 == 1 ? low
                          : (low & 0x807fffff) | (118 + (uint32_t)(r >> 48 & 31)) << 23;
}

enum operation {
    ADD,
    SUB,
    RSUB,
    MUL,
    DIV,
    RDIV,
    SQRT,
    MIN,
    MAX,
    SGNJ,
    SGNJN,
    SGNJX,
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    TO_INT,
    TO_UINT,
    TO_INT_RTZ,
    TO_UINT_RTZ,
    OF_INT,
    OF_UINT,
    CLASS,
    FMA /* + 1: product negated, + 2: addend negated */
};

static uint32_t clipped(float a, bool is_signed, int mode)
{
    volatile double given = (double)a, x; /* compilers move what they know no reason not to */
    fesetround(mode);
    x = nearbyint(given);
    fesetround(FE_TONEAREST);
    const double low = is_signed ? -2147483648.0 : 0,
                 high = is_signed ? 2147483647.0 : 4294967295.0;
    const double r = x != x || x > high ? high : x < low ? low : x;
    return is_signed ? (uint32_t)(int32_t)r : (uint32_t)r;
}

static uint32_t classified(uint32_t word)
{
    const bool negative = word >> 31, quiet = word >> 22 & 1;
    switch (fpclassify(number(word))) {
    case FP_INFINITE:
        return negative ? 1 : 128;
    case FP_NORMAL:
        return negative ? 2 : 64;
    case FP_SUBNORMAL:
        return negative ? 4 : 32;
    case FP_ZERO:
        return negative ? 8 : 16;
    default:
        return quiet ? 512 : 256;
    }
}

/* x op y, or x * y + z. */
static uint32_t want(unsigned op, uint32_t xw, uint32_t yw, uint32_t zw, int mode)
{
    volatile float x = number(xw), y = number(yw), z = number(zw), r = 0;
    const bool nan = isnan(x) || isnan(y);
    switch (op) {
    case MIN:
    case MAX:
        if (nan)
            return isnan(x) ? word_of(y) : word_of(x);
        if (x == 0 && y == 0)
            return op == MIN ? xw | yw : xw & yw;
        return (op == MIN) == (x < y) ? xw : yw;
    case SGNJ:
        return (xw & 0x7fffffff) | (yw & 0x80000000);
    case SGNJN:
        return (xw & 0x7fffffff) | (~yw & 0x80000000);
    case SGNJX:
        return xw ^ (yw & 0x80000000);
    case EQ:
        return x == y;
    case NE:
        return x != y;
    case LT:
        return !nan && x < y;
    case LE:
        return !nan && x <= y;
    case GT:
        return !nan && x > y;
    case GE:
        return !nan && x >= y;
    case TO_INT:
    case TO_UINT:
        return clipped(x, op == TO_INT, mode);
    case TO_INT_RTZ:
    case TO_UINT_RTZ:
        return clipped(x, op == TO_INT_RTZ, FE_TOWARDZERO);
    case CLASS:
        return classified(xw);
    default:
        break;
    }
    fesetround(mode);
    switch (op) {
    case ADD:
        r = x + y;
        break;
    case SUB:
        r = x - y;
        break;
    case RSUB:
        r = y - x;
        break;
    case MUL:
        r = x * y;
        break;
    case DIV:
        r = x / y;
        break;
    case RDIV:
        r = y / x;
        break;
    case SQRT:
        r = sqrtf(x);
        break;
    case OF_INT:
        r = (float)(int32_t)xw;
        break;
    case OF_UINT:
        r = (float)xw;
        break;
    default:
        x = (op - FMA) & 1 ? -x : x;
        z = (op - FMA) & 2 ? -z : z;
        r = fmaf(x, y, z);
        break;
    }
    fesetround(FE_TONEAREST);
    return word_of(r);
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* order: what x, y, z are: 2 vs2, 1 vs1 or the scalar, d vd. */
static const struct {
    unsigned f6, vs1, op; /* vs1: of one source its field */
    bool vv, vf;
    const char *order;
} rows[] = {
    {0x00, 0, ADD, true, true, "21"},         {0x02, 0, SUB, true, true, "21"},
    {0x27, 0, RSUB, false, true, "21"},       {0x24, 0, MUL, true, true, "21"},
    {0x20, 0, DIV, true, true, "21"},         {0x21, 0, RDIV, false, true, "21"},
    {0x04, 0, MIN, true, true, "21"},         {0x06, 0, MAX, true, true, "21"},
    {0x08, 0, SGNJ, true, true, "21"},        {0x09, 0, SGNJN, true, true, "21"},
    {0x0a, 0, SGNJX, true, true, "21"},       {0x18, 0, EQ, true, true, "21"},
    {0x19, 0, LE, true, true, "21"},          {0x1b, 0, LT, true, true, "21"},
    {0x1c, 0, NE, true, true, "21"},          {0x1d, 0, GT, false, true, "21"},
    {0x1f, 0, GE, false, true, "21"},         {0x28, 0, FMA, true, true, "1d2"},
    {0x29, 0, FMA + 3, true, true, "1d2"},    {0x2a, 0, FMA + 2, true, true, "1d2"},
    {0x2b, 0, FMA + 1, true, true, "1d2"},    {0x2c, 0, FMA, true, true, "12d"},
    {0x2d, 0, FMA + 3, true, true, "12d"},    {0x2e, 0, FMA + 2, true, true, "12d"},
    {0x2f, 0, FMA + 1, true, true, "12d"},    {0x13, 0, SQRT, true, false, "2"},
    {0x12, 0, TO_UINT, true, false, "2"},     {0x12, 1, TO_INT, true, false, "2"},
    {0x12, 2, OF_UINT, true, false, "2"},     {0x12, 3, OF_INT, true, false, "2"},
    {0x12, 6, TO_UINT_RTZ, true, false, "2"}, {0x12, 7, TO_INT_RTZ, true, false, "2"},
    {0x13, 16, CLASS, true, false, "2"},
};

static void lanes(void **state)
{
    (void)state;
    const size_t count = sizeof rows / sizeof *rows;
    for (size_t n = 0; n < often(8000); n++) {
        const size_t row = n % count;
        const bool scalar = rows[row].vf && (!rows[row].vv || (n / count & 1));
        const bool unary = !rows[row].order[1], masked = n / count >> 1 & 1;
        const int mode = (int)(vkit_random() & 3);
        const uint32_t word =
            vkit_opv(rows[row].f6, scalar ? 5 : 1, !masked, 5, unary ? rows[row].vs1 : 6, 7);
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        w->fcsr.rounding = (uint8_t)mode;
        w->x[6] = draw();
        for (uint32_t i = 0; i < 8; i++) {
            w->v[5][i] = draw();
            w->v[6][i] = draw();
            w->v[7][i] = draw();
            w->v[0][i] = draw();
        }
        const struct ventus_warp before = *w;
        if (vkit_step() != 0)
            fail_msg("%x: %s", rows[row].f6, vkit.exec.error);
        for (uint32_t i = 0; i < 8; i++) {
            uint32_t s[3] = {0};
            for (int k = 0; rows[row].order[k]; k++)
                s[k] = rows[row].order[k] == '2'   ? before.v[5][i]
                       : rows[row].order[k] == 'd' ? before.v[7][i]
                       : scalar                    ? before.x[6]
                                                   : before.v[6][i];
            const uint32_t expected = masked && !(before.v[0][i] & 1)
                                          ? before.v[7][i]
                                          : want(rows[row].op, s[0], s[1], s[2], modes[mode]);
            if (w->v[7][i] != expected)
                fail_msg("funct6 %x %s mode %d of %08x %08x %08x: %08x, not %08x", rows[row].f6,
                         scalar ? "vf" : "vv", mode, s[0], s[1], s[2], w->v[7][i], expected);
        }
    }
}

/* --- scalars ---------------------------------------------------------------------------------- */

static const struct {
    uint32_t word;
    unsigned op;
    bool rounds;
} scalars[] = {
    {0x00000053, ADD, true},     {0x08000053, SUB, true},     {0x10000053, MUL, true},
    {0x18000053, DIV, true},     {0x58000053, SQRT, true},    {0x20000053, SGNJ, false},
    {0x20001053, SGNJN, false},  {0x20002053, SGNJX, false},  {0x28000053, MIN, false},
    {0x28001053, MAX, false},    {0xa0000053, LE, false},     {0xa0001053, LT, false},
    {0xa0002053, EQ, false},     {0xc0000053, TO_INT, true},  {0xc0100053, TO_UINT, true},
    {0xd0000053, OF_INT, true},  {0xd0100053, OF_UINT, true}, {0xe0001053, CLASS, false},
    {0x00000043, FMA, true},     {0x00000047, FMA + 2, true}, {0x0000004b, FMA + 1, true},
    {0x0000004f, FMA + 3, true},
};

static void zfinx(void **state)
{
    (void)state;
    const size_t count = sizeof scalars / sizeof *scalars;
    for (size_t n = 0; n < often(8000); n++) {
        const size_t row = n % count;
        const unsigned op = scalars[row].op;
        const bool unary = op == SQRT || (op >= TO_INT && op <= CLASS);
        const uint32_t mode = (uint32_t)(vkit_random() & 3), dynamic = (uint32_t)(n / count & 1);
        uint32_t word = scalars[row].word | 10u << 15 | 12u << 7;
        word |= unary ? 0 : 11u << 20;
        word |= op >= FMA ? 13u << 27 : 0;
        word |= scalars[row].rounds ? (dynamic ? 7u : mode) << 12 : 0;
        vkit_make(&word, 1);
        struct ventus_warp *w = &vkit.warps[0];
        w->fcsr.rounding = (uint8_t)(dynamic ? mode : (mode + 1) & 3);
        const uint32_t x = w->x[10] = draw(), y = w->x[11] = draw(), z = w->x[13] = draw();
        if (vkit_step() != 0)
            fail_msg("%08x: %s", word, vkit.exec.error);
        const uint32_t expected = want(op, x, y, z, modes[mode]);
        if (w->x[12] != expected)
            fail_msg("%08x of %08x %08x %08x: %08x, not %08x", word, x, y, z, w->x[12], expected);
    }
    for (uint32_t mode = 4; mode < 8; mode++) /* 4 is the last mode; 7 names the register */
        for (uint32_t own = 4; own < 6; own++) {
            const uint32_t word = 0x00000053 | mode << 12;
            vkit_make(&word, 1);
            vkit.warps[0].fcsr.rounding = (uint8_t)own;
            const bool fine = mode == 4 || (mode == 7 && own == 4);
            assert_int_equal(vkit_step(), !fine);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes),
        cmocka_unit_test(zfinx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
