/* Loads and stores of groups by the reference's formula, each mode with several xs2; lengths. */
#include "vendor.h"

static uint8_t in[4096], got[4096], expected[4096], seen[128], lanes[128];

enum { LENGTH = 1, STRIDE = 2, POST = 4 };

static uint32_t least(uint32_t x, uint32_t y)
{
    return x < y ? x : y;
}

/* VLD and VST of the reference for sm registers. Returns what is added to xs1. */
static uint32_t model(unsigned mode, uint32_t sm, uint32_t size, uint32_t xs2, int store)
{
    const uint32_t typelen = 32 / size, len = least(typelen * sm, xs2);
    uint32_t addr = 0;
    for (uint32_t m = 0; m < sm; m++) {
        for (uint32_t l = 0; l < typelen; l++)
            for (uint32_t k = 0; k < size; k++) {
                const uint32_t at = 32 * m + size * l + k;
                const int moved = !(mode & LENGTH) || l + m * typelen < len;
                if (store && moved)
                    expected[addr + size * l + k] = lanes[at];
                else if (!store)
                    lanes[at] = moved ? in[addr + size * l + k] : 0;
            }
        addr += mode & STRIDE ? xs2 * size : 32;
    }
    return !(mode & POST)                                    ? 0
           : (mode & (LENGTH | STRIDE)) == (LENGTH | STRIDE) ? 32
           : mode & LENGTH                                   ? len * size
           : mode & STRIDE                                   ? xs2 * size * sm
                                                             : xs2 * size;
}

#define MODE(number, mode, name, size)                                                             \
    do {                                                                                           \
        const uint8_t *from = in;                                                                  \
        uint8_t *to = got;                                                                         \
        V_PS("vld." name ".xx.m v0", from, xs2);                                                   \
        uint32_t moved = model(mode, 4, size, xs2, 0);                                             \
        STORE("v0", seen);                                                                         \
        expect(seen, lanes, 128, number);                                                          \
        if ((uint32_t)(from - in) != moved)                                                        \
            failed = number + 100;                                                                 \
        fill(lanes, 128, number);                                                                  \
        LOAD("v4", lanes);                                                                         \
        for (int i = 0; i < 4096; i++)                                                             \
            got[i] = expected[i] = 0;                                                              \
        V_PS("vst." name ".xx.m v4", to, xs2);                                                     \
        moved = model(mode, 4, size, xs2, 1);                                                      \
        expect(got, expected, 4096, number + 10);                                                  \
        if ((uint32_t)(to - got) != moved)                                                         \
            failed = number + 200;                                                                 \
    } while (0)

int main(void)
{
    static const uint32_t amounts[] = {0, 1, 5, 16, 31, 32, 33, 64, 100, 127, 128, 200};
    fill(in, 4096, 9);
    for (int i = 0; i < 12; i++) {
        const uint32_t xs2 = amounts[i];
        MODE(1, LENGTH, "b.l", 1);
        MODE(2, STRIDE, "h.s", 2);
        MODE(3, POST, "w.p", 4);
        MODE(4, POST | LENGTH, "h.lp", 2);
        MODE(5, POST | STRIDE, "b.sp", 1);
        MODE(6, POST | LENGTH | STRIDE, "b.tp", 1);
        MODE(7, POST | LENGTH | STRIDE, "h.tp", 2);
        MODE(8, POST | LENGTH | STRIDE, "w.tp", 4);
        uint32_t length;
        X_SS("getvl.h.xx.m", length, xs2, 50);
        if (length != least(least(64, xs2), 50))
            failed = 9;
    }
    /* Quarters of registers, eight bytes each, ten apart. */
    uint8_t *to = got;
    for (int i = 0; i < 4096; i++)
        got[i] = expected[i] = 0;
    LOAD("v0", in);
    V_PS("vstq.b.sp.xx.m v0", to, 10);
    for (int q = 0; q < 16; q++)
        for (int k = 0; k < 8; k++)
            expected[10 * q + k] = in[8 * q + k];
    expect(got, expected, 4096, 90);
    if (to != got + 160)
        failed = 91;
    return failed;
}
