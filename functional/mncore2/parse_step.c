/* parse_step: PE statements (manual 3.6): expressions between semicolons, their operands, masks. */
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/parse.h"

/* --- operands of an expression --------------------------------------------------------------- */

static const char *section(const struct reading *reading)
{
    return insn_section[reading->expr->insn];
}

/* Why a memory cannot stand in this position, with the section that says so. */
static void refuse(struct reading *reading, const struct operand *operand, const char *what)
{
    struct parser *parser = reading->parser;
    const char *at = parse_text(parser, operand->column);
    const size_t length = operand->length;
    const uint64_t bit = MEM_BIT(operand->mem);
    if (operand->mem == MEM_MREADF)
        parse_error(parser, at, length, "3.6.1.18",
                    "$mreadf can only be the first input of the ALU, not %s", what);
    else if ((bit & MEMS_FIXED) != 0)
        parse_error(parser, at, length, "3.6.1.20",
                    "%s can only be the first input of the ALU, not %s", mem_name[operand->mem],
                    what);
    else if (operand->mem == MEM_OMR)
        parse_error(parser, at, length, "3.6.1.13",
                    "a mask register can only be written, and by MAU and ALU only, not be %s",
                    what);
    else if ((bit & MEMS_BAR) != 0)
        parse_error(parser, at, length, "3.6.1.7",
                    "a base address register can only be written, not be %s", what);
    else if ((bit & (MEMS_FORWARD)) != 0)
        parse_error(parser, at, length, "3.6.1.15", "%s can only be read, not be %s",
                    mem_name[operand->mem], what);
    else if (operand->mem == MEM_NOWRITE)
        parse_error(parser, at, length, "3.6.1.19", "$nowrite is an output, not %s", what);
    else
        parse_error(parser, at, length, section(reading), "%.*s cannot be %s of %s",
                    parse_quote(length), at, what, reading->opcode->name);
    reading->bad = true;
}

static bool next_operand(struct reading *reading, struct operand *operand, struct written *written,
                         bool *present)
{
    struct token token;
    *present = lex_token(&reading->cursor, reading->end, &token);
    if (!*present)
        return false;
    if (!operand_parse(reading->parser, token, operand, written)) {
        reading->bad = true;
        return false;
    }
    return true;
}

bool reading_in(struct reading *reading, uint64_t allowed, const char *what)
{
    struct expr *expr = reading->expr;
    struct operand *operand = &expr->in[expr->in_count];
    struct written written;
    bool present;
    const bool read = next_operand(reading, operand, &written, &present);
    if (!present) {
        parse_error(reading->parser, reading->token.text, reading->token.length, section(reading),
                    "%s lacks %s", reading->opcode->name, what);
        reading->bad = true;
        operand->mem = MEM_NONE;
        return false;
    }
    expr->in_count++;
    if (!read) {
        operand->mem = MEM_NONE;
        return false;
    }
    if ((MEM_BIT(operand->mem) & allowed) == 0) {
        refuse(reading, operand, what);
        return false;
    }
    const char *at = parse_text(reading->parser, operand->column);
    if (written.mask.present) {
        parse_error(reading->parser, at, operand->length, "3.6.2.1",
                    "an input takes no write mask\nmasks belong to outputs or to the opcode");
        reading->bad = true;
        return false;
    }
    const bool matrix = (MEM_BIT(operand->mem) & MEMS_MATRIX) != 0;
    if (matrix && written.no_address != (expr->group == GROUP_MAU_CALC)) {
        parse_error(reading->parser, at, operand->length, "3.6.1.14", "%s",
                    written.no_address
                        ? "the column to start from is missing\nas in $lx0"
                        : "a product uses the whole matrix register\nwrite $lx or $ly");
        reading->bad = true;
        return false;
    }
    if (operand->mem == MEM_L2BM && written.l2b != (expr->insn == INSN_L2BMDARS)) {
        parse_error(reading->parser, at, operand->length, "3.6.1.1", "%s",
                    written.l2b ? "the L2BM of a PE instruction takes no @"
                                : "l2bmdars must say which L2B\n$lc<addr>@.0 or $lc<addr>@.1");
        reading->bad = true;
        return false;
    }
    return true;
}

/* Note a write mask; all masks of a step must agree (3.6.2.1, 3.6.4). */
static void note_mask(struct reading *reading, struct operand *operand, const struct mask *mask)
{
    struct scratch *scratch = reading->scratch;
    struct parser *parser = reading->parser;
    const char *at = parse_text(parser, operand->column);
    operand->flags |= OPERAND_MASKED | OPERAND_MASK_OWN;
    if (mask->pad)
        operand->flags |= OPERAND_MASK_P;
    if (mask->truncate)
        operand->flags |= OPERAND_MASK_T;
    /* Open: the length of $omr, and of T, whose own length makes p optional. */
    const bool two = operand->words == 4;
    if (operand->mem != MEM_OMR) {
        const bool need_t = mask->wide && !two, need_p = !mask->wide && two;
        const char *fault = NULL, *fix = "";
        if (need_t && !mask->truncate) {
            fault = "the mask is for two long words, the output is shorter";
            fix = "append t to the mask, or drop its ll";
        } else if (need_p && !mask->pad && operand->mem != MEM_T) {
            fault = "the output is two long words, the mask is for one";
            fix = "append p to the mask, or write it with ll";
        } else if (!need_t && mask->truncate) {
            fault = "t is for a mask of two long words on a shorter output";
            fix = "remove the t";
        } else if (!need_p && mask->pad) {
            fault = "p is for a mask of one long word on an output of two";
            fix = "remove the p";
        }
        if (fault != NULL) {
            parse_error(parser, at, operand->length, "3.6.2.1", "%s\n%s", fault, fix);
            reading->bad = true;
        }
    }
    if (!scratch->own.present) {
        scratch->own = *mask;
        scratch->own_at = at;
    } else if (scratch->own.wide != mask->wide) {
        parse_error(parser, at, operand->length, "3.6.4",
                    "all masks of a step must have one length; the one in column %u has %s",
                    parse_column(parser, scratch->own_at),
                    scratch->own.wide ? "two long words" : "one long word");
        reading->bad = true;
    } else if (scratch->own.entry != mask->entry) {
        parse_error(parser, at, operand->length, "3.6.4",
                    "all masks of a step must use one entry; another stands in column %u",
                    parse_column(parser, scratch->own_at));
        reading->bad = true;
    }
}

static bool read_out(struct reading *reading, uint64_t allowed, const char *what, bool *present)
{
    struct expr *expr = reading->expr;
    if (expr->out_count == MAX_OUT) {
        struct token token;
        *present = lex_token(&reading->cursor, reading->end, &token);
        if (*present) {
            parse_error(reading->parser, token.text, token.length, "3.6.4",
                        "too many outputs; there are not that many memories to write to");
            reading->bad = true;
            *present = false;
        }
        return false;
    }
    struct operand *operand = &expr->out[expr->out_count];
    struct written written;
    const bool read = next_operand(reading, operand, &written, present);
    if (!*present)
        return false;
    expr->out_count++;
    if (!read) {
        operand->mem = MEM_NONE;
        return false;
    }
    const char *at = parse_text(reading->parser, operand->column);
    if ((MEM_BIT(operand->mem) & allowed) == 0) {
        refuse(reading, operand, what);
        operand->mem = MEM_NONE;
        return false;
    }
    if ((operand->flags & (OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE)) != 0) {
        const bool negate = (operand->flags & OPERAND_NEGATE) != 0;
        const bool extend = (operand->flags & OPERAND_EXTEND) != 0;
        parse_error(reading->parser, at, operand->length,
                    negate   ? "3.6.9.22"
                    : extend ? "3.6.9.23"
                             : "3.6.9.25",
                    "%s applies to inputs only%s",
                    negate   ? "sign inversion (-)"
                    : extend ? "precision extension (e)"
                             : "precision reduction (r)",
                    negate || extend ? "" : "\nto round a MAU result, append r to the opcode");
        reading->bad = true;
    }
    if ((MEM_BIT(operand->mem) & MEMS_MATRIX) != 0 && written.no_address) {
        parse_error(reading->parser, at, operand->length, "3.6.1.14",
                    "the row to start from is missing\nas in $lx0");
        reading->bad = true;
    }
    if (operand->mem == MEM_L2BM && written.l2b) {
        parse_error(reading->parser, at, operand->length, "3.6.1.1",
                    "the L2BM of a PE instruction takes no @");
        reading->bad = true;
    }
    if (written.mask.present) {
        if ((MEM_BIT(operand->mem) & (MEMS_PE | MEMS_BAR | MEM_BIT(MEM_OMR))) == 0) {
            parse_error(reading->parser, at, operand->length, "3.6.2",
                        "%s takes no write mask\nPE memories and mask registers do",
                        mem_name[operand->mem]);
            reading->bad = true;
        } else {
            note_mask(reading, operand, &written.mask);
        }
    }
    return true;
}

bool reading_outs(struct reading *reading, uint64_t allowed, const char *what)
{
    struct expr *expr = reading->expr;
    bool present;
    do
        read_out(reading, allowed, what, &present);
    while (present);
    if (expr->out_count == 0) {
        parse_error(reading->parser, reading->token.text, reading->token.length, section(reading),
                    "%s has no output\nuse $nowrite if only forwarding is wanted",
                    reading->opcode->name);
        reading->bad = true;
        return false;
    }
    for (unsigned i = 0; expr->out_count > 1 && i < expr->out_count; i++) {
        if (expr->out[i].mem != MEM_NOWRITE)
            continue;
        parse_error(reading->parser, parse_text(reading->parser, expr->out[i].column),
                    expr->out[i].length, "3.6.1.19",
                    "$nowrite must be the only output\nremove it");
        reading->bad = true;
        break;
    }
    return !reading->bad;
}

bool reading_out_one(struct reading *reading, uint64_t allowed, const char *what)
{
    bool present;
    if (!read_out(reading, allowed, what, &present)) {
        if (!present && !reading->bad)
            parse_error(reading->parser, reading->token.text, reading->token.length,
                        section(reading), "%s lacks %s", reading->opcode->name, what);
        reading->bad = true;
    }
    struct token token;
    if (present && lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(reading->parser, token.text, token.length, section(reading),
                    "%s has one output; %.*s is too much", reading->opcode->name,
                    parse_quote(token.length), token.text);
        reading->bad = true;
    }
    return !reading->bad;
}

void reading_flags(struct reading *reading, const struct operand *operand, uint16_t allowed,
                   const char *why)
{
    const uint16_t refused = operand->flags &
                             (OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE) &
                             (uint16_t)~allowed;
    if (refused == 0)
        return;
    const char *at = parse_text(reading->parser, operand->column);
    if ((refused & OPERAND_NEGATE) != 0)
        parse_error(reading->parser, at, operand->length, "3.6.9.22",
                    "the sign of this input cannot be inverted%s", why);
    if ((refused & OPERAND_EXTEND) != 0)
        parse_error(reading->parser, at, operand->length, "3.6.9.23",
                    "the precision of this input cannot be extended (e)%s", why);
    if ((refused & OPERAND_REDUCE) != 0)
        parse_error(reading->parser, at, operand->length, "3.6.9.24",
                    "the precision of this input cannot be reduced (r)%s", why);
    reading->bad = true;
}

void reading_flush(struct reading *reading, const char *at, const char *end, bool allowed)
{
    struct parser *parser = reading->parser;
    if (at == end)
        return;
    if (*at != '/') {
        parse_error(parser, at, (size_t)(end - at), section(reading),
                    "%.*s does not belong behind %s", parse_quote((size_t)(end - at)), at,
                    reading->opcode->name);
        reading->bad = true;
        return;
    }
    const char *p = at + 1;
    struct mask mask;
    if (!allowed) {
        parse_error(parser, at, (size_t)(end - at), "3.6.2.2",
                    "%s takes no zero-flush mask\n"
                    "MAU, ALU, transposed reads and transfers from L1BM to PE do",
                    reading->opcode->name);
        reading->bad = true;
        return;
    }
    if (!mask_parse(parser, &p, end, &mask)) {
        reading->bad = true;
        return;
    }
    if (p != end) {
        parse_error(parser, p, (size_t)(end - p), "3.6.2.2", "%.*s does not belong behind a mask",
                    parse_quote((size_t)(end - p)), p);
        reading->bad = true;
        return;
    }
    struct scratch *scratch = reading->scratch;
    reading->expr->flush = true;
    if (scratch->flush.present) {
        parse_error(parser, at, (size_t)(end - at), "3.6.4",
                    "a step takes one zero-flush mask; the first stands in column %u",
                    parse_column(parser, scratch->flush_at));
        reading->bad = true;
        return;
    }
    scratch->flush = mask;
    scratch->flush_at = at;
}

/* --- MAU (3.6.9 to 3.6.11) --------------------------------------------------------------------- */

/* Which of -, e, r the inputs of the MAU take (3.6.9.22 to 3.6.9.24). */
static uint16_t mau_flags(const struct expr *expr, unsigned index)
{
    const bool half = expr->prec == PREC_H;
    switch (expr->insn) {
    case INSN_MFMA:
    case INSN_MMUL:
        /* matrix, block float vector, addend of normal single or double precision */
        return index == 0   ? 0
               : index == 1 ? OPERAND_NEGATE
                            : OPERAND_NEGATE | OPERAND_EXTEND;
    case INSN_VFMA:
        return index == 2 || !half ? OPERAND_NEGATE | OPERAND_EXTEND
                                   : OPERAND_NEGATE | OPERAND_REDUCE;
    case INSN_VADD:
        /* The second input is the addend, which is never half (3.6.9.1). */
        return index == 1 || !half ? OPERAND_NEGATE | OPERAND_EXTEND
                                   : OPERAND_NEGATE | OPERAND_REDUCE;
    default: /* vmul, vpassa, mwrite */
        return half ? OPERAND_NEGATE | OPERAND_REDUCE : OPERAND_NEGATE | OPERAND_EXTEND;
    }
}

static void warn_lengths(struct reading *reading, const struct operand *operand)
{
    if ((operand->flags & OPERAND_REDUCE) != 0 && operand->words < 4)
        parse_warning(reading->parser, parse_text(reading->parser, operand->column),
                      operand->length, "3.6.9.24", "short-reduce",
                      "r takes four single precision words from two long words; the missing ones "
                      "read as zero\nwrite the operand with $ll");
}

static void parse_mau(struct reading *reading)
{
    static const char *const names[] = {"the first input", "the second input", "the third input"};
    struct expr *expr = reading->expr;
    const bool product = expr->insn == INSN_MFMA || expr->insn == INSN_MMUL;
    for (unsigned i = 0; i < insn_inputs[expr->insn]; i++) {
        const bool matrix = product && i == 0;
        if (!reading_in(reading, matrix ? MEMS_MATRIX : MEMS_IN,
                        matrix ? "the matrix input" : names[i]))
            continue;
        const struct operand *operand = &expr->in[i];
        reading_flags(reading, operand, mau_flags(expr, i),
                      matrix               ? "\ninvert or round it when it is written"
                      : product && i == 1  ? "\na block float vector is taken as it is"
                      : expr->prec == PREC_H ? "\nhalf inputs take r, single ones e"
                                             : "\nsingle and double inputs take e");
        warn_lengths(reading, operand);
        if (matrix && operand->words != 2) {
            parse_error(reading->parser, parse_text(reading->parser, operand->column),
                        operand->length, "3.6.1.14", "a product's matrix is written $lx or $ly");
            reading->bad = true;
        }
    }
    reading_outs(reading, MEMS_OUT_CALC, "an output");
}

static unsigned matrix_rows(uint8_t prec)
{
    return prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
}

/* The row or column an operand of mwrite or mread starts from (3.6.1.14). */
static void check_matrix(struct reading *reading, struct operand *operand, const char *line)
{
    struct parser *parser = reading->parser;
    const struct expr *expr = reading->expr;
    const char *at = parse_text(parser, operand->column);
    const unsigned rows = matrix_rows(expr->prec);
    const unsigned each = operand->words == 4 ? 2 : 1;
    if (operand->words == 4 && expr->prec != PREC_H) {
        parse_error(parser, at, operand->length, "3.6.1.14",
                    "two long words exist for half precision only\nwrite $l%c",
                    operand->mem == MEM_X ? 'x' : 'y');
        reading->bad = true;
    } else if (operand->words == 2 && expr->insn == INSN_MREAD && expr->prec == PREC_H) {
        parse_error(parser, at, operand->length, "3.6.11.3",
                    "hmread always reads two columns a cycle\nwrite $ll%c",
                    operand->mem == MEM_X ? 'x' : 'y');
        reading->bad = true;
    } else if (operand->base % each != 0) {
        parse_error(parser, at, operand->length, "3.6.1.14",
                    "%s %u is odd, two are accessed a cycle\nnearest aligned address %u", line,
                    operand->base, (unsigned)parse_nearest(operand->base, 2, rows));
        reading->bad = true;
    }
    if (operand->base >= rows) {
        parse_warning(parser, at, operand->length, "3.6.1.14", "address-wraps",
                      "%s %u is beyond the %u %ss of this precision and wraps around\nwrite %u",
                      line, operand->base, rows, line, operand->base % rows);
        operand->base %= rows;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        operand->addr[cycle] = (operand->base + cycle * each) % rows;
}

static void parse_mwrite(struct reading *reading)
{
    struct expr *expr = reading->expr;
    if (reading_in(reading, MEMS_IN, "the input")) {
        reading_flags(reading, &expr->in[0], mau_flags(expr, 0),
                      expr->prec == PREC_H ? "\nhmwrite takes r" : "\nhere e is possible");
        warn_lengths(reading, &expr->in[0]);
    }
    if (!reading_out_one(reading, MEMS_MATRIX, "a matrix register with a row"))
        return;
    check_matrix(reading, &expr->out[0], "row");
    const struct operand *in = &expr->in[0];
    /* 3.6.10.3: one length on both sides. T and forwarding have no length of their own; r halves. */
    if (expr->prec != PREC_H || in->mem == MEM_NONE || in->mem == MEM_T ||
        (MEM_BIT(in->mem) & MEMS_FORWARD) != 0 || in->words < 2)
        return;
    const bool reduced = (in->flags & OPERAND_REDUCE) != 0;
    const unsigned words = reduced ? in->words / 2u : in->words;
    if (words < 2 || words == expr->out[0].words)
        return;
    const struct operand *out = &expr->out[0];
    parse_error(reading->parser, parse_text(reading->parser, out->column), out->length, "3.6.10.3",
                "the matrix register's length differs from the input's%s\nwrite $%s%c",
                reduced ? " after r" : "", words == 4 ? "ll" : "l", out->mem == MEM_X ? 'x' : 'y');
    reading->bad = true;
}

static void parse_mread(struct reading *reading)
{
    struct expr *expr = reading->expr;
    if (reading_in(reading, MEMS_MATRIX, "a matrix register with a column")) {
        reading_flags(reading, &expr->in[0], 0, "\nbits are copied as they are");
        check_matrix(reading, &expr->in[0], "column");
    }
    reading_outs(reading, MEMS_OUT_MOVE, "an output of a transposed read");
}

/* --- ALU (3.6.12) ------------------------------------------------------------------------------- */

/* Single to half, 1 + 6 + 9 bits, nearest even; the range is checked after rounding. */
static uint16_t half_of(uint32_t single)
{
    const uint32_t sign = single >> 16 & 0x8000;
    const int32_t exponent = (int32_t)(single >> 23 & 0xff);
    if (exponent == 0)
        return (uint16_t)sign;
    if (exponent == 0xff)
        return (uint16_t)(sign | 0x7e00);
    const int64_t value = (int64_t)(exponent - 127 + 31) * (1 << 23) + (single & 0x7fffff);
    const int64_t rounded = (value + 0x1fff + (value >> 14 & 1)) >> 14;
    if (rounded < 0x200)
        return (uint16_t)sign;
    return (uint16_t)(sign | (rounded >= 0x7e00 ? 0x7e00 : (uint32_t)rounded));
}

enum { LITERAL = 1100 }; /* longer than any exact decimal of a float */

static bool float_literal(struct reading *reading, struct token token, const char *text,
                          size_t length, bool half)
{
    struct parser *parser = reading->parser;
    char copy[LITERAL + 1];
    if (length > LITERAL) {
        parse_error(parser, token.text, token.length, "3.2.2", "the literal is too long");
        return false;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *end;
    const float value = (float)strtod(copy, &end);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (length == 0 || end != copy + length || value != value) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is no floating-point number\nas in f\"-1.5\"", parse_quote(length), text);
        return false;
    }
    const bool infinite = (bits & 0x7fffffff) == 0x7f800000;
    const char *digits = copy + strspn(copy, " \t+-");
    const uint32_t word = half ? (uint32_t)half_of(bits) * 0x10001u : bits;
    if ((digits[0] | 0x20) != 'i' &&
        (infinite || (half && (word & 0x7fff) == 0x7e00)))
        parse_warning(parser, token.text, token.length, "3.2.2", "immediate-overflow",
                      "the value becomes infinity");
    reading->expr->imm = word;
    return true;
}

static bool integer_literal(struct reading *reading, struct token token, const char *text,
                            size_t length, bool is_signed, bool half)
{
    struct parser *parser = reading->parser;
    const char *p = text, *end = text + length;
    bool negative = false;
    if (is_signed && p < end && (*p == '-' || *p == '+'))
        negative = *p++ == '-';
    uint64_t value = 0;
    const enum lex_number found = lex_natural(&p, end, &value);
    if (found == LEX_NONE || p != end) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is no %s\n%s", parse_quote(length), text,
                    is_signed ? "integer" : "natural number",
                    is_signed ? "as in i\"-1\" or i\"0x7f\"" : "as in ui\"0x8000\"; it has no sign");
        return false;
    }
    const uint64_t limit = (half ? UINT64_C(1) << 16 : UINT64_C(1) << 32) / (is_signed ? 2 : 1);
    if (found == LEX_TOO_BIG || value > (negative ? limit : limit - 1)) {
        const unsigned bits = half ? 16 : 32;
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is beyond a%s integer of %u bits\n%s%llu to %llu%s", parse_quote(length),
                    text, is_signed ? " signed" : "n unsigned", bits, is_signed ? "-" : "",
                    is_signed ? (unsigned long long)limit : 0ull, (unsigned long long)(limit - 1),
                    is_signed && !negative && found == LEX_NUMBER && value < 2 * limit
                        ? (half ? "; or write us" : "; or write ui")
                        : "");
        return false;
    }
    const uint32_t word = negative ? (uint32_t)(0 - value) : (uint32_t)value;
    reading->expr->imm = half ? (word & 0xffff) * 0x10001u : word;
    return true;
}

static void parse_imm(struct reading *reading)
{
    struct token token;
    struct parser *parser = reading->parser;
    if (!lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(parser, reading->token.text, reading->token.length, "3.6.12.3",
                    "%s lacks its value\nas in imm f\"1.0\" $lr0", reading->opcode->name);
        reading->bad = true;
        return;
    }
    const char *p = token.text, *end = token.text + token.length;
    while (p < end && lex_is(*p, LEX_LOWER))
        p++;
    const struct token type = {token.text, (size_t)(p - token.text)};
    const bool floating = lex_equal(type, "f") || lex_equal(type, "h");
    const bool is_signed = lex_equal(type, "i") || lex_equal(type, "s");
    const bool is_unsigned = lex_equal(type, "ui") || lex_equal(type, "us");
    const bool half = type.length > 0 && (p[-1] == 'h' || p[-1] == 's');
    if (!floating && !is_signed && !is_unsigned) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "%.*s is no immediate value\ntype and quotes, as in f\"1.0\", h\"0.5\", "
                    "i\"-1\", s\"7\", ui\"0x80000000\", us\"1\"",
                    parse_quote(token.length), token.text);
        reading->bad = true;
        return;
    }
    if (end - p < 2 || *p != '"' || end[-1] != '"' || memchr(p + 1, '"', (size_t)(end - p) - 2)) {
        parse_error(parser, token.text, token.length, "3.2.2",
                    "an immediate value stands in double quotes\nas in %.*s\"1\"",
                    (int)type.length, type.text);
        reading->bad = true;
        return;
    }
    const char *text = p + 1;
    const size_t length = (size_t)(end - p) - 2;
    const bool good = floating ? float_literal(reading, token, text, length, half)
                               : integer_literal(reading, token, text, length, is_signed, half);
    if (!good)
        reading->bad = true;
}

/* The n of hbfn/n and hbfe/n. */
static void parse_mantissa(struct reading *reading, const char **at, const char *end)
{
    struct expr *expr = reading->expr;
    uint64_t n = 0;
    const char *p = *at;
    if (p < end && *p == '/')
        p++;
    const char *number = p;
    const bool found = p != *at && lex_natural(&p, end, &n) == LEX_NUMBER;
    if (!found || n < 6 || n > 9) {
        parse_error(reading->parser, reading->token.text, reading->token.length, "3.6.12.12",
                    "%s needs the length of the mantissa, 6 to 9\nas in %s/9",
                    reading->opcode->name, reading->opcode->name);
        reading->bad = true;
        /* Do not take what may be a mask for another fault. */
        *at = found && p - number == 1 ? p : end;
        return;
    }
    expr->mantissa = (uint8_t)n;
    *at = p;
}

static void parse_alu(struct reading *reading)
{
    struct expr *expr = reading->expr;
    if (expr->insn == INSN_IMM)
        parse_imm(reading);
    for (unsigned i = 0; i < insn_inputs[expr->insn]; i++) {
        if (!reading_in(reading, i == 0 ? MEMS_IN_ALU : MEMS_IN,
                        i == 0 ? "the first input" : "the second input"))
            continue;
        const struct operand *operand = &expr->in[i];
        reading_flags(reading, operand, OPERAND_REDUCE, "\nthe ALU takes r only");
        if ((operand->flags & OPERAND_REDUCE) != 0 &&
            (expr->prec == PREC_D || expr->prec == PREC_L))
            parse_warning(reading->parser, parse_text(reading->parser, operand->column),
                          operand->length, "3.6.12.19", "reduce-long",
                          "r hands four half precision values to an operation on long words");
        warn_lengths(reading, operand);
    }
    reading_outs(reading, MEMS_OUT_CALC, "an output");
}

/* --- expressions -------------------------------------------------------------------------------- */

static void no_operands(struct reading *reading)
{
    struct token token;
    if (lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(reading->parser, token.text, token.length, section(reading),
                    "%s takes no operands", reading->opcode->name);
        reading->bad = true;
    }
}

static void parse_nop(struct reading *reading, const char *at, const char *end)
{
    struct step *step = &reading->scratch->step;
    step->nops = 1;
    step->noforward = true; /* 3.6.5 */
    if (at == end)
        return;
    uint64_t count = 0;
    const char *p = at + 1;
    if (*at != '/' || lex_natural(&p, end, &count) != LEX_NUMBER || p != end || count == 0 ||
        count > UINT32_MAX) {
        parse_error(reading->parser, at, (size_t)(end - at), "3.6.5",
                    "a repeated nop is written nop/<n> with n from 1");
        reading->bad = true;
        return;
    }
    step->nops = (uint32_t)count;
}

static void parse_wait(struct reading *reading)
{
    struct token token;
    struct parser *parser = reading->parser;
    uint8_t tag = 0;
    if (!lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(parser, reading->token.text, reading->token.length, "3.6.13",
                    "wait lacks its tag\nas in wait i01");
        reading->bad = true;
        return;
    }
    const char *p = token.text;
    if (!lex_tag(&p, token.text + token.length, &tag) || p != token.text + token.length) {
        parse_error(parser, token.text, token.length, "3.2.3",
                    "%.*s is no tag\ni and two hexadecimal digits, as in i01",
                    parse_quote(token.length), token.text);
        reading->bad = true;
        return;
    }
    if (tag == 0) {
        parse_error(parser, token.text, token.length, "3.6.13",
                    "tag 0 is reserved and cannot be waited for\ni01 to iff");
        reading->bad = true;
        return;
    }
    reading->scratch->step.wait = tag;
    no_operands(reading);
}

static void parse_operands(struct reading *reading, const char *at, const char *end)
{
    struct expr *expr = reading->expr;
    switch (expr->group) {
    case GROUP_NOP:
        parse_nop(reading, at, end);
        no_operands(reading);
        return;
    case GROUP_NOFORWARD:
        reading_flush(reading, at, end, false);
        reading->scratch->step.noforward = true;
        no_operands(reading);
        return;
    case GROUP_L2BMDARW:
        reading_flush(reading, at, end, false);
        reading->scratch->step.darw = true;
        no_operands(reading);
        return;
    case GROUP_WAIT:
        reading_flush(reading, at, end, false);
        parse_wait(reading);
        return;
    case GROUP_L2BM:
        parse_l2bm(reading);
        return;
    case GROUP_L1BM:
        parse_l1bm(reading);
        return;
    case GROUP_MAU_CALC:
        reading_flush(reading, at, end, true);
        parse_mau(reading);
        return;
    case GROUP_MAU_MWRITE:
        reading_flush(reading, at, end, false);
        parse_mwrite(reading);
        return;
    case GROUP_MAU_MREAD:
        reading_flush(reading, at, end, true);
        parse_mread(reading);
        return;
    default:
        if (expr->prec == PREC_H && (expr->insn == INSN_BFN || expr->insn == INSN_BFE))
            parse_mantissa(reading, &at, end);
        reading_flush(reading, at, end, true);
        parse_alu(reading);
    }
}

/* One expression [text, end); its first token is the opcode. */
static bool parse_expr(struct parser *parser, const char *text, const char *end,
                       struct scratch *scratch, struct expr *spare)
{
    struct reading reading = {.parser = parser, .scratch = scratch, .cursor = text, .end = end};
    lex_token(&reading.cursor, end, &reading.token);
    const char *name = reading.token.text, *p = name, *name_end = name + reading.token.length;
    while (p < name_end && (lex_is(*p, LEX_LOWER) || lex_is(*p, LEX_DIGIT)))
        p++;
    const struct opcode *opcode = opcode_find(name, (size_t)(p - name));
    if (opcode == NULL) {
        opcode_unknown(parser, reading.token);
        return false;
    }
    if (opcode->kind != OPCODE_PE) {
        parse_error(parser, name, reading.token.length, "3.5",
                    "%s is an MV statement, which stands alone on its line", opcode->name);
        return false;
    }
    /* Filled in a spare, since the group of an L1BM expression depends on its operands. */
    struct expr *expr = spare;
    memset(expr, 0, offsetof(struct expr, out));
    expr->insn = opcode->insn;
    expr->group = insn_group[opcode->insn];
    expr->prec = opcode->prec;
    expr->rrn = opcode->rrn;
    expr->uns = opcode->uns;
    expr->reduce = opcode->reduce;
    expr->lower = opcode->lower;
    expr->l1bset = 0xff;
    expr->column = parse_column(parser, name);
    expr->length = (uint32_t)reading.token.length;
    reading.opcode = opcode;
    reading.expr = expr;
    parse_operands(&reading, p, name_end);
    const uint8_t group = expr->group;
    if (scratch->at[group] != 0) {
        parse_error(parser, name, reading.token.length, "3.6.4",
                    "a second expression of group %s in one step; the first stands in column %u\n"
                    "move it to another step",
                    group_name[group], scratch->at[group]);
        return false;
    }
    scratch->at[group] = expr->column;
    scratch->mark_length[group] = expr->length;
    if (reading.bad)
        return false;
    if (group != GROUP_NOP && group != GROUP_NOFORWARD && group != GROUP_L2BMDARW &&
        group != GROUP_WAIT) {
        scratch->step.expr[group] = &scratch->expr[group];
        memcpy(&scratch->expr[group], expr,
               offsetof(struct expr, out) + expr->out_count * sizeof expr->out[0]);
    }
    return true;
}

/* --- masks of the whole step (3.6.2) --------------------------------------------------------------- */

static uint8_t letter_of(uint8_t mem)
{
    switch (mem) {
    case MEM_GRF0:
        return MASK_R;
    case MEM_GRF1:
        return MASK_S;
    case MEM_T:
        return MASK_T;
    case MEM_LM0:
    case MEM_BAR0:
        return MASK_M;
    case MEM_LM1:
    case MEM_BAR1:
        return MASK_N;
    case MEM_OMR:
        return MASK_K;
    default:
        return 0;
    }
}

/* The mode of the last mask line, unless this step has masks of its own. True: it masks something. */
static bool apply_mode(const struct mask_mode *mode, struct scratch *scratch)
{
    bool applied = false;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        struct expr *expr = scratch->step.expr[group];
        for (unsigned i = 0; expr != NULL && i < expr->out_count; i++) {
            if ((mode->letters & letter_of(expr->out[i].mem)) != 0) {
                expr->out[i].flags |= OPERAND_MASKED;
                applied = true;
            }
        }
    }
    return applied;
}

static bool resolve_masks(struct parser *parser, struct scratch *scratch)
{
    struct step *step = &scratch->step;
    const struct mask *flush = &scratch->flush;
    struct mask write = scratch->own;
    const bool inherited = !write.present && parser->mode.letters != 0;
    if (inherited && apply_mode(&parser->mode, scratch))
        write = (struct mask){
            .present = true, .wide = parser->mode.wide, .entry = parser->mode.entry};
    const struct mask *used = write.present ? &write : flush;
    step->mask_entry = used->entry;
    step->mask_wide = used->wide;
    if (!write.present || !flush->present)
        return true;
    const bool same_length = write.wide == flush->wide;
    if (same_length && write.entry == flush->entry)
        return true;
    parse_error(parser, scratch->flush_at, 1, "3.6.4",
                "the zero-flush mask and the write mask of a step must have the same %s%s",
                same_length ? "entry" : "length",
                inherited ? "; the write mask comes from the last mask line" : "");
    return false;
}

bool step_parse(struct parser *parser, const char *text, const char *end, struct scratch *scratch)
{
    struct step *step = &scratch->step;
    memset(step, 0, sizeof *step);
    memset(scratch->at, 0, sizeof scratch->at);
    scratch->own.present = scratch->flush.present = false;
    scratch->own.entry = scratch->flush.entry = 0;
    scratch->own.wide = scratch->flush.wide = false;
    struct expr spare;
    bool good = true, any = false;
    for (const char *p = text; p < end;) {
        const char *semicolon = memchr(p, ';', (size_t)(end - p));
        const char *stop = semicolon != NULL ? semicolon : end;
        const char *first = p;
        while (first < stop && lex_is(*first, LEX_BLANK))
            first++;
        if (first < stop) {
            good &= parse_expr(parser, first, stop, scratch, &spare);
            any = true;
        } else if (semicolon != NULL) {
            parse_error(parser, semicolon, 1, "3.6", "no expression in front of this semicolon");
            good = false;
        }
        p = semicolon != NULL ? semicolon + 1 : end;
    }
    if (!any)
        return false;
    good &= resolve_masks(parser, scratch);
    const size_t errors = parser->diags->errors;
    rules_check(parser, scratch);
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step->expr[group];
        for (unsigned i = 0; expr != NULL && i < expr->in_count; i++)
            step->needs_flat |= (expr->in[i].flags & OPERAND_FLAT) != 0;
        for (unsigned i = 0; expr != NULL && i < expr->out_count; i++)
            step->needs_flat |= (expr->out[i].flags & OPERAND_FLAT) != 0;
    }
    return good && parser->diags->errors == errors;
}
