/*
 * state: the executor's representation of the memories and registers of one board; internal to the
 * executor (others include exec.h).
 *
 * All PE run the same step, so MABs whose PE memories are equal stay equal until an input makes
 * them differ. The PE side is therefore stored once per class of equal MABs: class_of[mab] is the
 * class; class k owns lanes 4k .. 4k+3, one per PE. For one address, all lanes are adjacent:
 *
 *   row(LM0, long word 7):   [class 0: pe0 pe1 pe2 pe3][class 1: pe0 ...] ... unused ... | next row
 *                            <--------------------- stride --------------------------->
 *
 * Execution starts with one class. Classes are split exactly by what makes MABs differ: d set with
 * selectors, the inputs $l2bid $l1bid $mabid $peid, transfers from L1BM when the delivered data
 * differ, and initial patterns. Classes are never merged. With 1024 classes, class k is MAB k.
 *
 * A MAB's number is ((group * 2 + l2b) * 8 + l1b) * 16 + mab; a row is one long word of every PE.
 * A row that no statement has used yet (touched) holds nothing: its contents are those at power-on.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_STATE_H
#define TAKT_FUNCTIONAL_MNCORE2_STATE_H

#include "functional/mncore2/exec.h"
#include "host/workers.h"

/* Units whose output of the last step can be read by forwarding (3.6.1.15 to .18). */
enum unit { UNIT_MAU, UNIT_ALU, UNIT_LB, UNIT_MREAD, UNITS };

/* First row of each PE memory. Forwarding: two buffers of 4 cycles x 2 long words per unit. */
enum {
    ROW_LM0 = 0,
    ROW_LM1 = ROW_LM0 + LM_WORDS / 2,
    ROW_GRF0 = ROW_LM1 + LM_WORDS / 2,
    ROW_GRF1 = ROW_GRF0 + GRF_WORDS / 2,
    ROW_T = ROW_GRF1 + GRF_WORDS / 2,
    ROW_FWD = ROW_T + T_LONGS,
    ROWS = ROW_FWD + UNITS * 2 * CYCLES * 2
};

enum {
    TURN_LONGS = 64, /* of $lbi in each cycle, at most */
    PAGE_LONGS = 512,
    PLANE_LONGS = MATRIX_ROWS * PE_PER_MAB
};

/* A memory of pages that get their contents at power-on when they are first written. */
struct paged {
    uint64_t *words;
    uint64_t *touched; /* bit per page: words holds its contents */
    uint64_t longs;    /* of the memory */
    uint64_t place;    /* of its first long word */
};

struct exec {
    struct exec_options options;
    struct workers *workers;
    struct poison *poison; /* or NULL */

    /* --- PE side --- */
    uint16_t class_of[MABS];
    uint16_t rep[MABS];        /* of a class: its smallest MAB */
    uint8_t l1b_rep[L1BS];     /* smallest L1B whose 16 MABs have the same classes */
    size_t classes, capacity;  /* in classes */
    size_t stride;             /* long words from row to row */
    uint64_t *rows;            /* ROWS x stride */
    uint8_t touched[ROWS];     /* the row holds its contents, not those at power-on */
    uint64_t *planes[2];       /* [class][row][pe] of $x, $y */
    uint8_t *masks;            /* [entry][cycle][lane], lanes = 4 * capacity */
    uint16_t *bar[2];          /* [lane] */
    bool bar_uniform[2];       /* every lane holds bar_value */
    uint16_t bar_value[2];     /* base address read by the running step */
    uint8_t fwd_buffer[UNITS]; /* which of the two buffers holds the readable output */
    bool fwd_wide[UNITS];      /* false: the LSB long words of the output are zero, not stored */

    /* --- above the PE --- */
    uint64_t (*l1bm)[L1BM_LONGS]; /* [64] */
    uint64_t (*l2bm)[L2BM_LONGS]; /* [8] */
    struct paged pdm[GROUPS], dram[GROUPS];
    uint64_t (*turn)[CYCLES][TURN_LONGS]; /* $lbi of each L1B */
    uint32_t dar[GROUPS][DAR_ENTRIES];
    uint32_t darbuf[GROUPS][DARBUF_ENTRIES];
    uint32_t dar_write, darbuf_read;

    /* --- scratch of a step; unused between steps --- */
    uint64_t *lanes;                       /* 8 x 4096 long words */
    uint64_t (*up)[CYCLES][TURN_LONGS];    /* PE -> L1BM results of each L1B */
    uint64_t (*down)[CYCLES * TURN_LONGS]; /* L2BM -> L1BM data of each L1B */
    uint64_t (*out)[CYCLES * TURN_LONGS];  /* L1BM -> L2BM data of each L2B */
    uint64_t *delivered;                   /* 1024 x 32: data each MAB would receive */
    struct block *blocks;                  /* one for each thread */
    char *text;                            /* echo of a d get */
    size_t text_size;
};

static inline uint64_t *state_row(const struct exec *e, size_t row)
{
    return e->rows + row * e->stride;
}

static inline size_t state_lanes(const struct exec *e)
{
    return e->classes * PE_PER_MAB;
}

static inline uint8_t *state_mask(const struct exec *e, unsigned entry, unsigned cycle)
{
    return e->masks + (entry * CYCLES + cycle) * e->capacity * PE_PER_MAB;
}

/* Row of one forwarding long word in one of the two buffers. */
static inline size_t state_fwd_row(unsigned unit, unsigned buffer, unsigned cycle, unsigned half)
{
    return ROW_FWD + ((unit * 2 + buffer) * CYCLES + cycle) * 2 + half;
}

static inline void state_touch(struct exec *e, size_t row)
{
    __atomic_store_n(&e->touched[row], 1, __ATOMIC_RELAXED);
}

/* The contents at power-on of a lane's long word, and those of now. */
uint64_t mncore2_state_initial(const struct exec *e, size_t row, size_t lane);
uint64_t mncore2_state_long(const struct exec *e, size_t row, size_t lane);
/* Fill rows that are untouched, before a statement uses them. */
void mncore2_state_fill(struct exec *e, size_t row, size_t count);

/* First row and number of rows of a PE memory (MEM_LM0 .. MEM_T). */
static inline size_t state_base(unsigned mem)
{
    return mem == MEM_LM0    ? ROW_LM0
           : mem == MEM_LM1  ? ROW_LM1
           : mem == MEM_GRF0 ? ROW_GRF0
           : mem == MEM_GRF1 ? ROW_GRF1
                             : ROW_T;
}

static inline size_t state_size(unsigned mem)
{
    return mem == MEM_LM0 || mem == MEM_LM1     ? LM_WORDS / 2
           : mem == MEM_GRF0 || mem == MEM_GRF1 ? GRF_WORDS / 2
                                                : T_LONGS;
}

/* Set all memories to their contents at power-on (options.init). 0, or -1 when memory is out. */
int mncore2_state_init(struct exec *e);
void mncore2_state_release(struct exec *e);

/* Split classes so that MABs of one class have equal keys. Returns 0, or -1 when memory is out.
 * Only equality of keys matters. */
int mncore2_state_split(struct exec *e, const uint32_t key[MABS]);

/* The place numbers of init_word cover every long word of the board. */
enum { /* the memory, in a place's upper bits */
       PLACE_PE = 1,
       PLACE_PLANE,
       PLACE_L1BM,
       PLACE_L2BM,
       PLACE_PDM,
       PLACE_DRAM,
       PLACE_MASK,
       PLACE_BAR,
       PLACE_TURN,
       PLACE_DAR,
       PLACE_DARBUF,
       PLACE_POINTERS
};
static inline uint64_t state_place(uint64_t kind, uint64_t index)
{
    return kind << 40 | index;
}

/* Copy count long words from or to a memory of `size` that wraps. */
void mncore2_state_copy_out(uint64_t *out, const uint64_t *memory, uint64_t size, uint64_t addr,
                            size_t count);
void mncore2_state_copy_in(uint64_t *memory, uint64_t size, uint64_t addr, const uint64_t *in,
                           size_t count);

/* The memory of a group: MEM_PDM or MEM_DRAM. */
static inline const struct paged *state_paged(const struct exec *e, unsigned mem, unsigned group)
{
    return mem == MEM_PDM ? &e->pdm[group] : &e->dram[group];
}

/* Fill the untouched pages of a stretch with their initial contents and mark them touched. */
void mncore2_state_touch_pages(struct exec *e, const struct paged *memory, uint64_t addr,
                               uint64_t count);
/* Copy long words without touching their pages. addr wraps. */
void mncore2_state_read_pages(const struct exec *e, const struct paged *memory, uint64_t addr,
                              size_t count, uint64_t *out);

/* --- operands of PE memories --- */

/* True if the address does not depend on the lane. */
static inline bool state_uniform(const struct exec *e, const struct operand *op)
{
    if (op->j >= 0 || (op->flags & OPERAND_T))
        return false;
    return (op->mem != MEM_LM0 || e->bar_uniform[0]) && (op->mem != MEM_LM1 || e->bar_uniform[1]);
}

/* Fill the untouched rows that a step can reach by an operand of any memory. */
void mncore2_state_fill_operand(struct exec *e, const struct operand *op);

/* Lanes [first, first + count). */
struct lanes {
    size_t first, count;
};

/* Read an operand in one cycle: bus[0], bus[1] point into the state if possible, else into spare (2
 * x count long words). NULL = zero. mem: LM0 .. T and forwarding. */
void mncore2_state_read(const struct exec *e, const struct operand *op, unsigned cycle,
                        struct lanes lanes, uint64_t *spare, const uint64_t *bus[2]);

/* The bits of a bus's two long words that a cycle may write. bits[h] == NULL: all[h] applies. */
struct gate {
    const uint64_t *bits[2]; /* for each lane */
    bool all[2];             /* everything or nothing */
};

/* The word address that a lane uses: LM0, LM1, GRF0, GRF1. */
uint32_t mncore2_state_address(const struct exec *e, const struct operand *op, unsigned cycle,
                               size_t lane);

/* Write a bus to LM0 .. T or a base address register. bus[h] == NULL is zero. */
void mncore2_state_write(struct exec *e, const struct operand *op, unsigned cycle,
                         struct lanes lanes, const uint64_t *const bus[2], const struct gate *gate);

/* --- the parts of the executor; they return mncore2_exec_item's status --- */
int mncore2_exec_step_run(struct exec *e, const struct step *step);
/* The bits of a long word of an output (half: which of two) that a lane may write in a cycle. */
struct gate_at {
    unsigned cycle, half;
    size_t lane;
};
uint64_t mncore2_exec_gate(const struct exec *e, const struct step *step, const struct operand *op,
                           struct gate_at at);
int mncore2_exec_step_prepare(struct exec *e); /* scratch of steps; -1 when memory is out */
void mncore2_exec_step_release(struct exec *e);

/* L1BM -> PE: split classes by the data they receive. */
int mncore2_exec_l1bm_split(struct exec *e, const struct expr *expr);
/* The data that the lanes receive in one cycle. */
void mncore2_exec_l1bm_deliver(const struct exec *e, const struct expr *expr, unsigned cycle,
                               struct lanes lanes, uint64_t *const out[2]);
/* True when the transfer delivers two long words to a PE. */
bool mncore2_exec_l1bm_wide(const struct expr *expr);
/* True for PE -> L1BM. */
bool mncore2_exec_l1bm_upward(const struct expr *expr);
/* PE -> L1BM: compute into e->up, later store. */
void mncore2_exec_l1bm_collect(struct exec *e, const struct expr *expr);
void mncore2_exec_l1bm_store(struct exec *e, const struct expr *expr, bool keep_turn);

/* L2BM: compute into scratch, later store. */
void mncore2_exec_l2bm_collect(struct exec *e, const struct expr *expr);
void mncore2_exec_l2bm_store(struct exec *e, const struct expr *expr);
void mncore2_exec_l2bm_darw(struct exec *e);

void mncore2_exec_mv_run(struct exec *e, const struct mv *mv);
/* One memory on one side of a transfer: its long words in the transfer's order. */
struct mv_place {
    const struct mv *mv;
    bool to; /* it is the destination, not the source */
    unsigned group, l2b;
};
/* Copy the first count long words into the machine, or out of it. */
void mncore2_exec_mv_words(struct exec *e, const struct mv_place *place, bool into, uint64_t *words,
                           size_t count);

/* Levels of the hierarchy above a memory: 1 group, 2 L2B, 3 L1B, 4 MAB, 5 PE. */
unsigned mncore2_exec_levels(unsigned mem);
int mncore2_exec_debug_get(struct exec *e, const struct program *program, size_t item,
                           const struct debug *debug, struct diag_list *diags);
/* A d set or r line of this source text. */
int mncore2_exec_debug_set(struct exec *e, const char *text, const struct debug *debug);

#endif
