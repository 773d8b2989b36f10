/* Words of the instruction reference's tables of encodings: no assembler of Debian's knows them.
 * Fields: func2 31..26, vs2 25..20, vs1 19..14, sz 13..12, vd 11..6, m 5, func1 4..2, form 1..0. */
#ifndef KELVIN_H
#define KELVIN_H

#define FIELDS(func2, vs2, vs1, sz, vd, m, func1, form)                                            \
    ((func2) << 26 | (vs2) << 20 | (vs1) << 14 | (sz) << 12 | (vd) << 6 | (m) << 5 |               \
     (func1) << 2 | (form))
/* Register to register; a scalar pointer or control word is in a0, an amount in a1. */
#define VV(func1, func2, sz, m, vd, vs1, vs2)                                                      \
    __asm__ volatile(".word %0" ::"i"(FIELDS(func2, vs2, vs1, sz, vd, m, func1, 0)))
#define V_X(func1, func2, sz, m, vd, vs1, xs2)                                                     \
    do {                                                                                           \
        register int a1 __asm__("a1") = (xs2);                                                     \
        __asm__ volatile(".word %0" ::"i"(FIELDS(func2, 11, vs1, sz, vd, m, func1, 2)), "r"(a1));  \
    } while (0)
#define V_MEMORY(func2, sz, m, vd, pointer)                                                        \
    do {                                                                                           \
        register const void *a0 __asm__("a0") = (pointer);                                         \
        __asm__ volatile(".word %0" ::"i"(FIELDS(func2, 0, 10 << 1, sz, vd, m, 7, 3)), "r"(a0)     \
                         : "memory");                                                              \
    } while (0)
#define V_STRIDED(func2, sz, m, vd, pointer, stride)                                               \
    do {                                                                                           \
        register const void *a0 __asm__("a0") = (pointer);                                         \
        register int a1 __asm__("a1") = (stride);                                                  \
        __asm__ volatile(".word %0" ::"i"(FIELDS(func2, 11, 10 << 1, sz, vd, m, 7, 3)), "r"(a0),   \
                         "r"(a1)                                                                   \
                         : "memory");                                                              \
    } while (0)
/* vs3 31..26, xs2 24..20, vs1 19..14, func3 13..12 and 4..3, form 2..0; bit 25 is set. */
#define ACONV(vs1, control, vs3)                                                                   \
    do {                                                                                           \
        register unsigned a1 __asm__("a1") = (control);                                            \
        __asm__ volatile(".word %0" ::"i"((vs3) << 26 | 1 << 25 | 11 << 20 | (vs1) << 14 |         \
                                          2 << 12 | 48 << 6 | 5),                                  \
                         "r"(a1));                                                                 \
    } while (0)
#define LOG(mode, value)                                                                           \
    do {                                                                                           \
        register unsigned a0 __asm__("a0") = (unsigned)(value);                                    \
        __asm__ volatile(".word %0" ::"i"(0x78000077 | 10 << 15 | (mode) << 12), "r"(a0)           \
                         : "memory");                                                              \
    } while (0)

#endif
