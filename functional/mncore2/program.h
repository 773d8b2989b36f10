/*
 * program: MN-Core 2 assembly after decoding (manual chapter 3). The executor, the effects, the
 * checks, the printer and the timing model read only this.
 *
 *   program.items[]   one entry per statement of the source, in order
 *        |            (comments, empty lines, mask... lines and lines after quit leave none)
 *        v
 *   program.stmts[]   distinct statements; machine statements are interned by their text and the
 *                     mask mode in effect, and decoded once
 *
 * Units: PE memory addresses are words (32 bit); L1BM, L2BM, PDM, DRAM addresses are long words
 * (64 bit) (3.2.1). A step is 4 cycles, i = 0..3 (1.2).
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_PROGRAM_H
#define TAKT_FUNCTIONAL_MNCORE2_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "functional/diag.h"
#include "functional/source.h"

/* The tree (1.1) and the sizes (1.5, 3.5.6, 3.6.7.10). */
enum {
    GROUPS = 4,
    L2B_PER_GROUP = 2,
    L2BS = 8,
    L1B_PER_L2B = 8,
    L1BS = 64,
    MAB_PER_L1B = 16,
    MABS = 1024,
    PE_PER_MAB = 4,
    PES = 4096,
    CYCLES = 4, /* of a step */

    LM_WORDS = 4096,   /* LM0 or LM1 of one PE: 2 Ki long words */
    GRF_WORDS = 512,   /* GRF0 or GRF1 of one PE: 256 long words */
    T_LONGS = 8,       /* T of one PE: 2 long words x 4 cycles */
    MASK_ENTRIES = 16, /* variable entries are 1..15 */
    MATRIX_ROWS = 16,  /* physical rows of 4 long words of one plane of one MAB (3.6.1.14) */
    L1BM_LONGS = 8192,
    L2BM_LONGS = 32768,
    PDM_LONGS = 524288,
    DAR_ENTRIES = 1024,
    DARBUF_ENTRIES = 512
};
#define DRAM_LONGS ((uint64_t)512 * 1024 * 1024)

enum insn {
#define INSN(id, mnemonic, group, types, inputs, wide, uns, section, sentence) INSN_##id,
#include "functional/mncore2/insn.def"
    INSN_COUNT
};

enum mv_mode {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence) MV_##id,
#include "functional/mncore2/mv.def"
    MV_COUNT
};

enum mv_where { WHERE_ONE, WHERE_EACH, WHERE_EACH2, WHERE_GRP2, WHERE_ALL, WHERE_ALLD };

/* Parallel-issue groups, table 3.6. A decoded L1BM expression that reads $lbi is L1BM_TURN. */
enum group {
    GROUP_NOP,
    GROUP_NOFORWARD,
    GROUP_L2BM,
    GROUP_L2BMDARW,
    GROUP_L1BM,
    GROUP_L1BM_TURN,
    GROUP_MAU_CALC,
    GROUP_MAU_MWRITE,
    GROUP_MAU_MREAD,
    GROUP_ALU,
    GROUP_WAIT,
    GROUP_COUNT
};

/* Precision of an expression: floats d f g h, integers l i s (long word, word, half word). */
enum prec { PREC_NONE, PREC_D, PREC_F, PREC_G, PREC_H, PREC_L, PREC_I, PREC_S };

/* RRN operations (3.5.5); with a precision they make an rrn_opcode. */
enum rrn { RRN_NONE, RRN_FADD, RRN_MAX, RRN_MIN, RRN_IADD, RRN_BAND, RRN_AND, RRN_BOR, RRN_OR };

/* The memory or register of an operand. */
enum mem {
    MEM_NONE,
    MEM_LM0,  /* $m  */
    MEM_LM1,  /* $n  */
    MEM_GRF0, /* $r  */
    MEM_GRF1, /* $s  */
    MEM_T,    /* $t  */
    MEM_OMR,  /* $omr<addr>, output only; addr[0] is the entry */
    MEM_BAR0, /* $mb $lmb, output only */
    MEM_BAR1, /* $nb $lnb, output only */
    MEM_MAUF, /* forwarding, input only */
    MEM_ALUF,
    MEM_LBF,
    MEM_MREADF,
    MEM_NOWRITE, /* output only */
    MEM_L2BID,   /* fixed inputs of the ALU's first operand (table 3.5) */
    MEM_L1BID,
    MEM_MABID,
    MEM_PEID,
    MEM_SUBPEID,
    MEM_MSB1,
    MEM_X, /* matrix register planes; addr[0] is the row or column, words 2 ($l) or 4 ($ll) */
    MEM_Y,
    MEM_L1BM, /* $lb $llb; addr[0], words 2 or 4 */
    MEM_LBI,  /* $lbi $llbi */
    MEM_L2BM, /* $lc; addr[0]; l2b for l2bmdars */
    MEM_DAR,  /* $dar<addr> */
    MEM_PDM,  /* control statements and MV only */
    MEM_DRAM,
    MEM_COUNT
};

enum operand_flag {
    OPERAND_NEGATE = 1 << 0, /* leading - (3.6.9.22) */
    OPERAND_EXTEND = 1 << 1, /* e (3.6.9.23) */
    OPERAND_REDUCE = 1 << 2, /* r (3.6.9.24, 3.6.12.19) */
    OPERAND_FLAT = 1 << 3,   /* written as [a,b,c,d] */
    OPERAND_STRIDE = 1 << 4, /* v or v<n> was written */
    OPERAND_T = 1 << 5,      /* T-indirect: T[cycle] is added (LM0 only) */
    OPERAND_MASKED = 1 << 6  /* output: the step's write mask applies */
};

/* One operand of a PE expression. addr is resolved per cycle; BAR, T and j are added at run time:
 * word address = (BAR + T[i] + addr[i] + (j >= 0 && pe <= j ? words : 0)) mod size, then aligned
 * down to words (3.6.1.6). */
struct operand {
    uint8_t mem;    /* enum mem */
    uint8_t words;  /* access length: 1 word, 2 = long word, 4 = two long words; T, forwarding: 4 */
    uint16_t flags; /* enum operand_flag */
    int8_t j;       /* <madpe> 0..3, -1 = none */
    uint8_t l2b;    /* of $lc<addr>@.<l2b> in l2bmdars */
    uint16_t addr[CYCLES]; /* already reduced modulo the memory's size; addr[0] is as written */
};
/* Operands dominate the size of programs of millions of statements, so this stays small.
 * mncore2_program_place recomputes an operand's position in its line. */
_Static_assert(sizeof(struct operand) == 14, "an operand stays small");
_Static_assert(L2BM_LONGS <= UINT16_MAX, "addresses fit into addr");

enum { MAX_IN = 3, MAX_OUT = 10 };

struct expr {
    uint8_t insn;     /* enum insn */
    uint8_t group;    /* enum group */
    uint8_t prec;     /* enum prec */
    uint8_t rrn;      /* enum rrn, for reductions; its precision is prec (hfadd in L1BM keeps H) */
    bool uns : 1;     /* u option; for imm: second and fourth word 0 */
    bool reduce : 1;  /* r at the end of a MAU or L1BM reduction opcode */
    bool lower : 1;   /* d of dmfmad/dvfmad...; false = u (double precision MAU only) */
    bool flush : 1;   /* zero-flush mask on this opcode: the step's mask entry */
    uint8_t mantissa; /* n of hbfn/n, hbfe/n: 6..9 */
    uint8_t mab;      /* of l1bmm@n, l1bmm4@n */
    int8_t mabdiff;   /* of l1bmd±n: -15..15 */
    uint8_t immode;   /* of an L1B set written as badr/immode (l2bmi needs it) */
    uint8_t l1bset;   /* bit b = L1B b takes part; 0xff when not restricted */
    uint8_t in_count, out_count;
    uint32_t imm;                        /* the word of an immediate */
    struct operand in[MAX_IN + MAX_OUT]; /* inputs, then outputs (expr_out); a program stores only
                                          * in_count + out_count of them */
};
_Static_assert(offsetof(struct expr, in) == 16, "the head of an expression stays small");

/* Output i of an expression. */
static inline const struct operand *expr_out(const struct expr *expr, unsigned i)
{
    return &expr->in[expr->in_count + i];
}

/* Long words per cycle on the L1BM side of an L1BM transfer of one long word ($lb, table 3.8). */
uint32_t mncore2_l1bm_rate(const struct expr *expr);

/* A PE statement: one step. Its expressions follow it in memory. */
struct step {
    uint16_t at[GROUP_COUNT]; /* of step_expr: bytes from here, 0 = none */
    bool noforward : 1;       /* also set on nops (3.6.5) */
    bool darw : 1;            /* l2bmdarw */
    bool mask_wide : 1;       /* ll: the mask covers all 4 words of two long words */
    bool needs_flat : 1;      /* some operand can only be assembled in flat mode (3.6.1.6) */
    uint8_t wait;             /* tag, 0 = none */
    uint8_t mask_entry;       /* 0..31: one entry and one length for the whole step (3.6.2) */
    uint32_t nops;            /* n of nop/n; 0 = the step is not a nop */
};

/* The expression of a group (enum group), or NULL. NOP, NOFORWARD, L2BMDARW and WAIT have no
 * expression. */
static inline const struct expr *step_expr(const struct step *step, unsigned group)
{
    return step->at[group] == 0
               ? NULL
               : (const struct expr *)(const void *)((const char *)step + step->at[group]);
}

/* An operand of an MV statement. */
struct mv_operand {
    uint8_t mem;   /* MEM_PDM, MEM_DRAM, MEM_L2BM */
    int8_t group;  /* -1 = every group */
    int8_t l2b;    /* -1 = both (L2BM only) */
    bool indirect; /* $di<addr>: addr is the DAR entry */
    uint64_t addr;
    uint32_t column, length;
};

struct mv {
    uint8_t mode;      /* enum mv_mode */
    uint8_t prec, rrn; /* of mvr */
    uint8_t tag;       /* 0 = none */
    uint8_t priority;  /* 0..3 */
    uint32_t nd;       /* nd<N>; 0 = not written = unlimited */
    uint64_t size;     /* long words, in the count of n<size> */
    struct mv_operand from, to;
};

/* d get / d set. Selectors: -1 = all elements of that level. */
struct debug {
    uint8_t mem; /* enum mem including PDM, DRAM, L2BM, L1BM, X, Y, OMR */
    uint8_t words;
    char dtype[3]; /* "", "d", "bd", "f", "bf", "bg", "h", "bh" */
    int8_t group, l2b, l1b, mab, pe;
    uint64_t addr;
    uint64_t count;
    size_t payload, payload_size; /* d set, r: bytes of the source text */
};

enum stmt_kind {
    STMT_STEP,
    STMT_MV,
    STMT_MVNOP,
    STMT_GET,
    STMT_SET,
    STMT_PRESET /* r line: DRAM preset; debug.group, addr, count, payload */
};

struct stmt {
    uint8_t kind; /* enum stmt_kind */
    union {
        const struct step *step;
        const struct mv *mv;
        const struct debug *debug;
    };
};

struct item {
    uint32_t stmt;   /* index into stmts */
    uint32_t line;   /* from 1 */
    uint64_t offset; /* of the line in its source's text */
};

struct program {
    const struct source *sources; /* borrowed; must outlive the program */
    size_t source_count;
    struct stmt *stmts;
    size_t stmt_count;
    struct item *items;
    size_t item_count;
    size_t *source_first; /* item index at which each source begins; source_count + 1 entries */
    void *pool;           /* owner of all arrays above */
};

/* Parse all sources, in order, as one program. All errors and warnings of the language (3.1 to
 * 3.6.13 except 3.6.3, which is timing/mncore2/hazard.h) go to diags, sorted. Returns 0; 1 if there
 * was an error; -1 when memory is out. On 1 the program holds the statements that could be decoded,
 * with a nop for each refused step; free it in every case. */
int mncore2_program_parse(struct program *program, const struct source *sources,
                          size_t source_count, struct diag_list *diags);
void mncore2_program_free(struct program *program);

/* The line of an item without its end; length in *length. */
const char *mncore2_program_line(const struct program *program, size_t item, size_t *length);
/* The same without surrounding blanks and comment. */
const char *mncore2_program_text(const struct program *program, size_t item, size_t *length);
/* Column (from 1) and length, in the line, of an operand of the item's step. The line is parsed
 * again: only findings need this, and they are few. */
struct text_place {
    uint32_t column, length;
};
struct text_place mncore2_program_place(const struct program *program, size_t item,
                                        const struct operand *operand);
/* Index of the source of an item. */
uint32_t mncore2_program_source(const struct program *program, size_t item);

/* Canonical text of one statement (no newline), as takt print writes it; NUL-terminated. Returns
 * the length needed, like snprintf. mask... lines are folded into single-line masks. */
int mncore2_stmt_print(const struct program *program, const struct stmt *stmt, char *text,
                       size_t size);

/* The same of an operand of an expression, without sign, conversions and mask: "$lr8v". */
int mncore2_place_print(const struct expr *expr, const struct operand *operand, char *text,
                        size_t size);

#endif
