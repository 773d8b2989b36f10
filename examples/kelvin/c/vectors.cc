// Objects with constructors, vectors against loops, an int8 product by aconv; 0 when all is right.
#include <stdint.h>

#include "kelvin.h"

namespace
{

struct Filled {
    int8_t bytes[256];
    explicit Filled(uint32_t seed)
    {
        for (int8_t &byte : bytes) {
            seed = seed * 1664525 + 1013904223;
            byte = static_cast<int8_t>(seed >> 24);
        }
    }
};
alignas(32) Filled a(1), b(2);
alignas(32) int32_t sums[128], c[64];
alignas(32) int8_t rows[64];
int constructed;
struct Counts {
    Counts()
    {
        constructed++;
    }
} one, two;

int add_words()
{
    V_MEMORY(0, 2, 1, 0, a.bytes); // vld.w.x.m v0
    V_MEMORY(0, 2, 1, 4, b.bytes); // vld.w.x.m v4
    VV(0, 0, 2, 1, 8, 0, 4);       // vadd.w.vv.m v8, v0, v4
    V_MEMORY(8, 2, 1, 8, sums);    // vst.w.x.m v8
    for (int i = 0; i < 32; i++) {
        uint32_t x, y;
        __builtin_memcpy(&x, a.bytes + 4 * i, 4);
        __builtin_memcpy(&y, b.bytes + 4 * i, 4);
        if (static_cast<uint32_t>(sums[i]) != x + y)
            return 10;
    }
    return 0;
}

// Eight rows of 32 bytes by 32 rows of eight, b in words of four.
int multiply()
{
    V_MEMORY(0, 0, 1, 0, a.bytes);
    V_MEMORY(0, 0, 1, 4, a.bytes + 128);
    V_MEMORY(0, 0, 1, 16, b.bytes);
    V_MEMORY(0, 0, 1, 20, b.bytes + 128);
    ACONV(0, 7u << 7 | 1u << 21 | 1u << 31, 16);
    __asm__ volatile(".word 0x50002c1f"); // vcget v48
    V_X(2, 24, 0, 0, 48, 48, 8);          // vsraqs.b.vx v48, v48, a1
    V_X(2, 24, 0, 0, 49, 52, 8);
    V_STRIDED(26, 0, 0, 48, rows, 8); // vstq.b.s.xx: four rows of eight bytes
    V_STRIDED(26, 0, 0, 49, rows + 32, 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int32_t sum = 0;
            for (int k = 0; k < 32; k++)
                sum += a.bytes[32 * i + k] * b.bytes[k / 4 * 32 + 4 * j + k % 4];
            sum >>= 8;
            sum = sum > 127 ? 127 : sum < -128 ? -128 : sum;
            if (rows[8 * i + j] != sum)
                return 20;
        }
    return 0;
}

} // namespace

int main()
{
    if (constructed != 2)
        return 1;
    const int added = add_words();
    return added ? added : multiply();
}
