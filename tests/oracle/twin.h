/*
 * twin: a second implementation of a whole MN-Core 2 board, statement by statement after the
 * manual's pseudo code (3.4.4, 3.5.8, 3.6.1, 3.6.2, 3.6.7 to 3.6.12), with the oracle's arithmetic.
 * It executes decoded programs (program.h) and shares nothing else with functional/. It executes
 * one PE after the other, without sharing of state and without optimisations.
 *
 * Within a step all reads precede all writes. d get prints nothing here: use the functions below.
 */
#ifndef TAKT_TESTS_ORACLE_TWIN_H
#define TAKT_TESTS_ORACLE_TWIN_H

#include "functional/mncore2/program.h"
#include "tests/oracle/oracle.h"

struct twin {
    uint32_t lm[2][PES][LM_WORDS];
    uint32_t grf[2][PES][GRF_WORDS];
    uint64_t t[PES][CYCLES][2];
    uint32_t bar[2][PES];
    uint8_t mask[PES][MASK_ENTRIES][CYCLES];
    uint64_t plane[2][MABS][64];
    uint64_t forward[4][PES][CYCLES][2]; /* mauf aluf lbf mreadf */
    uint64_t lbi[L1BS][CYCLES][64];
    uint64_t l1bm[L1BS][L1BM_LONGS];
    uint64_t l2bm[L2BS][L2BM_LONGS];
    uint64_t pdm[GROUPS][PDM_LONGS];
    uint64_t *dram[GROUPS]; /* reserved address space */
    uint32_t dar[GROUPS][DAR_ENTRIES], darbuf[GROUPS][DARBUF_ENTRIES];
    uint32_t darw, darbuf_read;
    /* results of the step, not yet written */
    uint64_t result[GROUP_COUNT][PES][CYCLES][2];
    uint8_t flags[GROUP_COUNT][PES][CYCLES];
    uint64_t lbi_next[L1BS][CYCLES][64];
};

/* All zero. NULL when memory is out. */
struct twin *twin_new(void);
void twin_free(struct twin *board);
void twin_item(struct twin *board, const struct program *program, size_t item);

/* A matrix element as stored; a long word of a PE memory. */
uint64_t twin_long(const struct twin *board, uint8_t mem, unsigned pe, uint32_t addr);

/* twin_transfer.c */
void twin_l1bm(struct twin *board, const struct expr *expr, bool turn);
void twin_l2bm(struct twin *board, const struct expr *expr);
void twin_darw(struct twin *board);
void twin_mv(struct twin *board, const struct mv *mv);
/* twin.c: the operand a PE reads in a cycle. prec determines how fixed values repeat. */
void twin_read(const struct twin *board, const struct operand *operand, uint8_t prec, unsigned pe,
               unsigned cycle, uint64_t bus[2]);

#endif
