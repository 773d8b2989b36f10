#include "vendor.h"

int failed;

void fill(void *bytes, int count, uint32_t seed)
{
    uint8_t *to = bytes;
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525 + 1013904223;
        to[i] = (uint8_t)(seed >> 24);
    }
}

void expect(const void *got, const void *expected, int bytes, int number)
{
    const uint8_t *a = got, *b = expected;
    for (int i = 0; i < bytes; i++)
        if (a[i] != (uint8_t)(b[i] + WRONG) && !failed)
            failed = number;
}

/* What compilers call. */
void *memcpy(void *to, const void *from, unsigned count)
{
    uint8_t *a = to;
    const uint8_t *b = from;
    while (count--)
        *a++ = *b++;
    return to;
}

void *memset(void *to, int value, unsigned count)
{
    uint8_t *a = to;
    while (count--)
        *a++ = (uint8_t)value;
    return to;
}
