/* parse_read: reads the operands of an expression and checks them against their position. */
#include <string.h>

#include "functional/mncore2/parse.h"

/* The memories a position accepts, as the fix text of a rejected operand. */
static const char *takes(uint64_t allowed)
{
    if (allowed == MEM_BIT(MEM_L2BM))
        return "L2BM is written $lc<address>, as in $lc0";
    if (allowed == MEM_BIT(MEM_L1BM))
        return "L1BM is written $lb<address>, as in $lb0";
    if (allowed == MEMS_L1BM)
        return "L1BM is written $lb<address> or $llb<address>, as in $lb0, or $lbi, $llbi";
    if (allowed == MEM_BIT(MEM_DAR))
        return "DAR is written $dar<address>, as in $dar0";
    if (allowed == MEMS_MATRIX)
        return "matrix registers are $lx and $ly";
    if (allowed == MEMS_OUT_CALC)
        return "write to $lm, $ln, $lr, $ls, $t, $mb, $nb, $omr1 to $omr15 or $nowrite";
    if (allowed == MEMS_OUT_MOVE)
        return "write to $lm, $ln, $lr, $ls, $t, $mb, $nb or $nowrite";
    return "read $lm, $ln, $lr, $ls, $t, $mauf, $aluf or $lbf";
}

/* A fixed value or $mreadf elsewhere than in the first input of the ALU. */
static void refuse_first(struct reading *reading, const struct operand *operand, const char *at,
                         size_t length, bool output, const char *what)
{
    const bool fixed = operand->mem != MEM_MREADF;
    const char *name = mncore2_mem_name[operand->mem];
    /* The precision of the instruction says how a fixed value is laid out. */
    char pass[] = "lpassa";
    pass[0] = fixed ? mncore2_prec_letter[reading->opcode->prec] : 'l';
    if (!mncore2_opcode_find(pass, sizeof pass - 1))
        pass[0] = 'l';
    if (output)
        parse_error(reading->parser, at, length, fixed ? "3.6.1.20" : "3.6.1.18",
                    "%s can only be the first input of the ALU, not %s of %s\n%s", name, what,
                    reading->opcode->name, takes(MEMS_OUT_CALC));
    else
        parse_error(reading->parser, at, length, fixed ? "3.6.1.20" : "3.6.1.18",
                    "%s can only be the first input of the ALU, not %s of %s\n"
                    "pass it through the ALU first: %s %s $nowrite, then read $aluf",
                    name, what, reading->opcode->name, pass, name);
}

/* Report that a memory is not allowed in this position, with the section of the rule. */
static void refuse(struct reading *reading, const struct operand *operand, uint64_t allowed,
                   const char *what)
{
    struct parser *parser = reading->parser;
    const char *at = reading_text(reading, operand);
    const size_t length = reading_length(reading, operand);
    const uint64_t bit = MEM_BIT(operand->mem);
    const bool output = (allowed & MEM_BIT(MEM_NOWRITE)) != 0;
    if (operand->mem == MEM_MREADF || (bit & MEMS_FIXED) != 0)
        refuse_first(reading, operand, at, length, output, what);
    else if (operand->mem == MEM_OMR)
        parse_error(parser, at, length, "3.6.1.13",
                    "a mask register can only be written, and by MAU and ALU only, not be %s\n%s",
                    what,
                    output ? "compute the flag with a MAU or ALU instruction"
                           : "entries 1 to 15 are used as masks, as in /$imr1");
    else if ((bit & MEMS_BAR) != 0)
        parse_error(parser, at, length, operand->mem == MEM_BAR0 ? "3.6.1.7" : "3.6.1.9",
                    "a base address register can only be written, not be %s\n%s", what,
                    takes(allowed));
    else if ((bit & MEMS_FORWARD) != 0)
        parse_error(parser, at, length,
                    operand->mem == MEM_MAUF   ? "3.6.1.15"
                    : operand->mem == MEM_ALUF ? "3.6.1.16"
                                               : "3.6.1.17",
                    "%s can only be read, not be %s\n%s", mncore2_mem_name[operand->mem], what,
                    output ? "it takes the result by itself; with no other output write $nowrite"
                           : takes(allowed));
    else if (operand->mem == MEM_NOWRITE)
        parse_error(parser, at, length, "3.6.1.19", "$nowrite is an output, not %s\n%s", what,
                    takes(allowed));
    else
        parse_error(parser, at, length,
                    allowed == MEMS_L1BM && operand->mem == MEM_L2BM ? "3.6.1.5"
                                                                     : reading_section(reading),
                    "%.*s cannot be %s of %s\n%s", parse_quote(length), at, what,
                    reading->opcode->name, takes(allowed));
    reading->bad = true;
}

static bool next_operand(struct reading *reading, struct operand *operand, struct written *written,
                         bool *present)
{
    struct parser *parser = reading->parser;
    const char *text = reading->cursor, *end = reading->end;
    struct text_place *place = &reading->place[operand - reading->expr->in];
    struct token token;
    while (text < end && lex_is(*text, LEX_BLANK))
        text++;
    *present = text < end;
    if (!*present)
        return false;
    mncore2_lex_token(&reading->cursor, end, &token);
    const bool read = mncore2_operand_parse(parser, token, reading->expr->group, operand, written);
    reading->bad |= !read;
    *place = (struct text_place){parse_column(parser, token.text),
                                 (uint32_t)(token.length < UINT16_MAX ? token.length : UINT16_MAX)};
    reading->base = written->base;
    reading->scratch->flags |= operand->flags;
    return read;
}

bool mncore2_reading_in(struct reading *reading, uint64_t allowed, const char *what)
{
    struct expr *expr = reading->expr;
    struct operand *operand = &expr->in[expr->in_count];
    struct written written;
    bool present;
    const bool read = next_operand(reading, operand, &written, &present);
    if (!present) {
        parse_error(reading->parser, reading->token.text, reading->token.length,
                    reading_section(reading), "%s lacks %s\n%s", reading->opcode->name, what,
                    takes(allowed));
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
        refuse(reading, operand, allowed, what);
        return false;
    }
    const char *at = reading_text(reading, operand);
    if (written.mask.present) {
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.2.1",
                    "an input takes no write mask\nmasks belong to outputs or to the opcode");
        reading->bad = true;
        return false;
    }
    const bool matrix = (MEM_BIT(operand->mem) & MEMS_MATRIX) != 0;
    if (matrix && written.no_address != (expr->group == GROUP_MAU_CALC)) {
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.1.14", "%s",
                    written.no_address
                        ? "the column to start from is missing\nas in $lx0"
                        : "a product uses the whole matrix register\nwrite $lx or $ly");
        reading->bad = true;
        return false;
    }
    if (operand->mem == MEM_L2BM && written.l2b != (expr->insn == INSN_L2BMDARS)) {
        parse_error(reading->parser, at, reading_length(reading, operand),
                    written.l2b ? "3.6.1.1" : "3.6.1.2", "%s",
                    written.l2b ? "the L2BM of a PE instruction takes no @\nremove it"
                                : "l2bmdars must say which L2B\n$lc<addr>@.0 or $lc<addr>@.1");
        reading->bad = true;
        return false;
    }
    return true;
}

/* Record a write mask; all masks of a step must agree (3.6.2.1, 3.6.4). */
static void note_mask(struct reading *reading, struct operand *operand, const struct mask *mask)
{
    struct scratch *scratch = reading->scratch;
    struct parser *parser = reading->parser;
    const char *at = reading_text(reading, operand);
    operand->flags |= OPERAND_MASKED;
    /* Open: the length of $omr, and of T, for which p is optional. */
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
            parse_error(parser, at, reading_length(reading, operand), "3.6.2.1", "%s\n%s", fault,
                        fix);
            reading->bad = true;
        }
    }
    if (!scratch->own.present) {
        scratch->own = *mask;
        scratch->own_at = at;
    } else if (scratch->own.wide != mask->wide) {
        parse_error(parser, at, reading_length(reading, operand), "3.6.4",
                    "all masks of a step must have one length; the one in column %u has %s\n"
                    "write all with ll or none",
                    parse_column(parser, scratch->own_at),
                    scratch->own.wide ? "two long words" : "one long word");
        reading->bad = true;
    } else if (scratch->own.entry != mask->entry) {
        parse_error(parser, at, reading_length(reading, operand), "3.6.4",
                    "all masks of a step must use one entry; another is in column %u\n"
                    "use the same mask, or another step",
                    parse_column(parser, scratch->own_at));
        reading->bad = true;
    }
}

static bool read_out(struct reading *reading, uint64_t allowed, const char *what, bool *present)
{
    struct expr *expr = reading->expr;
    if (expr->out_count == MAX_OUT) {
        struct token token;
        *present = mncore2_lex_token(&reading->cursor, reading->end, &token);
        if (*present) {
            parse_error(reading->parser, token.text, token.length, "3.6.4",
                        "too many outputs; there are not that many memories to write to\n"
                        "name each memory once");
            reading->bad = true;
            *present = false;
        }
        return false;
    }
    struct operand *operand = expr_out_of(expr, expr->out_count);
    struct written written;
    const bool read = next_operand(reading, operand, &written, present);
    if (!*present)
        return false;
    expr->out_count++;
    if (!read) {
        operand->mem = MEM_NONE;
        return false;
    }
    const char *at = reading_text(reading, operand);
    if ((MEM_BIT(operand->mem) & allowed) == 0) {
        refuse(reading, operand, allowed, what);
        operand->mem = MEM_NONE;
        return false;
    }
    if ((operand->flags & (OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE)) != 0) {
        const bool negate = (operand->flags & OPERAND_NEGATE) != 0;
        const bool extend = (operand->flags & OPERAND_EXTEND) != 0;
        parse_error(reading->parser, at, reading_length(reading, operand),
                    negate   ? "3.6.9.22"
                    : extend ? "3.6.9.23"
                             : "3.6.9.25",
                    "%s applies to inputs only%s",
                    negate   ? "sign inversion (-)"
                    : extend ? "precision extension (e)"
                             : "precision reduction (r)",
                    negate || extend ? "\nremove it"
                                     : "\nto round a MAU result, append r to the opcode");
        reading->bad = true;
    }
    if ((MEM_BIT(operand->mem) & MEMS_MATRIX) != 0 && written.no_address) {
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.1.14",
                    "the row to start from is missing\nas in $lx0");
        reading->bad = true;
    }
    if (operand->mem == MEM_L2BM && written.l2b) {
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.1.1",
                    "the L2BM of a PE instruction takes no @\nremove it");
        reading->bad = true;
    }
    if (written.mask.present) {
        if ((MEM_BIT(operand->mem) & (MEMS_PE | MEMS_BAR | MEM_BIT(MEM_OMR))) == 0) {
            parse_error(reading->parser, at, reading_length(reading, operand), "3.6.2",
                        "%s takes no write mask\nPE memories and mask registers do",
                        mncore2_mem_name[operand->mem]);
            reading->bad = true;
        } else {
            note_mask(reading, operand, &written.mask);
        }
    }
    return true;
}

bool mncore2_reading_outs(struct reading *reading, uint64_t allowed, const char *what)
{
    struct expr *expr = reading->expr;
    bool present;
    do
        read_out(reading, allowed, what, &present);
    while (present);
    if (expr->out_count == 0) {
        parse_error(
            reading->parser, reading->token.text, reading->token.length, reading_section(reading),
            "%s has no output\nuse $nowrite if only forwarding is wanted", reading->opcode->name);
        reading->bad = true;
        return false;
    }
    for (unsigned i = 0; expr->out_count > 1 && i < expr->out_count; i++) {
        if (expr_out(expr, i)->mem != MEM_NOWRITE)
            continue;
        parse_error(reading->parser, reading_text(reading, expr_out(expr, i)),
                    reading_length(reading, expr_out(expr, i)), "3.6.1.19",
                    "$nowrite must be the only output\nremove it");
        reading->bad = true;
        break;
    }
    return !reading->bad;
}

bool mncore2_reading_out_one(struct reading *reading, uint64_t allowed, const char *what)
{
    bool present;
    if (!read_out(reading, allowed, what, &present)) {
        if (!present && !reading->bad)
            parse_error(reading->parser, reading->token.text, reading->token.length,
                        reading_section(reading), "%s lacks %s\n%s", reading->opcode->name, what,
                        takes(allowed));
        reading->bad = true;
    }
    struct token token;
    if (present && mncore2_lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(reading->parser, token.text, token.length, reading_section(reading),
                    "%s has one output; %.*s is too much\nremove it", reading->opcode->name,
                    parse_quote(token.length), token.text);
        reading->bad = true;
    }
    return !reading->bad;
}

void mncore2_reading_flags(struct reading *reading, const struct operand *operand, uint16_t allowed,
                           const char *why)
{
    const uint16_t refused =
        operand->flags & (OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE) & (uint16_t)~allowed;
    if (refused == 0)
        return;
    const char *at = reading_text(reading, operand);
    if (why[0] == '\0')
        why = "\nremove it";
    if ((refused & OPERAND_NEGATE) != 0)
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.9.22",
                    "the sign of this input cannot be inverted%s", why);
    if ((refused & OPERAND_EXTEND) != 0)
        parse_error(reading->parser, at, reading_length(reading, operand),
                    reading->expr->group == GROUP_L1BM ? "3.6.8.4" : "3.6.9.23",
                    "the precision of this input cannot be extended (e)%s", why);
    if ((refused & OPERAND_REDUCE) != 0)
        parse_error(reading->parser, at, reading_length(reading, operand), "3.6.9.24",
                    "the precision of this input cannot be reduced (r)%s", why);
    reading->bad = true;
}

void mncore2_reading_flush(struct reading *reading, const char *at, const char *end, bool allowed)
{
    struct parser *parser = reading->parser;
    if (at == end)
        return;
    if (*at != '/') {
        parse_error(parser, at, (size_t)(end - at), reading_section(reading),
                    "%.*s does not belong after %s\nremove it", parse_quote((size_t)(end - at)), at,
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
    if (!mncore2_mask_parse(parser, &p, end, "3.6.2.2", &mask)) {
        reading->bad = true;
        return;
    }
    if (p != end) {
        parse_error(parser, p, (size_t)(end - p), "3.6.2.2",
                    "%.*s does not belong after a mask\nremove it", parse_quote((size_t)(end - p)),
                    p);
        reading->bad = true;
        return;
    }
    struct scratch *scratch = reading->scratch;
    reading->expr->flush = true;
    if (scratch->flush.present) {
        parse_error(parser, at, (size_t)(end - at), "3.6.4",
                    "a step takes one zero-flush mask; the first is in column %u\n"
                    "use another step",
                    parse_column(parser, scratch->flush_at));
        reading->bad = true;
        return;
    }
    scratch->flush = mask;
    scratch->flush_at = at;
}

void mncore2_reading_lengths(struct reading *reading, const struct operand *operand)
{
    if ((operand->flags & OPERAND_REDUCE) != 0 && operand->words < 4)
        parse_warning(reading->parser, reading_text(reading, operand),
                      reading_length(reading, operand),
                      reading->expr->group == GROUP_ALU ? "3.6.12.19" : "3.6.9.24", "short-reduce",
                      "r takes four single precision words from two long words; the missing ones "
                      "read as zero\nwrite the operand with $ll");
}
