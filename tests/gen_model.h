/*
 * gen_model: what the program generator remembers: who wrote what when, what is in flight, which
 * rows and words hold valid blocks. Private to gen_*.c. Written from 3.6.3 of the manual, shares
 * nothing with the checker it is used against.
 *
 * A step number counts PE statements and nops; its cycle i is 4 * step + i.
 */
#ifndef TAKT_TESTS_GEN_MODEL_H
#define TAKT_TESTS_GEN_MODEL_H

#include <stdarg.h>
#include <stdbool.h>

#include "functional/mncore2/program.h"
#include "tests/gen_program.h"
#include "tests/oracle/fill.h"

/* PE memories in the order of their letters below. */
enum pe_mem { PE_M, PE_N, PE_R, PE_S, PE_T, PE_MEMS };

struct place {
    uint8_t mem;    /* enum pe_mem */
    uint8_t words;  /* 1, 2, 4; T: 4 */
    bool indirect;  /* T is added */
    uint32_t at[4]; /* reduced modulo the size */
    char text[64];  /* without mask and sign */
};

/* Long words of L1BM in each cycle: count from start + cycle * rate; or for the 2-long-word PE
 * broadcast start + cycle and 4 beyond. */
struct span {
    bool on, paired;
    uint32_t start, rate;
};

enum l2b_kind { L2B_NONE, L2B_DOWN, L2B_UP, L2B_MULTI, L2B_DARS };

struct region {
    uint8_t mem; /* MEM_PDM, MEM_DRAM, MEM_L2BM */
    uint8_t set; /* bits of groups, for L2BM of group * 2 + l2b */
    bool any;    /* all of it: DRAM through DAR */
    uint64_t start, length;
};

struct transfer {
    unsigned tag;
    bool indirect;
    struct region region[2]; /* source, destination */
};

/* One step while it is put together. */
struct plan {
    char expr[GROUP_COUNT][1024];
    unsigned count;
    bool reads[PE_MEMS], writes[PE_MEMS];
    struct place read[PE_MEMS], write[PE_MEMS];
    uint8_t cycles[PE_MEMS]; /* bit i: cycle i writes */
    bool blocks[PE_MEMS];    /* what is written comes from a block float conversion */
    bool bar[2], omr, imm, noforward, darw;
    bool plane[2]; /* matrix planes in use */
    bool masked, flushed, mask_wide;
    char mask[24];
    uint8_t mask_cycles;
    bool alu, mau, mread, lbf; /* what the forwarding registers get */
    uint8_t alu_block;         /* precision when the ALU makes blocks */
    struct span l1_read, l1_write;
    bool to_pe, from_pe; /* a PE->L1BM expression; into the SRAM when l1_write is on */
    int kind, mabdiff;   /* of from_pe */
    bool turn;
    uint8_t l2b;           /* enum l2b_kind */
    bool single;           /* l2bm@ */
    struct span l2b_l1;    /* L1BM side of an L2BM expression, in long words a cycle */
    struct span l2b_l1_to; /* written side of l2bmi */
    uint8_t l1b_read, l1b_written;
    uint32_t c_start, c_length;
    uint8_t c_set;
    uint8_t rows_plane; /* mwrite: plane, physical rows, precision of valid blocks or 0 */
    uint16_t rows;
    uint8_t rows_block;
    bool writes_rows;
};

enum {
    FLIGHT = 8,
    GEN_DAR_SOURCE = 2048 /* L2BM address of the address words; no other statement goes there */
};

struct gen {
    struct dice fill;
    struct gen_options options;
    char *text;
    size_t size, room;
    bool out_of_memory;
    int64_t step;

    int64_t lm_written[2], bar_written[2];                                /* steps */
    int64_t grf[2][GRF_WORDS], t[CYCLES];                                 /* cycles */
    int64_t l1_pe[L1BM_LONGS], l1_down[L1BM_LONGS], l1_multi[L1BM_LONGS]; /* cycles */
    int64_t pe_to_l1, l1_to_l2;                                           /* steps */
    int64_t down[L1B_PER_L2B], multi[L1B_PER_L2B];
    int64_t l2_written[L2BM_LONGS];
    bool forward[4]; /* mauf aluf lbf mreadf hold something */
    uint8_t aluf_block;
    int lbi_kind, lbi_mabdiff;    /* kind -1: nothing to read */
    uint8_t block[2][GRF_WORDS];  /* precision whose valid block a word belongs to */
    bool untouched[2][GRF_WORDS]; /* still zero: a valid block of any precision */
    uint16_t rows[2][PREC_H + 1]; /* physical rows that are valid in a precision */
    bool mask_mode;               /* a mask... line is in force */
    /* A matrix being filled with blocks and then used: precision (0 = none), plane, rows written,
     * products still to come. Nothing else writes that plane meanwhile. */
    uint8_t script, script_plane;
    unsigned script_row, script_products;
    struct transfer flight[FLIGHT];
    unsigned in_flight;
    unsigned next_tag, untagged;
};

/* Text. */
void gen_put(struct gen *gen, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gen_number(struct gen *gen, char *text, size_t size, uint64_t value);
/* An entry of DAR: few, so that what is written is also used; sometimes the end. */
uint32_t gen_dar_entry(struct gen *gen);
static inline bool gen_has(const struct gen *gen, unsigned feature)
{
    return (gen->options.features & feature) != 0;
}
static inline unsigned gen_below(struct gen *gen, unsigned limit)
{
    return fill_below(&gen->fill, limit);
}
static inline bool gen_chance(struct gen *gen, unsigned in)
{
    return fill_chance(&gen->fill, in);
}

void gen_model_init(struct gen *gen);
/* The first step at which the plan is legal. */
int64_t gen_model_earliest(const struct gen *gen, const struct plan *plan);
/* The first step number before which an MV may stand (3.6.3.1). */
int64_t gen_model_mv_earliest(const struct gen *gen, const struct region region[2]);
/* The plan was issued at gen->step: remember, and count the step. */
void gen_model_issue(struct gen *gen, const struct plan *plan);
/* Do two regions meet? */
bool gen_region_meets(const struct region *a, const struct region *b);
/* Index of a transfer in flight that must be waited for, or -1. */
int gen_model_conflict(const struct gen *gen, const struct region *touched, bool writes, bool dar);
void gen_model_landed(struct gen *gen, unsigned index);

/* gen_step.c: a random plan. */
void gen_plan_step(struct gen *gen, struct plan *plan);
/* gen_l1bm.c */
void gen_plan_l1bm(struct gen *gen, struct plan *plan);
void gen_plan_l2bm(struct gen *gen, struct plan *plan);
/* gen_operand.c: operands of PE expressions. Text is appended to expr with a leading blank. */
enum { INPUT_NEGATE = 1, INPUT_FIRST = 2, INPUT_FORWARD = 4, INPUT_PLAIN = 8 };
/* suffix is "", "e" or "r"; returns false when no memory fits (then nothing was appended). */
bool gen_plan_input(struct gen *gen, struct plan *plan, char *expr, unsigned words, unsigned how,
                    const char *suffix);
enum { OUTPUT_OMR = 1, OUTPUT_BAR = 2, OUTPUT_EXACT = 4, OUTPUT_UNMASKED = 8 };
void gen_plan_outputs(struct gen *gen, struct plan *plan, char *expr, unsigned words, unsigned how);
/* "/mask" on an opcode, sometimes. */
void gen_plan_flush(struct gen *gen, struct plan *plan, char *expr);
void gen_append(char *expr, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A place whose words hold valid blocks of a precision, as text; false when there is none. */
bool gen_plan_block_input(struct gen *gen, struct plan *plan, char *expr, uint8_t prec,
                          bool negate);

#endif
