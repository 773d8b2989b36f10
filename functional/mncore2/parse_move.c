/* parse_move: transfers between L2BM, L1BM and PE (manual 3.6.7, 3.6.8). */
#include <string.h>

#include "functional/mncore2/parse.h"

/* The opcode's suffix. */
static const char *attached(const struct reading *reading, const char **end)
{
    *end = reading->token.text + reading->token.length;
    return reading->token.text + strlen(reading->opcode->name);
}

static void attached_error(struct reading *reading, const char *at, const char *end,
                           const char *rule, const char *message)
{
    const size_t length = (size_t)(end - at);
    if (length == 0)
        parse_error(reading->parser, reading->token.text, reading->token.length, rule, "%s",
                    message);
    else
        parse_error(reading->parser, at, length, rule, "%s", message);
    reading->bad = true;
}

/* L1B numbers b with b & ~immode = badr & ~immode (3.6.7.1). */
static uint8_t set_of(unsigned badr, unsigned immode)
{
    unsigned set = 0;
    for (unsigned b = 0; b < L1B_PER_L2B; b++)
        if ((b & (7 ^ immode)) == (badr & (7 ^ immode)))
            set |= 1u << b;
    return (uint8_t)set;
}

static bool small(const char **p, const char *end, unsigned limit, unsigned *value)
{
    uint64_t number;
    if (mncore2_lex_natural(p, end, &number) != LEX_NUMBER || number >= limit)
        return false;
    *value = (unsigned)number;
    return true;
}

static void skip_blanks(const char **p, const char *end)
{
    while (*p < end && lex_is(**p, LEX_BLANK))
        ++*p;
}

/* [0,2,4,6], in any order, blanks allowed. False: not such a list. */
static bool read_list(const char **p, const char *end, unsigned *set)
{
    *set = 0;
    ++*p;
    for (;;) {
        unsigned b;
        skip_blanks(p, end);
        if (!small(p, end, L1B_PER_L2B, &b) || (*set & 1u << b) != 0)
            return false;
        *set |= 1u << b;
        skip_blanks(p, end);
        if (*p == end)
            return false;
        const char next = *(*p)++;
        if (next == ']')
            return true;
        if (next != ',')
            return false;
    }
}

/* @<l1bset> in one of its three notations. */
static void parse_set(struct reading *reading, const char *at, const char *end)
{
    struct expr *expr = reading->expr;
    const char *p = at + 1;
    unsigned badr = 0, immode = 0, set = 0;
    if (p < end && *p == '[') {
        if (!read_list(&p, end, &set) || p != end) {
            attached_error(reading, at, end, "3.6.7.1",
                           "this is not a list of L1B numbers\n"
                           "different numbers 0 to 7 as in @[0,1,2,3]");
            return;
        }
        for (immode = 0; immode < L1B_PER_L2B; immode++) {
            for (badr = 0; badr < L1B_PER_L2B && set_of(badr, immode) != set; badr++)
                ;
            if (badr < L1B_PER_L2B)
                break;
        }
        if (immode == L1B_PER_L2B) {
            attached_error(reading, at, end, "3.6.7.1",
                           "this set of L1B cannot be expressed by the hardware\n"
                           "a set is all numbers that agree in some of their three bits (table "
                           "3.7)");
            return;
        }
    } else {
        if (!small(&p, end, L1B_PER_L2B, &badr)) {
            attached_error(reading, at, end, "3.6.7.1",
                           "L1B numbers are 0 to 7\n@<number>, @<number>/<immode> or @[list]");
            return;
        }
        if (p < end && *p == '/') {
            p++;
            if (!small(&p, end, L1B_PER_L2B, &immode)) {
                attached_error(reading, at, end, "3.6.7.1",
                               "this is not an <immode>\na number 0 to 7");
                return;
            }
        }
        if (p != end) {
            attached_error(reading, p, end, "3.6.7.1",
                           "this does not belong after an L1B set\n"
                           "remove it");
            return;
        }
        set = set_of(badr, immode);
    }
    /* A set of all L1Bs is stored as if none were written, except for l2bmi, which rejects it and
     * needs its immode. */
    expr->immode = (uint8_t)(set == 0xff && expr->insn != INSN_L2BMI ? 0 : immode);
    expr->l1bset = (uint8_t)set;
}

/* Address step of an L2BM expression in long words per cycle, which is also the required
 * alignment. */
struct rate {
    uint8_t from, to;
};

static struct rate l2bm_rate(uint8_t insn)
{
    switch (insn) {
    case INSN_L2BMB2:
        return (struct rate){64, 16};
    case INSN_L2BMD:
        return (struct rate){64, 8};
    case INSN_L2BMR2:
        return (struct rate){16, 64};
    case INSN_L2BMD_JOIN:
        return (struct rate){8, 64};
    case INSN_L2BMDARS:
        return (struct rate){64, 0};
    default:
        return (struct rate){16, 16};
    }
}

/* Alignment, and the address of each cycle. */
static void step_address(struct reading *reading, struct operand *operand, unsigned unit,
                         unsigned rate, uint32_t size)
{
    if (operand->mem == MEM_NONE)
        return;
    if (unit != 0 && reading->base % unit != 0) {
        const char *at = reading_text(reading, operand);
        const size_t length = reading_length(reading, operand);
        parse_error(
            reading->parser, at, length, mncore2_insns[reading->expr->insn].section,
            "address %s must be aligned to %u long words\nnearest aligned address %s",
            mncore2_parse_like(at, length, reading->base).text, unit,
            mncore2_parse_like(at, length, mncore2_parse_nearest(reading->base, unit, size)).text);
        reading->bad = true;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        operand->addr[cycle] = (uint16_t)((reading->base + cycle * rate) % size);
}

static void l1bm_of_l2bm(struct reading *reading, struct operand *operand, unsigned rate)
{
    if (operand->mem == MEM_L1BM && operand->words != 2) {
        parse_error(reading->parser, reading_text(reading, operand),
                    reading_length(reading, operand), "3.6.1.4",
                    "an L2BM instruction accesses L1BM in long words\nwrite $lb");
        reading->bad = true;
    }
    step_address(reading, operand, rate, rate, L1BM_LONGS);
}

void mncore2_parse_l2bm(struct reading *reading)
{
    struct expr *expr = reading->expr;
    const char *end, *at = attached(reading, &end);
    /* The operands of l2bmd determine its direction: look at the first one. */
    const char *look = reading->cursor;
    struct token first;
    const bool from_l1bm = mncore2_lex_token(&look, reading->end, &first) && first.length > 2 &&
                           memcmp(first.text, "$lb", 3) == 0;
    if (expr->insn == INSN_L2BMD && from_l1bm)
        expr->insn = INSN_L2BMD_JOIN;
    const uint8_t insn = expr->insn;
    const bool takes_set = insn == INSN_L2BMB || insn == INSN_L2BMB2 || insn == INSN_L2BMD ||
                           insn == INSN_L2BMR || insn == INSN_L2BMI;
    if (insn == INSN_L2BM) {
        unsigned number;
        const char *p = at + 1;
        if (at == end || *at != '@' || !small(&p, end, L1B_PER_L2B, &number) || p != end)
            attached_error(reading, at, end, "3.6.7.5",
                           "l2bm names the L1B to read, 0 to 7\nas in l2bm@1");
        else
            expr->l1bset = (uint8_t)(1u << number);
    } else if (at != end && *at == '@' && takes_set) {
        parse_set(reading, at, end);
    } else if (at != end && *at == '@') {
        attached_error(reading, at, end, mncore2_insns[insn].section,
                       "this instruction takes no L1B set\nremove it");
    } else if (at != end) {
        mncore2_reading_flush(reading, at, end, false);
    }
    if (insn == INSN_L2BMI && !reading->bad) {
        if (at == end)
            attached_error(reading, at, end, "3.6.7.9",
                           "l2bmi names the L1B to read from\nas in l2bmi@0/4");
        else if (expr->immode == 7)
            attached_error(reading, at, end, "3.6.7.9",
                           "l2bmi cannot read from all L1B\n<immode> is 0 to 6");
    }
    const bool to_l2bm =
        insn == INSN_L2BM || insn == INSN_L2BMR || insn == INSN_L2BMR2 || insn == INSN_L2BMD_JOIN;
    const bool from_l2bm = !to_l2bm && insn != INSN_L2BMI;
    const struct rate rate = l2bm_rate(insn);
    if (mncore2_reading_in(reading, MEM_BIT(from_l2bm ? MEM_L2BM : MEM_L1BM),
                           from_l2bm ? "the L2BM to read" : "the L1BM to read")) {
        struct operand *in = &expr->in[0];
        mncore2_reading_flags(reading, in, 0, "");
        if (insn == INSN_L2BMDARS) {
            if (reading->base % rate.from != 0) {
                const char *from = reading_text(reading, in);
                const size_t length = reading_length(reading, in);
                const uint64_t nearest = mncore2_parse_nearest(reading->base, 64, L2BM_LONGS);
                parse_warning(reading->parser, from, length, "3.6.7.10", "unaligned-dars",
                              "l2bmdars reads 64 long words a cycle from address %s, which is not "
                              "aligned to that\nnearest aligned address %s",
                              mncore2_parse_like(from, length, reading->base).text,
                              mncore2_parse_like(from, length, nearest).text);
            }
            step_address(reading, in, 0, rate.from, L2BM_LONGS);
        } else if (from_l2bm) {
            step_address(reading, in, rate.from, rate.from, L2BM_LONGS);
        } else {
            l1bm_of_l2bm(reading, in, rate.from);
        }
    }
    const uint8_t target = insn == INSN_L2BMDARS ? MEM_DAR : to_l2bm ? MEM_L2BM : MEM_L1BM;
    const bool bad = reading->bad;
    reading->bad = false;
    if (mncore2_reading_out_one(reading, MEM_BIT(target),
                                target == MEM_DAR    ? "the DAR entry to write to"
                                : target == MEM_L2BM ? "the L2BM to write"
                                                     : "the L1BM to write")) {
        struct operand *out = expr_out_of(expr, 0);
        if (target == MEM_L2BM)
            step_address(reading, out, rate.to, rate.to, L2BM_LONGS);
        else if (target == MEM_L1BM)
            l1bm_of_l2bm(reading, out, rate.to);
    }
    reading->bad |= bad;
}

/* --- L1BM (3.6.8) ----------------------------------------------------------------------------- */

static void check_l1bm(struct reading *reading, struct operand *operand)
{
    struct parser *parser = reading->parser;
    const struct expr *expr = reading->expr;
    const char *at = reading_text(reading, operand);
    const size_t length = reading_length(reading, operand);
    const bool wide = operand->words == 4;
    if (wide && (expr->insn == INSN_L1BMD || expr->insn == INSN_L1BMD_JOIN)) {
        parse_error(parser, at, reading_length(reading, operand), mncore2_insns[expr->insn].section,
                    "l1bmd exists for one long word only\nwrite $lb");
        reading->bad = true;
        return;
    }
    if (operand->mem != MEM_L1BM)
        return;
    const unsigned rate = mncore2_l1bm_rate(expr) * (wide && expr->insn != INSN_L1BMP ? 2 : 1);
    const uint32_t low = reading->base % 64;
    if (wide && expr->insn == INSN_L1BMP && low > 56) {
        const uint32_t nearest = low - 56 <= 64 - low || reading->base + 64 - low >= L1BM_LONGS
                                     ? reading->base - (low - 56)
                                     : reading->base + (64 - low);
        parse_error(parser, at, length, "3.6.8.7",
                    "the lower 6 bits of address %s must be 0 to 56\nnearest such address %s",
                    mncore2_parse_like(at, length, reading->base).text,
                    mncore2_parse_like(at, length, nearest).text);
        reading->bad = true;
    } else if (reading->base % rate != 0) {
        const uint64_t nearest = mncore2_parse_nearest(reading->base, rate, L1BM_LONGS);
        parse_error(parser, at, length, mncore2_insn_section_of(expr->insn, expr->prec, wide),
                    "address %s must be aligned to %u long words\nnearest aligned address %s",
                    mncore2_parse_like(at, length, reading->base).text, rate,
                    mncore2_parse_like(at, length, nearest).text);
        reading->bad = true;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        operand->addr[cycle] = (reading->base + cycle * rate) % L1BM_LONGS;
}

/* @<mab> of l1bmm and l1bmm4, ±<mabdiff> of l1bmd; the rest may be a zero-flush mask. */
static const char *parse_attached(struct reading *reading, const char *at, const char *end)
{
    struct expr *expr = reading->expr;
    if (at == end)
        return at;
    const char *p = at + 1;
    unsigned number;
    if (*at == '@') {
        const bool four = expr->insn == INSN_L1BMM4;
        if (expr->insn != INSN_L1BMM && !four) {
            attached_error(reading, at, end, mncore2_insns[expr->insn].section,
                           "only l1bmm and l1bmm4 name a MAB\nremove it");
            return end;
        }
        expr->insn = four ? INSN_L1BMM4_AT : INSN_L1BMM_AT;
        if (!small(&p, end, four ? 4 : MAB_PER_L1B, &number) || (p < end && *p != '/')) {
            attached_error(reading, at, end, four ? "3.6.8.16" : "3.6.8.10",
                           four ? "the MAB of each quad is 0 to 3\nas in l1bmm4@0"
                                : "MAB numbers are 0 to 15\nas in l1bmm@0");
            return end;
        }
        expr->mab = (uint8_t)number;
        return p;
    }
    if (*at == '+' || *at == '-') {
        if (expr->insn != INSN_L1BMD) {
            attached_error(reading, at, end, mncore2_insns[expr->insn].section,
                           "only l1bmd shifts MAB numbers\nremove it");
            return end;
        }
        if (!small(&p, end, MAB_PER_L1B, &number) || (p < end && *p != '/')) {
            attached_error(reading, at, end, "3.6.8.20",
                           "the shift of l1bmd is + or - and 0 to 15\nas in l1bmd+1");
            return end;
        }
        expr->mabdiff = (int8_t)(*at == '+' ? (int)number : -(int)number);
        return p;
    }
    return at;
}

static void l1bm_to_pe(struct reading *reading, const char *at, const char *end)
{
    struct expr *expr = reading->expr;
    mncore2_reading_flush(reading, at, end, true);
    bool wide = false;
    if (mncore2_reading_in(reading, MEMS_L1BM, "the L1BM to read")) {
        mncore2_reading_flags(reading, &expr->in[0], 0, "");
        check_l1bm(reading, &expr->in[0]);
        wide = expr->in[0].words == 4;
        if (expr->in[0].mem == MEM_LBI)
            expr->group = GROUP_L1BM_TURN;
    }
    mncore2_reading_outs(reading, MEMS_OUT_MOVE, "an output of a transfer from L1BM");
    for (unsigned i = 0; wide && i < expr->out_count; i++) {
        const struct operand *out = expr_out_of(expr, i);
        if (out->mem == MEM_NONE || out->mem == MEM_NOWRITE || out->words == 4)
            continue;
        parse_error(reading->parser, reading_text(reading, out), reading_length(reading, out),
                    "3.6.8.3",
                    "the transfer delivers two long words a cycle, the output is shorter\n"
                    "write it with $ll, or read $lb");
        reading->bad = true;
    }
}

static void l1bm_from_pe(struct reading *reading, const char *at, const char *end)
{
    struct parser *parser = reading->parser;
    struct expr *expr = reading->expr;
    mncore2_reading_flush(reading, at, end, false);
    mncore2_reading_in(reading, MEMS_IN, "the PE operand to read");
    const bool bad = reading->bad;
    reading->bad = false;
    if (!mncore2_reading_out_one(reading, MEMS_L1BM, "the L1BM to write"))
        return;
    struct operand *in = &expr->in[0], *out = expr_out_of(expr, 0);
    const bool wide = out->words == 4;
    const bool reduction = expr->insn == INSN_L1BMR || expr->insn == INSN_L1BMR4;
    const bool floats = expr->rrn >= RRN_FADD && expr->rrn <= RRN_MIN;
    check_l1bm(reading, out);
    if (in->mem != MEM_NONE) {
        const bool extend = reduction && floats && expr->prec == PREC_F;
        const char *why = !reduction ? "\nbits are copied as they are" : "";
        if (reduction && (in->flags & OPERAND_EXTEND) != 0 && !extend)
            why = floats && expr->prec == PREC_H
                      ? "\nremove the e: half precision is extended without it (3.6.8.5)"
                      : "\ne is for single precision reductions";
        mncore2_reading_flags(reading, in, extend ? OPERAND_EXTEND : 0, why);
        if (extend && (in->flags & OPERAND_EXTEND) != 0 && !wide && !expr->reduce) {
            parse_error(parser, reading_text(reading, in), reading_length(reading, in), "3.6.8.4",
                        "e makes two long words of single precision, the target takes one\n"
                        "write $llb, or append r to the opcode to round the result");
            reading->bad = true;
        }
    }
    if (wide && expr->reduce) {
        parse_error(parser, reading_text(reading, out), reading_length(reading, out), "3.6.8.5",
                    "r leaves one long word of half precision for the target\nwrite $lb");
        reading->bad = true;
    } else if (wide && reduction && expr->rrn != RRN_BOR && !(floats && expr->prec == PREC_F)) {
        parse_error(parser, reading_text(reading, out), reading_length(reading, out),
                    mncore2_insn_section_of(expr->insn, expr->prec, true),
                    "two long words are reduced in single precision or by bor only\nwrite $lb");
        reading->bad = true;
    }
    reading->bad |= bad;
}

/* True if the operand begins like one that a transfer from PE reads: [l|ll] m n r s t, or
 * forwarding. A misspelt L1BM operand must not match. */
static bool names_pe(struct token token)
{
    static const char *const forwarding[] = {"aluf", "lbf"};
    const char *p = token.text, *end = p + token.length;
    if (p < end && *p == '-')
        p++;
    if (p == end || *p++ != '$')
        return false;
    for (size_t i = 0; i < sizeof forwarding / sizeof forwarding[0]; i++)
        if (mncore2_lex_equal((struct token){p, (size_t)(end - p)}, forwarding[i]))
            return true;
    for (unsigned l = 0; l < 2 && p < end && *p == 'l'; l++)
        p++;
    return p < end && memchr("mnrst", *p, 5) != NULL;
}

void mncore2_parse_l1bm(struct reading *reading)
{
    struct expr *expr = reading->expr;
    const char *end, *at = attached(reading, &end);
    at = parse_attached(reading, at, end);
    const char *look = reading->cursor;
    struct token first;
    const bool from_l1bm =
        mncore2_lex_token(&look, reading->end, &first) && first.length > 3 &&
        (memcmp(first.text, "$lb", 3) == 0 || memcmp(first.text, "$llb", 4) == 0) &&
        memcmp(first.text, "$lbf", 4) != 0;
    if (expr->insn == INSN_L1BMD && !from_l1bm)
        expr->insn = INSN_L1BMD_JOIN;
    const bool to_pe = expr->insn == INSN_L1BMP || expr->insn == INSN_L1BMM ||
                       expr->insn == INSN_L1BMM4 || expr->insn == INSN_L1BMD;
    if ((expr->insn == INSN_L1BMM || expr->insn == INSN_L1BMM4) && names_pe(first)) {
        const bool four = expr->insn == INSN_L1BMM4;
        attached_error(reading, at, at, four ? "3.6.8.16" : "3.6.8.10",
                       four ? "a transfer from PE to L1BM names the MAB of each quad to read\n"
                              "as in l1bmm4@0"
                            : "a transfer from PE to L1BM names the MAB to read\nas in l1bmm@0");
        return;
    }
    if (to_pe)
        l1bm_to_pe(reading, at, end);
    else
        l1bm_from_pe(reading, at, end);
}
