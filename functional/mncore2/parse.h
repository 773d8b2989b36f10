/*
 * parse: the internal header of the parser.
 *
 *   program.c        lines, interning, the mask mode, quit
 *     parse_step.c     a PE statement: expressions, masks      operand.c     one operand by itself
 *       parse_move.c   L2BM and L1BM (3.6.7, 3.6.8)            parse_read.c  operands in position
 *       parse_mau.c    MAU (3.6.9 to 3.6.11)                   rules.c       3.6.4
 *       mncore2_parse_alu.c    ALU, immediate values (3.6.12, 3.2.2)   names.c       opcodes
 *     parse_at.c       the place of a finding
 *     parse_mv.c       an MV statement (3.5)
 *     parse_control.c  d get, d set, r, mask (3.4, 3.6.2.1)
 *
 * A statement is decoded into a scratch first; it goes to the pool when no error was found. All
 * findings of a line are reported: after an error, parsing continues with the next operand or
 * expression.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_PARSE_H
#define TAKT_FUNCTIONAL_MNCORE2_PARSE_H

#include "functional/mncore2/lex.h"
#include "functional/mncore2/program.h"

/* The mode set by the last mask... line (3.6.2.1). Canonical: either letters is 0 or entry is above
 * 0. */
enum mask_letter { MASK_R = 1, MASK_S = 2, MASK_T = 4, MASK_M = 8, MASK_N = 16, MASK_K = 32 };

struct mask_mode {
    uint8_t letters; /* enum mask_letter */
    uint8_t entry;
    bool wide;
};

struct parser {
    struct program *program;
    struct diag_list *diags;
    const struct source *source;
    uint32_t file, line_number;
    const char *line; /* start of the line */
    struct mask_mode mode;
};

/* A finding located at a piece of the line; parse_error and parse_warning add it. */
struct diag mncore2_parse_at(const struct parser *parser, enum diag_severity severity,
                             const char *from, size_t length, const char *rule, const char *name);

#define parse_error(parser, from, length, rule, ...)                                               \
    do {                                                                                           \
        const struct diag at_ = mncore2_parse_at(parser, DIAG_ERROR, from, length, rule, "");      \
        diag_add((parser)->diags, &at_, __VA_ARGS__);                                              \
    } while (0)
#define parse_warning(parser, from, length, rule, name, ...)                                       \
    do {                                                                                           \
        const struct diag at_ = mncore2_parse_at(parser, DIAG_WARNING, from, length, rule, name);  \
        diag_add((parser)->diags, &at_, __VA_ARGS__);                                              \
    } while (0)

static inline uint32_t parse_column(const struct parser *parser, const char *at)
{
    return (uint32_t)(at - parser->line) + 1;
}

/* The text at a column of the current line. */
static inline const char *parse_text(const struct parser *parser, uint32_t column)
{
    return parser->line + column - 1;
}

/* For printf's %.*s: findings quote at most this much of the user's text. */
static inline int parse_quote(size_t length)
{
    return length > 60 ? 60 : (int)length;
}

/* --- names.c ---------------------------------------------------------------------------------- */

enum mv_base_id {
    BASE_MVP,
    BASE_MVB,
    BASE_MVB2,
    BASE_MVB4,
    BASE_MVR,
    BASE_MVR2,
    BASE_MVR4,
    BASE_MVD,
    BASE_COUNT
};

enum opcode_kind { OPCODE_PE, OPCODE_MV, OPCODE_MVNOP };

/* One spelling of an opcode: everything before @ / + -. */
struct opcode {
    char name[16];
    uint8_t kind, insn, base, prec, rrn; /* base: enum mv_base_id of OPCODE_MV */
    bool uns, reduce, lower;
    bool alias; /* a synonym of an earlier spelling */
};

const struct opcode *mncore2_opcode_find(const char *text, size_t length);
/* All spellings, in the order of the rows. */
const struct opcode *mncore2_opcode_all(size_t *count);
/* Report an unknown opcode as helpfully as possible. */
void mncore2_opcode_unknown(struct parser *parser, struct token token);

/* A row of insn.def, which says what its columns mean. */
struct insn_row {
    const char *mnemonic, *section, *sentence; /* section: of the first precision and length */
    uint16_t types;                            /* bits of enum prec */
    uint8_t group;                             /* enum group */
    uint8_t inputs, wide, uns;
};
extern const struct insn_row mncore2_insns[INSN_COUNT];
/* The section of one precision, and of one or two long words in L1BM. */
const char *mncore2_insn_section_of(unsigned insn, unsigned prec, bool two);
extern const char *const mncore2_group_name[GROUP_COUNT];
extern const char *const mncore2_rrn_name[];          /* by enum rrn */
extern const char mncore2_prec_letter[];              /* by enum prec; '\0' for none */
extern const char *const mncore2_mem_name[MEM_COUNT]; /* "GRF0", for messages */

struct mv_row {
    const char *base;
    uint8_t from, to, where; /* enum mem, enum mv_where */
    uint16_t unit_from, unit_to;
    const char *section, *sentence;
};
extern const struct mv_row mncore2_mv_rows[MV_COUNT];
extern const char *const mncore2_base_name[BASE_COUNT];

/* --- operand.c -------------------------------------------------------------------------------- */

/* Addressable units of LM, GRF, L1BM, L2BM and DAR; 1 for a register. */
uint32_t mncore2_parse_units(uint8_t mem);

struct mask {
    bool present, wide, pad, truncate;
    uint8_t entry; /* 0..31 */
};

/* Written in the source but not kept in struct operand. */
struct written {
    struct mask mask;
    bool no_address; /* $lx, $ly of matrix-vector products */
    bool l2b;        /* $lc<addr>@.<l2b> */
    uint32_t base;   /* the address; for $lx and $ly it may be beyond the end */
};

/* Read one operand of a PE expression of this group (enum group), mask included, whatever its
 * position. False: an error was reported. */
bool mncore2_operand_parse(struct parser *parser, struct token token, uint8_t group,
                           struct operand *operand, struct written *written);
/* Read what follows a '/': a write mask (rule 3.6.2.1) or a zero-flush mask (3.6.2.2). */
bool mncore2_mask_parse(struct parser *parser, const char **cursor, const char *end,
                        const char *rule, struct mask *mask);

/* Sets of operands. */
#define MEM_BIT(mem) (UINT64_C(1) << (mem))
#define MEMS_PE                                                                                    \
    (MEM_BIT(MEM_LM0) | MEM_BIT(MEM_LM1) | MEM_BIT(MEM_GRF0) | MEM_BIT(MEM_GRF1) | MEM_BIT(MEM_T))
#define MEMS_FORWARD (MEM_BIT(MEM_MAUF) | MEM_BIT(MEM_ALUF) | MEM_BIT(MEM_LBF))
#define MEMS_FIXED                                                                                 \
    (MEM_BIT(MEM_L2BID) | MEM_BIT(MEM_L1BID) | MEM_BIT(MEM_MABID) | MEM_BIT(MEM_PEID) |            \
     MEM_BIT(MEM_SUBPEID) | MEM_BIT(MEM_MSB1))
#define MEMS_MATRIX   (MEM_BIT(MEM_X) | MEM_BIT(MEM_Y))
#define MEMS_BAR      (MEM_BIT(MEM_BAR0) | MEM_BIT(MEM_BAR1))
#define MEMS_IN       (MEMS_PE | MEMS_FORWARD)
#define MEMS_IN_ALU   (MEMS_IN | MEM_BIT(MEM_MREADF) | MEMS_FIXED)
#define MEMS_OUT_MOVE (MEMS_PE | MEMS_BAR | MEM_BIT(MEM_NOWRITE))
#define MEMS_OUT_CALC (MEMS_OUT_MOVE | MEM_BIT(MEM_OMR))
#define MEMS_L1BM     (MEM_BIT(MEM_L1BM) | MEM_BIT(MEM_LBI))

/* The multiple of unit nearest to value, below size. */
uint64_t mncore2_parse_nearest(uint64_t value, uint64_t unit, uint64_t size);

/* A number as a finding shows it: hexadecimal (0x12) if the user wrote hexadecimal, else decimal
 * (18). */
struct parse_number {
    char text[24];
};
struct parse_number mncore2_parse_like(const char *text, size_t length, uint64_t value);

/* --- expressions ------------------------------------------------------------------------------ */

struct scratch {
    struct step step;                  /* its expressions are in expr below */
    struct expr expr[GROUP_COUNT + 1]; /* in the order of the text; the last is being read */
    struct text_place place[GROUP_COUNT + 1][MAX_IN + MAX_OUT]; /* of their operands */
    unsigned count;
    uint16_t flags;           /* union of all operand flags, if there was no error */
    uint32_t at[GROUP_COUNT]; /* column of each group's opcode; 0 = absent */
    uint32_t mark_length[GROUP_COUNT];
    /* masks, before they are resolved */
    struct mask own, flush;
    const char *own_at, *flush_at; /* the first of each */
};

/* Position of an operand of one of the scratch's expressions. */
static inline const struct text_place *
scratch_place(const struct scratch *scratch, const struct expr *expr, const struct operand *operand)
{
    return &scratch->place[expr - scratch->expr][operand - expr->in];
}

/* An expression being read. */
struct reading {
    struct parser *parser;
    struct scratch *scratch;
    const struct opcode *opcode;
    struct token token;       /* the opcode as written, with its attachments */
    const char *cursor, *end; /* the operands */
    struct expr *expr;
    struct text_place *place; /* of the operands in expr */
    uint32_t base;            /* address with which the last operand was written */
    bool bad;
};

static inline struct operand *expr_out_of(struct expr *expr, unsigned i)
{
    return &expr->in[expr->in_count + i];
}

/* Text position of an operand of the expression being read. */
static inline const char *reading_text(const struct reading *reading, const struct operand *operand)
{
    return parse_text(reading->parser, reading->place[operand - reading->expr->in].column);
}

static inline uint32_t reading_length(const struct reading *reading, const struct operand *operand)
{
    return reading->place[operand - reading->expr->in].length;
}

static inline const char *reading_section(const struct reading *reading)
{
    const struct expr *expr = reading->expr;
    const bool to_pe =
        expr->in_count > 0 && (expr->in[0].mem == MEM_L1BM || expr->in[0].mem == MEM_LBI);
    const bool two =
        to_pe ? expr->in[0].words == 4
              : expr->out_count > 0 && expr_out(expr, 0)->words == 4 &&
                    (expr_out(expr, 0)->mem == MEM_L1BM || expr_out(expr, 0)->mem == MEM_LBI);
    return mncore2_insn_section_of(expr->insn, expr->prec, two);
}

/* Decode one PE statement. False when it has an error. */
bool mncore2_step_parse(struct parser *parser, const char *text, const char *end,
                        struct scratch *scratch);
/* Read the next operand of an expression and check it against the set of allowed memories. */
bool mncore2_reading_in(struct reading *reading, uint64_t allowed, const char *what);
bool mncore2_reading_outs(struct reading *reading, uint64_t allowed, const char *what);
bool mncore2_reading_out_one(struct reading *reading, uint64_t allowed, const char *what);
/* A zero-flush mask after the opcode (3.6.2.2). */
void mncore2_reading_flush(struct reading *reading, const char *at, const char *end, bool allowed);
/* Check e, r and - on an input against those this port supports. */
void mncore2_reading_flags(struct reading *reading, const struct operand *operand, uint16_t allowed,
                           const char *why);

/* Warn of an r on an operand that is shorter than the conversion needs. */
void mncore2_reading_lengths(struct reading *reading, const struct operand *operand);

void mncore2_parse_l2bm(struct reading *reading);
void mncore2_parse_l1bm(struct reading *reading);
void mncore2_parse_mau(struct reading *reading);
void mncore2_parse_mwrite(struct reading *reading);
void mncore2_parse_mread(struct reading *reading);
/* [at, end) is the text after the opcode. */
void mncore2_parse_alu(struct reading *reading, const char *at, const char *end);

void mncore2_rules_check(struct parser *parser, struct scratch *scratch);

/* --- parse_mv.c, parse_control.c -------------------------------------------------------------- */

bool mncore2_mv_parse(struct parser *parser, const char *text, const char *end, struct mv *mv);
/* d get, d set and r lines, by kind. */
bool mncore2_debug_parse(struct parser *parser, const char *text, const char *end,
                         struct debug *debug, enum stmt_kind *kind);
bool mncore2_mask_line_parse(struct parser *parser, const char *text, const char *end);

#endif
