/* Shuffles of groups: even and odd lanes, zip, slides, select. */
#include "vendor.h"

#define EACH(DO) DO(b, int8_t, 128) DO(h, int16_t, 64) DO(w, int32_t, 32)

/* The reference's formulas with Op.typelen lanes of four registers. */
#define LANES(size, type, n)                                                                       \
    static void lanes_##size(void)                                                                 \
    {                                                                                              \
        type *x = (type *)a, *y = (type *)b, *z = (type *)d;                                       \
        V0("vevn." #size ".vv.m v16, v0, v8");                                                     \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l < n / 2 ? x[2 * l] : y[2 * (l - n / 2)];                                      \
        expect(c, d, 128, 1);                                                                      \
        V0("vodd." #size ".vv.m v16, v0, v8");                                                     \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l < n / 2 ? x[2 * l + 1] : y[2 * (l - n / 2) + 1];                              \
        expect(c, d, 128, 2);                                                                      \
        V0("vevnodd." #size ".vv.m v16, v0, v8");                                                  \
        for (int l = 0; l < n; l++) {                                                              \
            z[l] = l < n / 2 ? x[2 * l] : y[2 * (l - n / 2)];                                      \
            z[n + l] = l < n / 2 ? x[2 * l + 1] : y[2 * (l - n / 2) + 1];                          \
        }                                                                                          \
        STORE("v16", c);                                                                           \
        STORE("v20", c + 128);                                                                     \
        expect(c, d, 256, 3);                                                                      \
        V0("vzip." #size ".vv.m v16, v0, v8");                                                     \
        for (int l = 0; l < n; l++) {                                                              \
            z[l] = l & 1 ? y[l / 2] : x[l / 2];                                                    \
            z[n + l] = l & 1 ? y[l / 2 + n / 2] : x[l / 2 + n / 2];                                \
        }                                                                                          \
        STORE("v16", c);                                                                           \
        STORE("v20", c + 128);                                                                     \
        expect(c, d, 256, 4);                                                                      \
        V_S("vzip." #size ".vx.m v16, v0", 0x01020304);                                            \
        for (int l = 0; l < n; l++) {                                                              \
            z[l] = l & 1 ? (type)0x01020304 : x[l / 2];                                            \
            z[n + l] = l & 1 ? (type)0x01020304 : x[l / 2 + n / 2];                                \
        }                                                                                          \
        STORE("v16", c);                                                                           \
        STORE("v20", c + 128);                                                                     \
        expect(c, d, 256, 5);                                                                      \
        V0("vslidehn." #size ".3.vv.m v16, v0, v8");                                               \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l + 3 < n ? x[l + 3] : y[l + 3 - n];                                            \
        expect(c, d, 128, 6);                                                                      \
        V0("vslidehp." #size ".2.vv.m v16, v0, v8");                                               \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l < 2 ? x[n + l - 2] : y[l - 2];                                                \
        expect(c, d, 128, 7);                                                                      \
        V0("vslidevn." #size ".1.vv.m v16, v0, v8");                                               \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l % (n / 4) + 1 < n / 4 ? x[l + 1] : y[l + 1 - n / 4];                          \
        expect(c, d, 128, 8);                                                                      \
        V0("vslidevp." #size ".4.vv.m v16, v0, v8");                                               \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = l % (n / 4) < 4 ? x[l + n / 4 - 4] : y[l - 4];                                  \
        expect(c, d, 128, 9);                                                                      \
        LOAD("v16", b + 128);                                                                      \
        V0("vsel." #size ".vv.m v16, v0, v8");                                                     \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = x[l] & 1 ? ((type *)(b + 128))[l] : y[l];                                       \
        expect(c, d, 128, 10);                                                                     \
        V_S("vdup." #size ".x.m v16", 0x12345678);                                                 \
        STORE("v16", c);                                                                           \
        for (int l = 0; l < n; l++)                                                                \
            z[l] = (type)0x12345678;                                                               \
        expect(c, d, 128, 11);                                                                     \
    }

static uint8_t a[256] __attribute__((aligned(32))), b[256] __attribute__((aligned(32))),
    c[256] __attribute__((aligned(32))), d[256] __attribute__((aligned(32)));

EACH(LANES)

int main(void)
{
    fill(a, 256, 3);
    fill(b, 256, 4);
    LOAD("v0", a);
    LOAD("v8", b);
    lanes_b();
    lanes_h();
    lanes_w();
    return failed;
}
