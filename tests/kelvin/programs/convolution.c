/* aconv with its accumulators set, transposed and taken; vdwconv and adwconv, all sparsities. */
#include "vendor.h"

static uint8_t narrow[288], wide[256];
static int32_t sums[8][8], rows[8][8], got[128], expected[128];

static int32_t signed_byte(uint8_t byte)
{
    return (int8_t)byte;
}

static void transpose(void)
{
    const int32_t *words = (const int32_t *)narrow;
    LOAD("v0", narrow);
    LOAD("v4", narrow + 128);
    V0("actr.w.v.m v48, v0");
    V0("vcget v48");
    STORE("v48", got);
    STORE("v52", got + 32);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            expected[8 * j + i] = words[8 * i + j]; /* ACCUM[J][I] = vs1[I][J] */
    expect(got, expected, 256, 1);
    V0("acset.v v48, v0");
    V0("vcget v48");
    STORE("v48", got);
    STORE("v52", got + 32);
    expect(got, narrow, 256, 2);
}

/* Rows of eight bytes by columns of words, four bytes of k each; reduced by vsraqs to rows. */
static void product(void)
{
    static int8_t out[64];
    const uint32_t control = 0u << 2 | 7u << 7 | 1u << 21 | 1u << 31; /* start 0, stop 7, signed */
    LOAD("v0", narrow);
    LOAD("v4", narrow + 128);
    LOAD("v16", wide);
    LOAD("v20", wide + 128);
    V0("acset.v v48, v56"); /* zeros */
    V_SV("aconv.vxv v48, v0", control, "v16");
    V0("vcget v48");
    V_S("vsraqs.b.vx v48, v48", 10);
    V_S("vsraqs.b.vx v49, v52", 10);
    V_SS("vstq.b.s.xx v48", out, 8);
    V_SS("vstq.b.s.xx v49", out + 32, 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            sums[i][j] = 0;
            for (int k = 0; k < 32; k++)
                sums[i][j] += signed_byte(narrow[32 * i + k]) *
                              signed_byte(wide[32 * (k / 4) + 4 * j + k % 4]);
            sums[i][j] >>= 10;
            rows[i][j] = out[8 * i + j];
            sums[i][j] = sums[i][j] > 127 ? 127 : sums[i][j] < -128 ? -128 : sums[i][j];
        }
    expect(rows, sums, 256, 3);
}

/* Previous, current and next are v0, v1, v2; a step of n is a word of 32 bits. */
static uint8_t source(int sparsity, int i, int lane)
{
    const uint8_t *line = narrow; /* the three registers in a row */
    return sparsity == 0   ? line[32 * i + lane]
           : sparsity == 1 ? line[32 + lane + 4 * (i - 1)]
                           : line[lane + 4 * i];
}

static void depthwise(void)
{
    static const int order[] = {0, 2, 1, 3}; /* 048c 26ae 159d 37bf */
    for (int sparsity = 0; sparsity < 3; sparsity++) {
        const uint32_t control = (uint32_t)sparsity << 2 | 3u << 12 | 1u << 31; /* bias 3 */
        LOAD("v0", narrow);
        LOAD("v16", wide);
        fill(expected, 128, 77);
        LOAD("v40", expected);
        V0("adwinit.v v40, v40");
        V_SV("adwconv.vxv v44, v0", control, "v16");
        V_SV("vdwconv.vxv v44, v0", control, "v16");
        STORE("v44", got);
        for (int lane = 0; lane < 32; lane++) {
            int32_t sum = 0;
            for (int i = 0; i < 3; i++)
                sum += (source(sparsity, i, lane) + 3) * signed_byte(wide[32 * i + lane]);
            expected[8 * order[lane % 4] + lane / 4] += 2 * sum; /* twice */
        }
        expect(got, expected, 128, 10 + sparsity);
    }
}

int main(void)
{
    fill(narrow, 288, 5);
    fill(wide, 256, 6);
    V_S("vdup.w.x.m v56", 0);
    V_S("vdup.w.x.m v60", 0);
    transpose();
    product();
    depthwise();
    return failed;
}
