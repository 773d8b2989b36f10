/* Groups of four registers: one size, widening, accumulating, narrowing by two and by four. */
#include "vendor.h"

static union {
    int8_t b[512];
    int16_t h[256];
    int32_t w[128];
    uint8_t ub[512];
    uint16_t uh[256];
} a, b, c, d;

#define SAME(number, name, type, value)                                                            \
    do {                                                                                           \
        V0(name ".m v16, v0, v8");                                                                 \
        STORE("v16", c.b);                                                                         \
        for (int l = 0; l < 128 / (int)sizeof *a.type; l++)                                        \
            d.type[l] = (value);                                                                   \
        expect(c.b, d.b, 128, number);                                                             \
    } while (0)
#define SCALAR(number, name, x, type, value)                                                       \
    do {                                                                                           \
        V_S(name ".m v16, v0", x);                                                                 \
        STORE("v16", c.b);                                                                         \
        for (int l = 0; l < 128 / (int)sizeof *a.type; l++)                                        \
            d.type[l] = (value);                                                                   \
        expect(c.b, d.b, 128, number);                                                             \
    } while (0)

static int32_t clamp(int32_t x, int32_t low, int32_t high)
{
    return x < low ? low : x > high ? high : x;
}

static void one_size(void)
{
    SAME(1, "vadd.b.vv", b, a.b[l] + b.b[l]);
    SAME(2, "vsub.h.vv", h, a.h[l] - b.h[l]);
    SAME(3, "vlt.b.vv", b, a.b[l] < b.b[l]);
    SAME(4, "vge.h.u.vv", h, a.uh[l] >= b.uh[l]);
    SAME(5, "vabsd.b.u.vv", b, a.ub[l] > b.ub[l] ? a.ub[l] - b.ub[l] : b.ub[l] - a.ub[l]);
    SAME(6, "vmax.w.vv", w, a.w[l] > b.w[l] ? a.w[l] : b.w[l]);
    SAME(7, "vadds.b.vv", b, clamp(a.b[l] + b.b[l], -128, 127));
    SAME(8, "vsubs.b.u.vv", b, clamp(a.ub[l] - b.ub[l], 0, 255));
    SAME(9, "vhadd.b.r.vv", b, (a.b[l] + b.b[l] + 1) >> 1);
    SAME(10, "vhsub.h.ur.vv", h, (a.uh[l] - b.uh[l] + 1) >> 1);
    SAME(11, "vmul.w.vv", w, a.w[l] * b.w[l]);
    SAME(12, "vmuls.b.vv", b, clamp(a.b[l] * b.b[l], -128, 127));
    SAME(13, "vmulh.b.vv", b, (a.b[l] * b.b[l]) >> 8);
    SAME(14, "vmulh.b.u.vv", b, (a.ub[l] * b.ub[l]) >> 8);
    SAME(15, "vmulh.b.ur.vv", b, (a.ub[l] * b.ub[l] + 128) >> 8);
    SAME(16, "vmulh.h.u.r.vv", h, (int16_t)(((uint32_t)a.uh[l] * b.uh[l] + 0x8000) >> 16));
    SAME(17, "vmulhu.b.r.vv", b, (a.ub[l] * b.ub[l] + 128) >> 8);
    SAME(18, "vsll.h.vv", h, a.h[l] << (b.h[l] & 15));
    SAME(19, "vsra.b.vv", b, a.b[l] >> (b.b[l] & 7));
    SAME(20, "vand.vv", w, a.w[l] & b.w[l]);
    SAME(21, "vxor.vv", b, a.b[l] ^ b.b[l]);
    SCALAR(22, "vrsub.h.vx", 1000, h, 1000 - a.h[l]);
    SCALAR(23, "vor.b.vx", 0x5a, b, a.b[l] | 0x5a);
    SCALAR(24, "vmul.b.vx", 77, b, a.b[l] * 77);
    SCALAR(25, "vror.b.vx", 3, b, a.ub[l] >> 3 | a.ub[l] << 5);
    SCALAR(26, "vneg.h.v.m v20, v0\n\tvadd.h.vx", 5, h, a.h[l] + 5);
    V0("vnot.v.m v16, v0");
    STORE("v16", c.b);
    for (int i = 0; i < 32; i++)
        d.w[i] = ~a.w[i];
    expect(c.b, d.b, 128, 27);
}

/* {vd+0} and {vd+1} of .m stand four registers apart. */
static void both(int number, const void *expected)
{
    STORE("v16", c.b);
    STORE("v20", c.b + 128);
    expect(c.b, expected, 256, number);
}

static void widening(void)
{
    V0("vaddw.h.vv.m v16, v0, v8");
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 16; l++)
            for (int k = 0; k < 2; k++)
                d.h[64 * k + 16 * r + l] =
                    (int16_t)(a.b[32 * r + 2 * l + k] + b.b[32 * r + 2 * l + k]);
    both(30, d.b);
    V0("vmulw.w.u.vv.m v16, v0, v8");
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 8; l++)
            for (int k = 0; k < 2; k++)
                d.w[32 * k + 8 * r + l] =
                    (int32_t)((uint32_t)a.uh[16 * r + 2 * l + k] * b.uh[16 * r + 2 * l + k]);
    both(31, d.b);
    V0("vacc.w.vv.m v16, v0, v8"); /* v0 to v7 plus halves of v8 to v11 */
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 8; l++)
            for (int k = 0; k < 2; k++)
                d.w[32 * k + 8 * r + l] = a.w[32 * k + 8 * r + l] + b.h[16 * r + 2 * l + k];
    both(32, d.b);
    V0("vmvp.vv.m v16, v0, v8");
    for (int i = 0; i < 32; i++) {
        d.w[i] = a.w[i];
        d.w[32 + i] = b.w[i];
    }
    both(33, d.b);
    V0("vpadd.h.v.m v16, v0");
    STORE("v16", c.b);
    for (int l = 0; l < 64; l++)
        d.h[l] = (int16_t)(a.b[2 * l] + a.b[2 * l + 1]);
    expect(c.b, d.b, 128, 34);
}

static void narrowing(void)
{
    V_S("vsrans.b.r.vx.m v16, v0", 5);
    STORE("v16", c.b);
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 32; l++)
            d.b[32 * r + l] =
                (int8_t)clamp((a.h[64 * (l % 2) + 16 * r + l / 2] + 16) >> 5, -128, 127);
    expect(c.b, d.b, 128, 40);
    /* Four groups: v0, v4, v8 and v12; taken in the order 0, 2, 1, 3. */
    static const int order[] = {0, 2, 1, 3};
    V_S("vsraqs.b.vx.m v16, v0", 20);
    STORE("v16", c.b);
    for (int r = 0; r < 4; r++)
        for (int l = 0; l < 32; l++) {
            const int group = order[l % 4];
            const int32_t x =
                group < 2 ? a.w[32 * group + 8 * r + l / 4] : b.w[32 * (group - 2) + 8 * r + l / 4];
            d.b[32 * r + l] = (int8_t)clamp(x >> 20, -128, 127);
        }
    expect(c.b, d.b, 128, 41);
}

int main(void)
{
    fill(a.b, 512, 1);
    fill(b.b, 512, 2);
    LOAD("v0", a.b);
    LOAD("v4", a.b + 128);
    LOAD("v8", b.b);
    LOAD("v12", b.b + 128);
    one_size();
    widening();
    narrowing();
    return failed;
}
