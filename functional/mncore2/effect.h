/*
 * effect: the accesses of a statement to memories: which addresses, in which cycles. It is computed
 * at decode time. Checks, hazards, timing, slack and races read effects, not the program.
 *
 * A PE statement issues at cycle t (a multiple of 4); its cycle i is t + i. An access gives the
 * addresses it touches in each of the four cycles. Latencies belong to timing/.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_EFFECT_H
#define TAKT_FUNCTIONAL_MNCORE2_EFFECT_H

#include "functional/mncore2/program.h"

enum space {
    SPACE_LM0,
    SPACE_LM1,
    SPACE_GRF0,
    SPACE_GRF1,
    SPACE_T,
    SPACE_MASK, /* addr = entry */
    SPACE_BAR0,
    SPACE_BAR1,
    SPACE_X, /* matrix planes; addr = physical row */
    SPACE_Y,
    SPACE_FWD, /* addr: 0 mauf, 1 aluf, 2 lbf, 3 mreadf */
    SPACE_LBI,
    SPACE_L1BM,
    SPACE_L2BM,
    SPACE_PDM,
    SPACE_DRAM,
    SPACE_DAR,
    SPACE_DARBUF,
    SPACE_COUNT
};

/* Size of a space in its units, a power of two: words of PE memories, long words, rows, entries. */
extern const uint32_t mncore2_space_size[SPACE_COUNT];
extern const char *const mncore2_space_name[SPACE_COUNT];
/* The space of an operand's memory; SPACE_COUNT for operands outside any memory. */
enum space mncore2_space_of(uint8_t mem);

enum side { SIDE_NONE, SIDE_PE, SIDE_L2B }; /* the port of an L1BM or L2BM */

struct access {
    uint8_t space; /* enum space */
    uint8_t side;  /* enum side, of L1BM and L2BM ports */
    bool write;
    /* address known at run time only (BAR, T-indirect): may be any address of the memory */
    bool any;
    uint8_t cycles; /* bit i: touched in cycle i; fixed write masks clear bits (3.6.2.1) */
    uint8_t entry;  /* variable mask entry 1..15 that decides at run time; 0 = none */
    uint8_t set; /* L1BM: L1B numbers in every L2B; L2BM: bit group*2+l2b; PDM, DRAM, DAR: groups */
    bool transposed; /* matrix plane: mread */
    uint32_t length; /* units touched in each cycle: words (PE memories), long words, entries */
    uint32_t addr[CYCLES];         /* first unit of each cycle, already reduced modulo the size */
    const struct operand *operand; /* for messages; may be NULL */
    const struct expr *expr;
};

enum { MAX_ACCESSES = 48 };

struct effect {
    size_t count;
    struct access access[MAX_ACCESSES];
    uint32_t flops[4]; /* operations of one step on the whole chip: double, single, pseudo, half */
};

/* Fill the effect of a PE statement (step->nops statements have none). */
void mncore2_effect_of_step(const struct step *step, struct effect *effect);

/* True if the step's mask applies to the expression: to an output, or as a flush of zeros. */
bool mncore2_expr_masked(const struct expr *expr);

/* One region that an MV touches; contiguous except where it wraps at the memory's end, unless
 * any. */
struct region {
    uint8_t space; /* SPACE_PDM, SPACE_DRAM, SPACE_L2BM */
    bool write;
    bool any;        /* $di with unknown DAR */
    uint8_t set;     /* groups, or L2B bits for L2BM */
    uint64_t addr;   /* long words */
    uint64_t length; /* in each memory of the set */
};

/* The two regions of an MV: [0] source, [1] destination. */
void mncore2_effect_of_mv(const struct mv *mv, struct region region[2]);

#endif
