#include "tests/ventus/wide.h"

#include "tests/ventus/vkit.h"

void wide_set(mpz_t z, uint64_t word, unsigned size, bool is_signed)
{
    const unsigned bits = 16u << size;
    mpz_set_ui(z, word);
    if (is_signed && word >> (bits - 1) & 1) {
        mpz_t all;
        mpz_init_set_ui(all, 1);
        mpz_mul_2exp(all, all, bits);
        mpz_sub(z, z, all);
        mpz_clear(all);
    }
}

void wide_wrap(mpz_t z, unsigned bits, bool is_signed)
{
    mpz_fdiv_r_2exp(z, z, bits);
    if (is_signed && mpz_tstbit(z, bits - 1)) {
        mpz_t all;
        mpz_init_set_ui(all, 1);
        mpz_mul_2exp(all, all, bits);
        mpz_sub(z, z, all);
        mpz_clear(all);
    }
}

uint32_t wide_float(unsigned size)
{
    static const uint32_t halves[] = {0,      0x8000, 0x7c00, 0xfc00, 0x7e00,
                                      0x7c01, 1,      0x7bff, 0x3c00, 0x0400};
    const uint64_t r = vkit_random();
    const uint32_t low = (uint32_t)(r >> 8);
    if (size == 0)
        return (r & 3) == 0 ? halves[r >> 40 & 7] | halves[2 + (r >> 44 & 7)] << 16 : low;
    if (size == 1)
        return (r & 3) == 0   ? halves[r >> 40 & 7] << 16
               : (r & 3) == 1 ? (low & 0x807fffff) | (110 + (low >> 24 & 31)) << 23
                              : low;
    static const uint32_t doubles[] = {0,          1,          0x00100000, 0x7fefffff,
                                       0x7ff00000, 0x7ff00001, 0x7ff80000, 0x3ff00000};
    return (r & 3) == 0   ? (uint32_t)(r >> 63) << 31 | (1000 + (low & 63)) << 20 | low >> 12
           : (r & 3) == 1 ? doubles[r >> 40 & 7] | (uint32_t)(r >> 63) << 31
                          : low;
}
