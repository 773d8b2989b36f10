/*
 * distinct: a program as generators write them, nearly every line with other addresses.
 *
 * Each step has three expressions on five units. What a step computes is read four steps later, so
 * that there is neither a hazard nor a warning.
 */
#ifndef TAKT_TESTS_BENCH_DISTINCT_H
#define TAKT_TESTS_BENCH_DISTINCT_H

#include <stdio.h>
#include <stdlib.h>

#include "functional/mncore2/program.h"
#include "tests/bench/dice.h"

enum { DISTINCT_AHEAD = 4, DISTINCT_SLOTS = 2 * DISTINCT_AHEAD, DISTINCT_PIECE = 8 /* of v */ };

/* Some piece of a GRF, so that step k of DISTINCT_SLOTS writes none that its neighbours use. */
static inline unsigned distinct_grf(unsigned k)
{
    const unsigned pieces = GRF_WORDS / DISTINCT_PIECE / DISTINCT_SLOTS;
    return DISTINCT_PIECE * (DISTINCT_SLOTS * pick(pieces) + k);
}

/* First what writes all that is read, then the steps; every so many of them a transfer, which is
 * waited for two transfers later, unless `every` is 0. The text is the caller's to free. */
static inline char *distinct_text(size_t lines, size_t every, size_t *size)
{
    enum { LINE = 160, SETUP = 2000, PIECE = DISTINCT_PIECE, SLOTS = DISTINCT_SLOTS };
    char *text = malloc((lines + SETUP) * LINE), *at = text;
    if (!text)
        abort();
    for (unsigned i = 0; i < LM_WORDS / PIECE; i++)
        at += sprintf(at, "lpassa $peid $lm%uv $ln%uv\n", i * PIECE, i * PIECE);
    unsigned grf0[SLOTS], grf1[SLOTS];
    for (unsigned k = DISTINCT_AHEAD; k < SLOTS; k++) {
        grf0[k] = grf1[k] = k * PIECE;
        at += sprintf(at, "lpassa $peid $lr%uv $ls%uv\n", grf0[k], grf1[k]);
    }
    at += sprintf(at, "nop/9\n");
    for (unsigned i = 0; i < L1BM_LONGS; i += 64)
        at += sprintf(at, "l1bmd $lm%uv $lb%u\n", i / 64 * PIECE, i);
    at += sprintf(at, "nop/99\nfvmul $lm0v $lm0v $nowrite\n");
    for (size_t i = 0; i < lines; i++) {
        const unsigned k = (unsigned)(i % SLOTS), read = (unsigned)((i + DISTINCT_AHEAD) % SLOTS);
        const unsigned g = every ? (unsigned)(i / every % 4) : 0;
        if (every && i % every == 0)
            at += sprintf(at, "mvp/n256i%02x $d%u@%u $lc%u@%u.0\n", 1 + g, 64 * pick(400), g,
                          64 * pick(400), g);
        const unsigned to0 = distinct_grf(k), to1 = distinct_grf(k);
        at += sprintf(at,
                      "fvfma $lm%uv $lr%uv $mauf $ls%uv; ladd $ln%uv $ls%uv $lr%uv; "
                      "l1bmm $lb%u $nowrite\n",
                      PIECE * pick(LM_WORDS / PIECE), grf0[read], to1,
                      PIECE * pick(LM_WORDS / PIECE), grf1[read], to0, 16 * pick(L1BM_LONGS / 16));
        grf0[k] = to0;
        grf1[k] = to1;
        if (every && i % every == every - 1 && i >= 3 * every)
            at += sprintf(at, "nop; wait i%02x\n", 1 + (g + 1) % 4);
    }
    if (size)
        *size = (size_t)(at - text);
    return text;
}

#endif
