#include "tests/amx/random_program.h"

#include <stdio.h>

static unsigned pick(struct dice *dice, unsigned limit)
{
    return (unsigned)dice_below(dice, limit);
}

static int one_line(struct dice *dice, char *text, size_t size)
{
    static const char *const lanes[] = {"f16", "f32", "f64", "bf16", "f16f32", "bf16f32"};
    static const char *const extra[] = {"",       "",        "",        " alu=fms",   " alu=relu",
                                        " alu=7", " ix=3:2", " iy=6:4", " yen=clear", " xen=none"};
    static const char *const moves[] = {"ldx x", "ldy y", "ldz z", "stx x", "sty y", "stz z"};
    const unsigned kind = pick(dice, 12);
    if (kind < 7)
        return snprintf(text, size, "matfp %s x=%u y=%u z=%u%s\n", lanes[pick(dice, 6)],
                        pick(dice, 512), pick(dice, 8) * 64, pick(dice, 2), extra[pick(dice, 10)]);
    if (kind < 11)
        return snprintf(text, size, "%s=%u addr=%u%s\n", moves[pick(dice, 6)], pick(dice, 8),
                        pick(dice, 4) * 64, pick(dice, 3) ? "" : " pair");
    return snprintf(text, size, "clr\nset\n");
}

void amx_random_program(struct dice *dice, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, ".version M2\n");
    if (pick(dice, 3) == 0)
        for (unsigned t = 0; t < 8; t++)
            if (pick(dice, 4) == 0)
                used += (size_t)snprintf(text + used, size - used, ".thread %u\n.cluster %u\n", t,
                                         pick(dice, 3));
    const unsigned sections = 1 + pick(dice, 4);
    for (unsigned s = 0; s < sections; s++) {
        const unsigned first = pick(dice, 6), more = pick(dice, 3);
        used += (size_t)snprintf(text + used, size - used, ".thread %u..%u\n.repeat %u\n", first,
                                 first + more, 1 + pick(dice, 4));
        for (unsigned i = 1 + pick(dice, 9); i; i--)
            used += (size_t)one_line(dice, text + used, size - used);
        used += (size_t)snprintf(text + used, size - used, ".end\n");
    }
}
