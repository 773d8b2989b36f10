/* parse_mv: MV statements (manual 3.5): parameters, operands, and the mode they determine. */
#include <string.h>

#include "functional/mncore2/parse.h"

/* One MV statement being read. */
struct moving {
    struct parser *parser;
    const struct opcode *opcode;
    struct token token;
    struct mv *mv;
    bool size_seen, tag_seen, priority_seen, nd_seen;
    bool bad;
    const char *size_at;
    size_t size_length;
    const char *nd_at;
};

#define moving_error(moving, from, length, rule, ...)                                              \
    do {                                                                                           \
        parse_error((moving)->parser, from, length, rule, __VA_ARGS__);                            \
        (moving)->bad = true;                                                                      \
    } while (0)

static bool first_time(struct moving *moving, bool *seen, const char *from, size_t length,
                       const char *what)
{
    if (*seen)
        moving_error(moving, from, length, "3.5.1", "the %s is given twice\nremove one", what);
    const bool first = !*seen;
    *seen = true;
    return first;
}

/* A parameter of an MV statement, for messages. */
struct parameter {
    const char *from, *end; /* its text, including the letter */
    const char *rule, *what;
};

/* The number after the letter, at *p. */
static bool number_after(struct moving *moving, const char **p, const struct parameter *parameter,
                         uint64_t *value)
{
    const char *from = parameter->from, *end = parameter->end;
    const enum lex_number found = mncore2_lex_natural(p, end, value);
    if (found == LEX_NUMBER)
        return true;
    if (found == LEX_NONE) {
        moving_error(moving, from, (size_t)(end - from), parameter->rule,
                     "the number of the %s is missing\na number after the letter, as in n64",
                     parameter->what);
        *p = end;
    } else {
        *value = UINT64_MAX;
        return true;
    }
    return false;
}

/* n<size>, i<tag>, p<priority>, nd<N>, in any order. */
static void parse_parameters(struct moving *moving, const char *p, const char *end)
{
    struct mv *mv = moving->mv;
    while (p < end) {
        const char *from = p;
        uint64_t value = 0;
        if (*p == 'n' && end - p > 1 && p[1] == 'd') {
            p += 2;
            if (!number_after(moving, &p, &(struct parameter){from, end, "3.5.6", "nd parameter"},
                              &value))
                return;
            const size_t length = (size_t)(p - from);
            if (!first_time(moving, &moving->nd_seen, from, length, "nd parameter"))
                continue;
            moving->nd_at = from;
            if (value == 0 || value > UINT32_MAX)
                moving_error(moving, from, length, "3.5.6",
                             "nd counts how often a DAR entry is used, from 1\n"
                             "as in nd1");
            else
                mv->nd = (uint32_t)value;
        } else if (*p == 'n') {
            p++;
            if (!number_after(moving, &p, &(struct parameter){from, end, "3.5.3", "transfer size"},
                              &value)) {
                moving->size_seen = true; /* present, though invalid */
                mv->size = 64;
                return;
            }
            moving->size_at = from;
            moving->size_length = (size_t)(p - from);
            if (first_time(moving, &moving->size_seen, from, moving->size_length, "transfer size"))
                mv->size = value;
        } else if (*p == 'p') {
            p++;
            if (!number_after(moving, &p, &(struct parameter){from, end, "3.5.7", "priority"},
                              &value))
                return;
            const size_t length = (size_t)(p - from);
            if (!first_time(moving, &moving->priority_seen, from, length, "priority"))
                continue;
            if (value > 3)
                moving_error(moving, from, length, "3.5.7", "priorities are 0 to 3\np0 to p3");
            else
                mv->priority = (uint8_t)value;
        } else if (mncore2_lex_tag(&p, end, &mv->tag)) {
            first_time(moving, &moving->tag_seen, from, (size_t)(p - from), "tag");
        } else if ((*p | 0x20) == 'i') {
            moving_error(moving, from, (size_t)(end - from), "3.2.3",
                         "a tag is i and two hexadecimal digits\nas in i01");
            return;
        } else {
            moving_error(moving, from, (size_t)(end - from), "3.5.1",
                         "%.*s is no parameter of an MV statement\n"
                         "n<size>, i<tag>, p<priority>, nd<N>",
                         parse_quote((size_t)(end - from)), from);
            return;
        }
    }
}

/* --- operands (3.5.2) ------------------------------------------------------------------------- */

static void operand_text(struct moving *moving, struct token token)
{
    const char *text = token.text;
    const int quote = parse_quote(token.length);
    if (token.length > 2 && text[0] == '$' && text[1] == 'c')
        moving_error(moving, text, token.length, "3.5.2.3",
                     "%.*s is not an operand of an MV statement\nL2BM is written $lc", quote, text);
    else if (token.length > 2 && text[0] == '$' && text[1] == '1' && text[2] == 'c')
        moving_error(moving, text, token.length, "3.5.2.3",
                     "%.*s is not an operand of an MV statement\n$lc begins with the letter l",
                     quote, text);
    else
        moving_error(moving, text, token.length, "3.5.2",
                     "%.*s is not an operand of an MV statement\n"
                     "$p<addr>, $d<addr>, $di<entry> or $lc<addr>, each with @<group>",
                     quote, text);
}

/* @<group>, @.<l2b>, @<group>.<l2b>. False: reported. */
static bool parse_where(struct moving *moving, struct token token, const char *p,
                        struct mv_operand *operand)
{
    const char *end = token.text + token.length, *from = p;
    uint64_t value;
    if (p == end)
        return true;
    bool good = *p == '@';
    p++;
    if (good && p < end && *p != '.') {
        good = mncore2_lex_natural(&p, end, &value) == LEX_NUMBER;
        if (good && value >= GROUPS) {
            moving_error(moving, from, (size_t)(p - from), "3.5.2",
                         "there is no group %llu\ngroups are 0 to 3", (unsigned long long)value);
            return false;
        }
        operand->group = (int8_t)value;
    }
    if (good && p < end && *p == '.' && operand->mem == MEM_L2BM) {
        const char *dot = p++;
        good = mncore2_lex_natural(&p, end, &value) == LEX_NUMBER;
        if (good && value >= L2B_PER_GROUP) {
            moving_error(moving, dot, (size_t)(p - dot), "3.5.2.3",
                         "there is no L2B %llu in a group\nL2B are 0 and 1",
                         (unsigned long long)value);
            return false;
        }
        operand->l2b = (int8_t)value;
    }
    if (good && p == end && p - from > 1)
        return true;
    if (from < end && *from == ',') {
        moving_error(moving, from, 1, "3.5.1",
                     "a comma between operands\nblanks divide operands; remove the comma");
        return false;
    }
    moving_error(moving, from, (size_t)(end - from), "3.5.2", "%.*s chooses no memory\n%s",
                 parse_quote((size_t)(end - from)), from,
                 operand->mem == MEM_L2BM ? "@<group>.<l2b>, @.<l2b>, @<group> or nothing"
                                          : "@<group> or nothing");
    return false;
}

static bool parse_operand(struct moving *moving, struct token token, struct mv_operand *operand)
{
    const char *p = token.text, *end = p + token.length;
    *operand = (struct mv_operand){.group = -1,
                                   .l2b = -1,
                                   .column = parse_column(moving->parser, p),
                                   .length = (uint32_t)token.length};
    uint64_t size = PDM_LONGS;
    const char *rule = "3.5.2.1";
    if (token.length > 2 && p[0] == '$' && p[1] == 'p') {
        operand->mem = MEM_PDM;
        p += 2;
    } else if (token.length > 2 && p[0] == '$' && p[1] == 'd') {
        operand->mem = MEM_DRAM;
        operand->indirect = p[2] == 'i';
        p += operand->indirect ? 3 : 2;
        size = operand->indirect ? DAR_ENTRIES : DRAM_LONGS;
        rule = "3.5.2.2";
    } else if (token.length > 3 && p[0] == '$' && p[1] == 'l' && p[2] == 'c') {
        operand->mem = MEM_L2BM;
        p += 3;
        size = L2BM_LONGS;
        rule = "3.5.2.3";
    }
    const char *from = p;
    enum lex_number found = LEX_NONE;
    if (operand->mem != MEM_NONE)
        found = mncore2_lex_natural(&p, end, &operand->addr);
    if (found == LEX_NONE) {
        operand->mem = MEM_NONE;
        operand_text(moving, token);
        return false;
    }
    const size_t length = (size_t)(p - from);
    if (found == LEX_TOO_BIG || operand->addr >= size) {
        const bool wraps = operand->mem == MEM_DRAM && !operand->indirect && found == LEX_NUMBER;
        if (!wraps) {
            moving_error(
                moving, from, length, rule,
                "address %.*s is beyond the end of %s\nthe last one is %s%s", parse_quote(length),
                from, operand->indirect ? "DAR" : mncore2_mem_name[operand->mem],
                mncore2_parse_like(from, length, size - 1).text,
                operand->indirect ? "" : ", and a unit operation starts at a multiple of 64");
        } else {
            parse_warning(moving->parser, from, length, rule, "address-wraps",
                          "address %s is beyond the end of DRAM and wraps around\nwrite %s",
                          mncore2_parse_like(from, length, operand->addr).text,
                          mncore2_parse_like(from, length, operand->addr % size).text);
            operand->addr %= size;
        }
    }
    return parse_where(moving, token, p, operand);
}

/* --- the mode (3.5.8) ------------------------------------------------------------------------- */

/* Check what a mode requires after the @ of each side. */
static bool side_fits(uint8_t where, const struct mv_operand *side, const struct mv_operand *other)
{
    const bool l2bm = side->mem == MEM_L2BM;
    switch (where) {
    case WHERE_ONE:
        return side->group >= 0 && (!l2bm || side->l2b >= 0);
    case WHERE_EACH:
        return side->group < 0 && (!l2bm || side->l2b >= 0);
    case WHERE_EACH2:
    case WHERE_ALLD:
        return side->group < 0 && side->l2b < 0;
    case WHERE_GRP2:
        return side->group >= 0 && side->l2b < 0;
    default: /* WHERE_ALL: the PDM has a group, the other side has none */
        (void)other;
        return side->mem == MEM_PDM ? side->group >= 0 : side->group < 0 && side->l2b < 0;
    }
}

/* The operand form of a mode, for messages. */
static const char *form(const struct mv_row *row, uint8_t mem)
{
    switch (row->where) {
    case WHERE_ONE:
        return mem == MEM_L2BM  ? "$lc<addr>@<group>.<l2b>"
               : mem == MEM_PDM ? "$p<addr>@<group>"
                                : "$d<addr>@<group>";
    case WHERE_EACH:
        return mem == MEM_L2BM ? "$lc<addr>@.<l2b>" : mem == MEM_PDM ? "$p<addr>" : "$d<addr>";
    case WHERE_GRP2:
        return mem == MEM_L2BM ? "$lc<addr>@<group>" : "$p<addr>@<group>";
    default:
        return mem == MEM_L2BM  ? "$lc<addr>"
               : mem == MEM_PDM ? (row->where == WHERE_ALL ? "$p<addr>@<group>" : "$p<addr>")
                                : "$d<addr>";
    }
}

/* mvp between L2BM and DRAM whose L2BM operand has no @, as in the vendor's own sample: use L2B 0
 * of the DRAM's group and warn. */
static void complete_l2bm(struct moving *moving, struct mv_operand *side,
                          const struct mv_operand *other)
{
    if (side->mem != MEM_L2BM || other->mem != MEM_DRAM || side->group >= 0 || side->l2b >= 0)
        return;
    struct parser *parser = moving->parser;
    side->group = other->group;
    side->l2b = 0;
    char which[8] = "@.0";
    if (side->group >= 0)
        which[1] = (char)('0' + side->group), which[2] = '.', which[3] = '0', which[4] = '\0';
    parse_warning(parser, parse_text(parser, side->column), side->length, "3.5.2.3",
                  "ambiguous-l2bm",
                  "mvp moves one L2BM a group and the operand does not say which; %s is taken, the "
                  "other L2BM counts only if it holds the same data\nappend %s",
                  which, which);
}

/* mvp from every DRAM to an L2BM without @: 3.5.2.3 means both L2BMs of each group, which is
 * mvb2. */
static bool both_l2bm(struct moving *moving, struct mv *mv)
{
    if (mv->from.mem != MEM_DRAM || mv->to.mem != MEM_L2BM || mv->from.group >= 0 ||
        mv->to.group >= 0 || mv->to.l2b >= 0)
        return false;
    struct parser *parser = moving->parser;
    parse_warning(parser, parse_text(parser, mv->to.column), mv->to.length, "3.5.2.3",
                  "ambiguous-l2bm",
                  "mvp moves one L2BM a group and the operand does not say which; both receive the "
                  "data, as with mvb2\nwrite mvb2, or append @.0 or @.1");
    mv->mode = MV_D_C_B2;
    return true;
}

/* Report why no mode fits. */
static void no_mode(struct moving *moving, unsigned candidates, unsigned last)
{
    const struct mv *mv = moving->mv;
    const struct token token = moving->token;
    struct parser *parser = moving->parser;
    if (candidates == 0) {
        const char *base = mncore2_base_name[moving->opcode->base];
        unsigned mode = 0;
        while (mode + 1 < MV_COUNT && strcmp(mncore2_mv_rows[mode].base, base) != 0)
            mode++;
        moving_error(moving, token.text, token.length, "3.5.8",
                     "%s does not go from %s to %s\n%s goes from %s to %s, for example", base,
                     mncore2_mem_name[mv->from.mem], mncore2_mem_name[mv->to.mem], base,
                     mncore2_mem_name[mncore2_mv_rows[mode].from],
                     mncore2_mem_name[mncore2_mv_rows[mode].to]);
        return;
    }
    const struct mv_row *row = &mncore2_mv_rows[last];
    const bool from_bad = !side_fits(row->where, &mv->from, &mv->to);
    const struct mv_operand *side = from_bad ? &mv->from : &mv->to;
    moving_error(
        moving, parse_text(parser, side->column), side->length, row->section,
        "%s from %s to %s takes its operands in another form\n%s%s %s%s", row->base,
        mncore2_mem_name[mv->from.mem], mncore2_mem_name[mv->to.mem], form(row, mv->from.mem),
        row->where == WHERE_ONE && candidates > 1 ? " with" : " and", form(row, mv->to.mem),
        row->where == WHERE_ONE && candidates > 1
            ? "; or without groups on both sides, for all groups at once"
            : "");
}

static bool find_mode(struct moving *moving)
{
    struct mv *mv = moving->mv;
    const char *base = mncore2_base_name[moving->opcode->base];
    if (moving->opcode->base == BASE_MVP && both_l2bm(moving, mv))
        return true;
    if (moving->opcode->base == BASE_MVP) {
        complete_l2bm(moving, &mv->from, &mv->to);
        complete_l2bm(moving, &mv->to, &mv->from);
    }
    unsigned candidates = 0, nearest = 0;
    for (unsigned mode = 0; mode < MV_COUNT; mode++) {
        const struct mv_row *row = &mncore2_mv_rows[mode];
        if (row->from != mv->from.mem || row->to != mv->to.mem || strcmp(row->base, base) != 0)
            continue;
        if (side_fits(row->where, &mv->from, &mv->to) &&
            side_fits(row->where, &mv->to, &mv->from)) {
            mv->mode = (uint8_t)mode;
            return true;
        }
        /* Among several candidate rows prefer the one that matches whether a group is written. */
        const bool named = mv->from.group >= 0 || mv->to.group >= 0;
        const bool wants =
            row->where == WHERE_ONE || row->where == WHERE_GRP2 || row->where == WHERE_ALL;
        if (candidates++ == 0 || named == wants)
            nearest = mode;
    }
    no_mode(moving, candidates, nearest);
    return false;
}

/* The address of an operand as written, after $p, $d or $lc. */
static struct token address_text(const char *at, const struct mv_operand *side)
{
    const char *from = at + (side->mem == MEM_L2BM ? 3 : 2), *end = at + side->length, *p = from;
    uint64_t value;
    mncore2_lex_natural(&p, end, &value);
    return (struct token){from, (size_t)(p - from)};
}

static uint64_t longs_of(const struct mv_operand *side)
{
    return side->mem == MEM_PDM ? PDM_LONGS : side->mem == MEM_L2BM ? L2BM_LONGS : DRAM_LONGS;
}

/* A transfer may run over the end of its memory (3.5.2.1 to 3.5.2.3). */
static void check_end(struct moving *moving, const struct mv_operand *side, unsigned unit)
{
    const uint64_t size = longs_of(side), span = moving->mv->size / 64 * unit;
    const char *rule = side->mem == MEM_PDM    ? "3.5.2.1"
                       : side->mem == MEM_L2BM ? "3.5.2.3"
                                               : "3.5.2.2";
    if (side->indirect || side->addr >= size || side->addr + span <= size)
        return;
    const bool fits = span <= size;
    parse_warning(moving->parser, parse_text(moving->parser, side->column), side->length, rule,
                  "address-wraps",
                  "%llu long words from here on go beyond the end of %s and wrap around\n%s%llu",
                  (unsigned long long)span, mncore2_mem_name[side->mem],
                  fits ? "the last address that they fit at is " : "at most n",
                  (unsigned long long)(fits ? size - span : size / unit * 64));
}

/* Check size and alignment against the unit operation (3.5.3). */
static void check_unit(struct moving *moving, const struct mv_operand *side, unsigned unit)
{
    struct parser *parser = moving->parser;
    const char *at = parse_text(parser, side->column);
    if (side->indirect || side->addr % unit == 0)
        return;
    const uint64_t size = longs_of(side);
    const struct token written = address_text(at, side);
    const struct parse_number nearest = mncore2_parse_like(
        written.text, written.length, mncore2_parse_nearest(side->addr, unit, size));
    if (side->mem == MEM_DRAM && unit == 64 && side->addr % 16 == 0) {
        parse_warning(parser, at, side->length, "3.5.3", "unaligned-dram",
                      "DRAM address %.*s is not aligned to the 64 long words of a unit operation\n"
                      "nearest aligned address %s",
                      parse_quote(written.length), written.text, nearest.text);
        return;
    }
    moving_error(moving, at, side->length, "3.5.3",
                 "%s address %.*s must be aligned to the %u long words of a unit operation\n"
                 "nearest aligned address %s",
                 mncore2_mem_name[side->mem], parse_quote(written.length), written.text, unit,
                 nearest.text);
}

static void check_mode(struct moving *moving)
{
    const struct mv *mv = moving->mv;
    const struct mv_row *row = &mncore2_mv_rows[mv->mode];
    struct parser *parser = moving->parser;
    const char *to = parse_text(parser, mv->to.column);
    if (mv->mode == MV_P_P && mv->from.group == mv->to.group)
        moving_error(moving, to, mv->to.length, row->section,
                     "PDM to PDM goes between different groups\nchoose another group");
    if (mv->mode == MV_C_P_R2 && mv->from.group != mv->to.group)
        moving_error(moving, to, mv->to.length, row->section,
                     "the reduction inside a group goes to the PDM of the same group\n"
                     "write @%d",
                     mv->from.group);
    check_unit(moving, &mv->from, row->unit_from);
    check_unit(moving, &mv->to, row->unit_to);
    if (!moving->bad) {
        check_end(moving, &mv->from, row->unit_from);
        check_end(moving, &mv->to, row->unit_to);
    }
}

static void check_size(struct moving *moving)
{
    struct mv *mv = moving->mv;
    if (!moving->size_seen) {
        moving_error(moving, moving->token.text, moving->token.length, "3.5.3",
                     "the transfer size is missing\nas in %s/n64", moving->opcode->name);
        return;
    }
    if (mv->size == 0) {
        moving_error(moving, moving->size_at, moving->size_length, "3.5.3",
                     "the transfer size must not be 0\nthe smallest is n64");
    } else if (mv->size > DRAM_LONGS) {
        moving_error(moving, moving->size_at, moving->size_length, "3.5.3",
                     "the transfer size is larger than a DRAM\nat most n%llu",
                     (unsigned long long)DRAM_LONGS);
    } else if (mv->size % 64 != 0) {
        const uint64_t nearest = mncore2_parse_nearest(mv->size, 64, UINT64_MAX);
        moving_error(
            moving, moving->size_at, moving->size_length, "3.5.3",
            "the transfer size must be a multiple of 64 long words\nnearest size n%s",
            mncore2_parse_like(moving->size_at, moving->size_length, nearest == 0 ? 64 : nearest)
                .text);
    }
}

bool mncore2_mv_parse(struct parser *parser, const char *text, const char *end, struct mv *mv)
{
    struct moving moving = {.parser = parser, .mv = mv};
    memset(mv, 0, sizeof *mv);
    const char *semicolon = memchr(text, ';', (size_t)(end - text));
    if (semicolon != NULL) {
        const char *p = semicolon + 1;
        while (p < end && lex_is(*p, LEX_BLANK))
            p++;
        if (p < end)
            moving_error(
                &moving, semicolon, 1, "3.5",
                "an MV statement must be alone on its line\nmove the rest to its own line");
        end = semicolon;
    }
    const char *cursor = text;
    mncore2_lex_token(&cursor, end, &moving.token);
    const char *token_end = moving.token.text + moving.token.length;
    const char *p = moving.token.text;
    while (p < token_end && (lex_is(*p, LEX_LOWER) || lex_is(*p, LEX_DIGIT)))
        p++;
    moving.opcode = mncore2_opcode_find(moving.token.text, (size_t)(p - moving.token.text));
    struct token token;
    if (moving.opcode->kind == OPCODE_MVNOP) {
        if (p != token_end)
            token = (struct token){p, (size_t)(token_end - p)};
        if (p != token_end || mncore2_lex_token(&cursor, end, &token))
            moving_error(&moving, token.text, token.length, "3.5.8.1",
                         "mvnop has no parameters and no operands\nremove %.*s",
                         parse_quote(token.length), token.text);
        return !moving.bad;
    }
    mv->prec = moving.opcode->prec;
    mv->rrn = moving.opcode->rrn;
    if (p < token_end && *p != '/') {
        moving_error(&moving, p, (size_t)(token_end - p), "3.5.1",
                     "%.*s does not belong after %s\nparameters follow a /",
                     parse_quote((size_t)(token_end - p)), p, moving.opcode->name);
    } else {
        parse_parameters(&moving, p + (p < token_end), token_end);
        check_size(&moving);
    }
    bool good = true;
    struct mv_operand *const sides[] = {&mv->from, &mv->to};
    for (size_t i = 0; i < 2; i++) {
        if (!mncore2_lex_token(&cursor, end, &token)) {
            moving_error(&moving, moving.token.text, moving.token.length, "3.5.1",
                         "%s lacks its %s\nas in mvp/n64 $p0@0 $d0@0", moving.opcode->name,
                         i == 0 ? "source and destination" : "destination");
            good = false;
            break;
        }
        good &= parse_operand(&moving, token, sides[i]);
    }
    if (good && mncore2_lex_token(&cursor, end, &token))
        moving_error(&moving, token.text, token.length, "3.5.1",
                     "an MV statement has two operands; %.*s is too much\nremove it",
                     parse_quote(token.length), token.text);
    if (good && moving.nd_seen && !mv->from.indirect && !mv->to.indirect)
        moving_error(&moving, moving.nd_at, 2, "3.5.6",
                     "nd is for indirect DRAM addresses\nuse $di<entry>, or remove nd");
    if (good && find_mode(&moving))
        check_mode(&moving);
    return !moving.bad;
}
