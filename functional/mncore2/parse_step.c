/* parse_step: PE statements (manual 3.6): expressions between semicolons, and their masks. */
#include <string.h>

#include "functional/mncore2/parse.h"

/* --- expressions ------------------------------------------------------------------------------ */

static void no_operands(struct reading *reading)
{
    struct token token;
    if (mncore2_lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(reading->parser, token.text, token.length, reading_section(reading),
                    "%s takes no operands\nremove them", reading->opcode->name);
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
    const enum lex_number found = *at == '/' ? mncore2_lex_natural(&p, end, &count) : LEX_NONE;
    if (found == LEX_NONE || p != end || (found == LEX_NUMBER && count == 0)) {
        parse_error(reading->parser, at, (size_t)(end - at), "3.6.5",
                    "a repeated nop is written nop/<n> with n from 1\nas in nop/2");
        reading->bad = true;
        return;
    }
    if (found == LEX_TOO_BIG || count > UINT32_MAX) {
        parse_error(reading->parser, at + 1, (size_t)(end - at) - 1, "3.6.5",
                    "%.*s nops are too many for one statement\nat most nop/%u",
                    parse_quote((size_t)(end - at) - 1), at + 1, UINT32_MAX);
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
    if (!mncore2_lex_token(&reading->cursor, reading->end, &token)) {
        parse_error(parser, reading->token.text, reading->token.length, "3.6.13",
                    "wait lacks its tag\nas in wait i01");
        reading->bad = true;
        return;
    }
    const char *p = token.text;
    if (!mncore2_lex_tag(&p, token.text + token.length, &tag) || p != token.text + token.length) {
        parse_error(parser, token.text, token.length, "3.2.3",
                    "%.*s is not a tag\ni and two hexadecimal digits, as in i01",
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
        mncore2_reading_flush(reading, at, end, false);
        reading->scratch->step.noforward = true;
        no_operands(reading);
        return;
    case GROUP_L2BMDARW:
        mncore2_reading_flush(reading, at, end, false);
        reading->scratch->step.darw = true;
        no_operands(reading);
        return;
    case GROUP_WAIT:
        mncore2_reading_flush(reading, at, end, false);
        parse_wait(reading);
        return;
    case GROUP_L2BM:
        mncore2_parse_l2bm(reading);
        return;
    case GROUP_L1BM:
        mncore2_parse_l1bm(reading);
        return;
    case GROUP_MAU_CALC:
        mncore2_reading_flush(reading, at, end, true);
        mncore2_parse_mau(reading);
        return;
    case GROUP_MAU_MWRITE:
        mncore2_reading_flush(reading, at, end, false);
        mncore2_parse_mwrite(reading);
        return;
    case GROUP_MAU_MREAD:
        mncore2_reading_flush(reading, at, end, true);
        mncore2_parse_mread(reading);
        return;
    default:
        mncore2_parse_alu(reading, at, end);
    }
}

/* The opcode at the cursor; *letters: its length without attachments. */
static const struct opcode *next_opcode(struct reading *reading, size_t *letters)
{
    mncore2_lex_token(&reading->cursor, reading->end, &reading->token);
    const char *name = reading->token.text, *p = name, *name_end = name + reading->token.length;
    while (p < name_end && (lex_is(*p, LEX_LOWER) || lex_is(*p, LEX_DIGIT)))
        p++;
    *letters = (size_t)(p - name);
    return mncore2_opcode_find(name, *letters);
}

/* One expression [text, end); its first token is the opcode. */
static bool parse_expr(struct parser *parser, const char *text, const char *end,
                       struct scratch *scratch)
{
    struct reading reading = {.parser = parser, .scratch = scratch, .cursor = text, .end = end};
    size_t letters;
    const struct opcode *opcode = next_opcode(&reading, &letters);
    const char *name = reading.token.text;
    if (opcode == NULL) {
        mncore2_opcode_unknown(parser, reading.token);
        return false;
    }
    if (opcode->kind != OPCODE_PE) {
        parse_error(parser, name, reading.token.length, "3.5",
                    "%s is an MV statement, which must be alone on its line\n"
                    "move it to its own line",
                    opcode->name);
        return false;
    }
    struct expr *expr = &scratch->expr[scratch->count];
    memset(expr, 0, offsetof(struct expr, in));
    expr->insn = opcode->insn;
    expr->group = mncore2_insns[opcode->insn].group;
    expr->prec = opcode->prec;
    expr->rrn = opcode->rrn;
    expr->uns = opcode->uns;
    expr->reduce = opcode->reduce;
    expr->lower = opcode->lower;
    expr->l1bset = 0xff;
    reading.opcode = opcode;
    reading.expr = expr;
    reading.place = scratch->place[scratch->count];
    parse_operands(&reading, name + letters, name + reading.token.length);
    const uint8_t group = expr->group;
    if (scratch->at[group] != 0) {
        parse_error(parser, name, reading.token.length, "3.6.4",
                    "a second expression of group %s in one step; the first is in column %u\n"
                    "move it to another step",
                    mncore2_group_name[group], scratch->at[group]);
        return false;
    }
    scratch->at[group] = parse_column(parser, name);
    scratch->mark_length[group] = (uint32_t)reading.token.length;
    if (reading.bad)
        return false;
    if (group != GROUP_NOP && group != GROUP_NOFORWARD && group != GROUP_L2BMDARW &&
        group != GROUP_WAIT) {
        scratch->step.at[group] = (uint16_t)((char *)expr - (char *)&scratch->step);
        scratch->count++;
    }
    return true;
}

/* --- masks of the whole step (3.6.2) ---------------------------------------------------------- */

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

/* Apply the mode of the last mask line, unless the step has its own masks. True if it masks
 * something. */
static bool apply_mode(const struct mask_mode *mode, struct scratch *scratch)
{
    bool applied = false;
    for (unsigned k = 0; k < scratch->count; k++) {
        struct expr *expr = &scratch->expr[k];
        for (unsigned i = 0; i < expr->out_count; i++) {
            struct operand *out = expr_out_of(expr, i);
            if ((mode->letters & letter_of(out->mem)) != 0) {
                out->flags |= OPERAND_MASKED;
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
        write =
            (struct mask){.present = true, .wide = parser->mode.wide, .entry = parser->mode.entry};
    const struct mask *used = write.present ? &write : flush;
    step->mask_entry = used->entry;
    step->mask_wide = used->wide;
    if (!write.present || !flush->present)
        return true;
    const bool same_length = write.wide == flush->wide;
    if (same_length && write.entry == flush->entry)
        return true;
    parse_error(parser, scratch->flush_at, 1, "3.6.4",
                "the zero-flush mask and the write mask of a step must have the same %s%s\n"
                "use one mask for both, or another step",
                same_length ? "entry" : "length",
                inherited ? "; the write mask comes from the last mask line" : "");
    return false;
}

bool mncore2_step_parse(struct parser *parser, const char *text, const char *end,
                        struct scratch *scratch)
{
    struct step *step = &scratch->step;
    memset(step, 0, sizeof *step);
    memset(scratch->at, 0, sizeof scratch->at);
    scratch->own.present = scratch->flush.present = false;
    scratch->own.entry = scratch->flush.entry = 0;
    scratch->own.wide = scratch->flush.wide = false;
    scratch->count = 0;
    scratch->flags = 0;
    bool good = true, any = false;
    for (const char *p = text; p < end;) {
        const char *semicolon = memchr(p, ';', (size_t)(end - p));
        const char *stop = semicolon != NULL ? semicolon : end;
        const char *first = p;
        while (first < stop && lex_is(*first, LEX_BLANK))
            first++;
        if (first < stop) {
            good &= parse_expr(parser, first, stop, scratch);
            any = true;
        } else if (semicolon != NULL) {
            parse_error(parser, semicolon, 1, "3.6",
                        "no expression in front of this semicolon\nremove it");
            good = false;
        }
        p = semicolon != NULL ? semicolon + 1 : end;
    }
    if (!any)
        return false;
    good &= resolve_masks(parser, scratch);
    step->needs_flat = (scratch->flags & OPERAND_FLAT) != 0;
    const size_t errors = parser->diags->errors;
    mncore2_rules_check(parser, scratch);
    return good && parser->diags->errors == errors;
}
