/* print: the canonical text of a statement, one spelling per meaning. Parsing it gives the same
 * statement, except for what program.h marks "as written": columns, and whether a mask came from a
 * mask line. Addresses are decimal, immediate values ui"0x..", payloads 16 digits per word. */
#include <string.h>

#include "functional/mncore2/intern.h"
#include "functional/mncore2/parse.h"

struct out {
    char *text;
    size_t size, length;
};

static void put_bytes(struct out *out, const char *bytes, size_t count)
{
    if (out->length < out->size) {
        const size_t room = out->size - out->length;
        memcpy(out->text + out->length, bytes, count < room ? count : room);
    }
    out->length += count;
}

static void put(struct out *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

static void put_char(struct out *out, char c)
{
    if (c != '\0')
        put_bytes(out, &c, 1);
}

static void put_number(struct out *out, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    put_bytes(out, digits + at, sizeof digits - at);
}

static void put_hex(struct out *out, uint64_t number, unsigned digits)
{
    while (digits-- > 0)
        put_char(out, "0123456789abcdef"[number >> (4 * digits) & 15]);
}

static void put_mask(struct out *out, const struct step *step, char suffix)
{
    put_char(out, '/');
    if (step->mask_entry < MASK_ENTRIES) {
        put(out, step->mask_wide ? "$llimr" : "$imr");
        put_number(out, step->mask_entry);
    } else {
        put(out, step->mask_wide ? "ll" : "");
        for (unsigned bit = 8; bit != 0; bit >>= 1)
            put_char(out, (step->mask_entry & bit) != 0 ? '1' : '0');
    }
    put_char(out, suffix);
}

static const char *fixed_spelling(const struct operand *operand)
{
    switch (operand->mem) {
    case MEM_T:
        return "$t";
    case MEM_BAR0:
        return operand->words == 1 ? "$mb" : "$lmb";
    case MEM_BAR1:
        return operand->words == 1 ? "$nb" : "$lnb";
    case MEM_LBI:
        return operand->words == 4 ? "$llbi" : "$lbi";
    default:
        return mncore2_mem_name[operand->mem]; /* $mauf .. $msb1 are printed as written */
    }
}

static const char *letter_of(uint8_t mem)
{
    switch (mem) {
    case MEM_LM0:
        return "m";
    case MEM_LM1:
        return "n";
    case MEM_GRF0:
        return "r";
    case MEM_GRF1:
        return "s";
    case MEM_X:
        return "x";
    case MEM_Y:
        return "y";
    case MEM_L1BM:
        return "b";
    case MEM_L2BM:
        return "c";
    case MEM_OMR:
        return "omr";
    case MEM_DAR:
        return "dar";
    default:
        return NULL;
    }
}

/* The increment as written (words). */
static unsigned stride_of(const struct operand *operand)
{
    const bool lm = operand->mem == MEM_LM0 || operand->mem == MEM_LM1;
    if ((operand->flags & OPERAND_STRIDE) == 0)
        return 0;
    return ((unsigned)operand->addr[1] - operand->addr[0]) & ((lm ? LM_WORDS : GRF_WORDS) - 1u);
}

static void put_address(struct out *out, const struct operand *operand)
{
    const bool t = (operand->flags & OPERAND_T) != 0;
    const unsigned stride = stride_of(operand);
    if (t)
        put_char(out, 't');
    if ((operand->flags & OPERAND_FLAT) != 0) {
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            put_char(out, cycle == 0 ? '[' : ',');
            put_number(out, operand->addr[cycle]);
        }
        put_char(out, ']');
    } else if (!t || operand->addr[0] != 0 || stride != 0) {
        put_number(out, operand->addr[0]);
        if (stride != 0) {
            put_char(out, 'v');
            if (stride != operand->words)
                put_number(out, stride);
        }
    }
    if (operand->j >= 0) {
        put_char(out, 'j');
        put_number(out, (uint64_t)operand->j);
    }
}

static void put_place(struct out *out, const struct expr *expr, const struct operand *operand)
{
    const char *letter = letter_of(operand->mem);
    if (letter == NULL) {
        put(out, fixed_spelling(operand));
        return;
    }
    const bool lengthless = operand->mem == MEM_OMR || operand->mem == MEM_DAR;
    put(out, lengthless || operand->words == 1 ? "$" : operand->words == 2 ? "$l" : "$ll");
    put(out, letter);
    const bool matrix = operand->mem == MEM_X || operand->mem == MEM_Y;
    if (!matrix || expr->group != GROUP_MAU_CALC)
        put_address(out, operand);
    if (operand->mem == MEM_L2BM && expr->insn == INSN_L2BMDARS)
        put(out, operand->l2b == 0 ? "@.0" : "@.1");
}

static void put_operand(struct out *out, const struct step *step, const struct expr *expr,
                        const struct operand *operand)
{
    put_char(out, ' ');
    if ((operand->flags & OPERAND_NEGATE) != 0)
        put_char(out, '-');
    put_place(out, expr, operand);
    if ((operand->flags & OPERAND_EXTEND) != 0)
        put_char(out, 'e');
    if ((operand->flags & OPERAND_REDUCE) != 0)
        put_char(out, 'r');
    if ((operand->flags & OPERAND_MASKED) != 0) {
        const bool fixed = operand->mem != MEM_OMR, two = operand->words == 4;
        put_mask(out, step,
                 fixed && step->mask_wide && !two                            ? 't'
                 : fixed && !step->mask_wide && two && operand->mem != MEM_T ? 'p'
                                                                             : '\0');
    }
}

static void put_l1bset(struct out *out, const struct expr *expr)
{
    if (expr->l1bset == 0xff)
        return;
    unsigned first = 0;
    while (first < 7 && (expr->l1bset >> first & 1) == 0)
        first++;
    put_char(out, '@');
    put_number(out, first);
    if (expr->immode != 0) {
        put_char(out, '/');
        put_number(out, expr->immode);
    }
}

static void put_opcode(struct out *out, const struct expr *expr)
{
    const char *mnemonic = mncore2_insns[expr->insn].mnemonic;
    const bool reduction = expr->rrn != RRN_NONE;
    if (expr->uns && expr->insn != INSN_IMM)
        put_char(out, 'u');
    if (!reduction)
        put_char(out, mncore2_prec_letter[expr->prec]);
    put(out, mnemonic);
    if (reduction) {
        put_char(out, mncore2_prec_letter[expr->prec]);
        put(out, mncore2_rrn_name[expr->rrn]);
    }
    if (expr->uns && expr->insn == INSN_IMM)
        put_char(out, 'u');
    if (expr->group == GROUP_MAU_CALC && expr->prec == PREC_D && expr->insn != INSN_VADD &&
        expr->insn != INSN_VPASSA)
        put_char(out, expr->lower ? 'd' : 'u');
    if (expr->reduce)
        put_char(out, 'r');
    if (expr->insn == INSN_L1BMM_AT || expr->insn == INSN_L1BMM4_AT) {
        put_char(out, '@');
        put_number(out, expr->mab);
    }
    if (expr->mabdiff != 0) {
        put_char(out, expr->mabdiff > 0 ? '+' : '-');
        put_number(out, (uint64_t)(expr->mabdiff > 0 ? expr->mabdiff : -expr->mabdiff));
    }
    if (expr->group == GROUP_L2BM)
        put_l1bset(out, expr);
    if (expr->mantissa != 0) {
        put_char(out, '/');
        put_number(out, expr->mantissa);
    }
}

static void put_expr(struct out *out, const struct step *step, const struct expr *expr)
{
    put_opcode(out, expr);
    if (expr->flush)
        put_mask(out, step, '\0');
    if (expr->insn == INSN_IMM) {
        put(out, " ui\"0x");
        put_hex(out, expr->imm, 8);
        put_char(out, '"');
    }
    for (unsigned i = 0; i < expr->in_count; i++)
        put_operand(out, step, expr, &expr->in[i]);
    for (unsigned i = 0; i < expr->out_count; i++)
        put_operand(out, step, expr, expr_out(expr, i));
}

static void next_expr(struct out *out)
{
    if (out->length != 0)
        put(out, "; ");
}

static void put_step(struct out *out, const struct step *step)
{
    if (step->nops != 0) {
        put(out, "nop");
        if (step->nops > 1) {
            put_char(out, '/');
            put_number(out, step->nops);
        }
    } else if (step->noforward) {
        put(out, "noforward");
    }
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        if (step_expr(step, group) != NULL) {
            next_expr(out);
            put_expr(out, step, step_expr(step, group));
        }
        if (group == GROUP_L2BM && step->darw) {
            next_expr(out);
            put(out, "l2bmdarw");
        }
    }
    if (step->wait != 0) {
        next_expr(out);
        put(out, "wait i");
        put_hex(out, step->wait, 2);
    }
}

/* --- MV --------------------------------------------------------------------------------------- */

static void put_mv_operand(struct out *out, const struct mv_operand *operand)
{
    put(out, operand->mem == MEM_PDM    ? " $p"
             : operand->mem == MEM_L2BM ? " $lc"
             : operand->indirect        ? " $di"
                                        : " $d");
    put_number(out, operand->addr);
    if (operand->group < 0 && operand->l2b < 0)
        return;
    put_char(out, '@');
    if (operand->group >= 0)
        put_number(out, (uint64_t)operand->group);
    if (operand->l2b >= 0) {
        put_char(out, '.');
        put_number(out, (uint64_t)operand->l2b);
    }
}

static void put_mv(struct out *out, const struct mv *mv)
{
    put(out, mncore2_mv_rows[mv->mode].base);
    put_char(out, mncore2_prec_letter[mv->prec]);
    put(out, mncore2_rrn_name[mv->rrn]);
    put(out, "/n");
    put_number(out, mv->size);
    if (mv->nd != 0) {
        put(out, "nd");
        put_number(out, mv->nd);
    }
    if (mv->tag != 0) {
        put_char(out, 'i');
        put_hex(out, mv->tag, 2);
    }
    if (mv->priority != 0) {
        put_char(out, 'p');
        put_number(out, mv->priority);
    }
    put_mv_operand(out, &mv->from);
    put_mv_operand(out, &mv->to);
}

/* --- control statements ----------------------------------------------------------------------- */

static void put_selector(struct out *out, char letter, int8_t number)
{
    if (number < 0)
        return;
    put_char(out, letter);
    put_number(out, (uint64_t)number);
}

static void put_debug_memory(struct out *out, const struct debug *debug)
{
    const char *letter = debug->mem == MEM_T      ? "t"
                         : debug->mem == MEM_PDM  ? "p"
                         : debug->mem == MEM_DRAM ? "d"
                                                  : letter_of(debug->mem);
    const bool lengthless =
        debug->mem == MEM_PDM || debug->mem == MEM_DRAM || debug->mem == MEM_OMR;
    put(out, lengthless || debug->words == 1 ? " $" : debug->words == 2 ? " $l" : " $ll");
    put(out, letter);
    if (debug->mem != MEM_T) {
        put_number(out, debug->addr);
        /* 0b1 would be read as a binary number: a second 0 ends the address before the b. */
        if (debug->addr == 0 && debug->group < 0 && debug->l2b < 0 && debug->l1b >= 0)
            put_char(out, '0');
    }
    put_selector(out, 'n', debug->group);
    put_selector(out, 'c', debug->l2b);
    put_selector(out, 'b', debug->l1b);
    put_selector(out, 'm', debug->mab);
    put_selector(out, 'p', debug->pe);
    put_char(out, ' ');
    put_number(out, debug->count);
}

/* Print any notation of table 3.4 as 16 digits per long word. The parser has checked the
 * payload. */
static void put_payload(struct out *out, const char *text, size_t size)
{
    if (size == 0 || (*text != 'l' && *text != 's' && *text != 'h')) {
        for (size_t i = 0; i < size; i++)
            put_char(out, text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] | 0x20) : text[i]);
        return;
    }
    const char *p = text, *end = text + size;
    while (p < end) {
        const char letter = *p++;
        const unsigned parts = letter == 'l' ? 1 : letter == 's' ? 2 : 4;
        for (unsigned part = 0; part < parts; part++) {
            uint64_t number = 0;
            if (part > 0)
                p++;
            for (; p < end && lex_is(*p, LEX_HEX); p++)
                number = number << 4 | lex_digit(*p);
            put_hex(out, number, 16 / parts);
        }
    }
}

/* The source of a d set or r statement: statements are numbered in the order of sources. */
static const struct source *source_of(const struct program *program, const struct stmt *stmt)
{
    const struct pool *pool = program->pool;
    const size_t index = (size_t)(stmt - program->stmts);
    size_t source = 0;
    while (source + 1 < program->source_count && pool->first_stmt[source + 1] <= index)
        source++;
    return &program->sources[source];
}

int mncore2_stmt_print(const struct program *program, const struct stmt *stmt, char *text,
                       size_t size)
{
    struct out out = {.text = text, .size = size};
    const struct debug *debug = stmt->debug;
    switch ((enum stmt_kind)stmt->kind) {
    case STMT_STEP:
        put_step(&out, stmt->step);
        break;
    case STMT_MV:
        put_mv(&out, stmt->mv);
        break;
    case STMT_MVNOP:
        put(&out, "mvnop");
        break;
    case STMT_GET:
        put(&out, "d get");
        put(&out, debug->dtype);
        put_debug_memory(&out, debug);
        break;
    case STMT_SET:
        put(&out, "d set");
        put_debug_memory(&out, debug);
        put_char(&out, ' ');
        put_payload(&out, source_of(program, stmt)->text + debug->payload, debug->payload_size);
        break;
    case STMT_PRESET:
        put(&out, "r ");
        put_number(&out, (uint64_t)debug->group);
        put_char(&out, ' ');
        put_hex(&out, debug->addr, 9);
        put_char(&out, ' ');
        put_hex(&out, debug->count, 3);
        put_char(&out, ' ');
        put_payload(&out, source_of(program, stmt)->text + debug->payload, debug->payload_size);
        break;
    }
    if (size > 0)
        text[out.length < size ? out.length : size - 1] = '\0';
    return (int)out.length;
}

int mncore2_place_print(const struct expr *expr, const struct operand *operand, char *text,
                        size_t size)
{
    struct out out = {.text = text, .size = size};
    put_place(&out, expr, operand);
    if (size > 0)
        text[out.length < size ? out.length : size - 1] = '\0';
    return (int)out.length;
}
