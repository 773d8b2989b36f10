/* operand: reads the operands of PE expressions (manual 3.6.1) and masks (3.6.2), independently of
 * their position; the expression checks what a position allows. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "functional/mncore2/parse.h"
#include "host/suggest.h"

uint64_t mncore2_parse_nearest(uint64_t value, uint64_t unit, uint64_t size)
{
    const uint64_t below = value / unit * unit;
    const bool up = value - below >= (unit + 1) / 2 && below + unit < size;
    return up ? below + unit : below;
}

struct parse_number mncore2_parse_like(const char *text, size_t length, uint64_t value)
{
    size_t i = 0;
    while (i < length && !lex_is(text[i], LEX_DIGIT))
        i++;
    const bool hexadecimal = i + 1 < length && text[i] == '0' && text[i + 1] == 'x';
    struct parse_number number;
    snprintf(number.text, sizeof number.text, hexadecimal ? "0x%" PRIx64 : "%" PRIu64, value);
    return number;
}

/* One operand being read. */
struct input {
    struct parser *parser;
    struct token token;
    const char *p, *end;
    struct operand *operand;
    struct written *written;
    uint8_t group; /* of the expression */
};

#define input_error(input, from, length, rule, ...)                                                \
    parse_error((input)->parser, from, length, rule, __VA_ARGS__)

static bool take(struct input *input, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(input->end - input->p) < length || memcmp(input->p, word, length) != 0)
        return false;
    input->p += length;
    return true;
}

/* Section of the manual and size in its unit; a size of 0 has no addresses. */
static const struct memory {
    const char *section;
    uint32_t units;
} memories[MEM_COUNT] = {
    [MEM_LM0] = {"3.6.1.6", LM_WORDS},
    [MEM_LM1] = {"3.6.1.8", LM_WORDS},
    [MEM_GRF0] = {"3.6.1.10", GRF_WORDS},
    [MEM_GRF1] = {"3.6.1.11", GRF_WORDS},
    [MEM_T] = {"3.6.1.12", 0},
    [MEM_OMR] = {"3.6.1.13", 0},
    [MEM_X] = {"3.6.1.14", 0},
    [MEM_Y] = {"3.6.1.14", 0},
    [MEM_L1BM] = {"3.6.1.5", L1BM_LONGS},
    [MEM_LBI] = {"3.6.1.5", 0},
    [MEM_L2BM] = {"3.6.1.1", L2BM_LONGS},
    [MEM_DAR] = {"3.6.1.3", DAR_ENTRIES},
    [MEM_BAR0] = {"3.6.1.7", 0},
    [MEM_BAR1] = {"3.6.1.9", 0},
    [MEM_MAUF] = {"3.6.1.15", 0},
    [MEM_ALUF] = {"3.6.1.16", 0},
    [MEM_LBF] = {"3.6.1.17", 0},
    [MEM_MREADF] = {"3.6.1.18", 0},
    [MEM_NOWRITE] = {"3.6.1.19", 0},
};

/* The manual has one section on L1BM for L2BM instructions and another for L1BM instructions. */
static const char *section_of(const struct input *input)
{
    const uint8_t mem = input->operand->mem;
    if (input->group == GROUP_L2BM && (mem == MEM_L1BM || mem == MEM_LBI))
        return "3.6.1.4";
    return memories[mem].section ? memories[mem].section : "3.6.1";
}

uint32_t mncore2_parse_units(uint8_t mem)
{
    return memories[mem].units ? memories[mem].units : 1;
}

static bool starts_address(const struct input *input)
{
    return input->p < input->end && (lex_is(*input->p, LEX_DIGIT) || *input->p == '[');
}

/* Names without an access length. */
static bool read_fixed_name(struct input *input)
{
    static const struct {
        const char *name;
        uint8_t mem, words;
    } names[] = {{"mauf", MEM_MAUF, 4},       {"mabid", MEM_MABID, 4}, {"mreadf", MEM_MREADF, 4},
                 {"msb1", MEM_MSB1, 4},       {"aluf", MEM_ALUF, 4},   {"lbf", MEM_LBF, 4},
                 {"lbi", MEM_LBI, 2},         {"llbi", MEM_LBI, 4},    {"l1bid", MEM_L1BID, 4},
                 {"l2bid", MEM_L2BID, 4},     {"peid", MEM_PEID, 4},   {"subpeid", MEM_SUBPEID, 4},
                 {"nowrite", MEM_NOWRITE, 4}, {"omr", MEM_OMR, 1},     {"dar", MEM_DAR, 1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (take(input, names[i].name)) {
            input->operand->mem = names[i].mem;
            input->operand->words = names[i].words;
            return true;
        }
    return false;
}

/* Read the name of the operand, up to its address. False if there is no valid name. */
static bool read_name(struct input *input)
{
    static const struct {
        char letter;
        uint8_t mem, base, least, most; /* its base address register; l in front of the letter */
    } letters[] = {{'m', MEM_LM0, MEM_BAR0, 0, 2},  {'n', MEM_LM1, MEM_BAR1, 0, 2},
                   {'r', MEM_GRF0, MEM_NONE, 0, 2}, {'s', MEM_GRF1, MEM_NONE, 0, 2},
                   {'t', MEM_T, MEM_NONE, 0, 2},    {'b', MEM_L1BM, MEM_NONE, 1, 2},
                   {'c', MEM_L2BM, MEM_NONE, 1, 1}, {'x', MEM_X, MEM_NONE, 1, 2},
                   {'y', MEM_Y, MEM_NONE, 1, 2}};
    struct operand *operand = input->operand;
    unsigned longs = 0, i = 0;
    /* Most operands begin with lm, ln, lr or ls; no fixed name does. */
    const bool usual =
        input->end - input->p > 1 && *input->p == 'l' &&
        (input->p[1] == 'm' || input->p[1] == 'n' || input->p[1] == 'r' || input->p[1] == 's');
    if (!usual && read_fixed_name(input))
        return true;
    while (longs < 2 && take(input, "l"))
        longs++;
    while (i < sizeof letters / sizeof *letters &&
           (input->p == input->end || *input->p != letters[i].letter))
        i++;
    if (i == sizeof letters / sizeof *letters)
        return false;
    input->p++;
    operand->mem = letters[i].mem;
    operand->words = (uint8_t)(1u << longs);
    if (letters[i].base && longs < 2 && take(input, "b")) {
        operand->mem = letters[i].base;
        return true;
    }
    if (operand->mem == MEM_T) {
        operand->words = 4; /* whatever length was written (3.6.1.12) */
        return true;
    }
    return longs >= letters[i].least && longs <= letters[i].most &&
           (operand->mem == MEM_X || operand->mem == MEM_Y || starts_address(input) ||
            (letters[i].base && input->p < input->end && *input->p == 't'));
}

/* A number of at most 32 bits. False: missing, or an error was reported. */
static bool read_number(struct input *input, uint32_t *value, const char *what)
{
    uint64_t number;
    const char *from = input->p;
    switch (mncore2_lex_natural(&input->p, input->end, &number)) {
    case LEX_NONE:
        input_error(input, input->token.text, input->token.length, "3.2.1",
                    "%s is missing in %.*s\nas in %.*s%s", what, parse_quote(input->token.length),
                    input->token.text, parse_quote((size_t)(from - input->token.text)),
                    input->token.text, input->operand->mem == MEM_OMR ? "1" : "0");
        return false;
    case LEX_TOO_BIG:
        number = UINT64_MAX;
        break;
    case LEX_NUMBER:
        break;
    }
    if (number > UINT32_MAX) {
        input_error(input, from, (size_t)(input->p - from), section_of(input),
                    "%s %.*s is far beyond the end of %s\n%s", what,
                    parse_quote((size_t)(input->p - from)), from,
                    mncore2_mem_name[input->operand->mem],
                    what[0] == 'P'   ? "j0 to j3"
                    : what[0] == 'L' ? "@.0 or @.1"
                                     : "addresses of this memory have at most four digits");
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

/* An address or increment: aligned to the access length, inside the memory or wrapped. */
static bool fit(struct input *input, const char *from, uint32_t *value, const char *what)
{
    const struct operand *operand = input->operand;
    const uint32_t size = mncore2_parse_units(operand->mem);
    const size_t length = (size_t)(input->p - from);
    const char *section = section_of(input);
    const struct parse_number written = mncore2_parse_like(from, length, *value);
    const bool wraps = operand->mem == MEM_LM0 || operand->mem == MEM_LM1;
    bool good = true;
    if (*value % operand->words != 0 && (*value < size || wraps)) {
        const uint64_t nearest = mncore2_parse_nearest(*value, operand->words, size);
        input_error(input, from, length, section,
                    "%s %s is not aligned to the access length of %u words\n"
                    "nearest aligned %s %s",
                    what, written.text, operand->words, what,
                    mncore2_parse_like(from, length, nearest).text);
        good = false;
    }
    if (*value >= size) {
        if (wraps) {
            parse_warning(input->parser, from, length, section, "address-wraps",
                          "%s %s is beyond the end of %s and wraps around\nwrite %s", what,
                          written.text, mncore2_mem_name[operand->mem],
                          mncore2_parse_like(from, length, *value % size).text);
            *value %= size;
        } else {
            input_error(input, from, length, section,
                        "%s %s is beyond the end of %s\nthe last one is %s", what, written.text,
                        mncore2_mem_name[operand->mem],
                        mncore2_parse_like(from, length, size - operand->words).text);
            good = false;
        }
    }
    return good;
}

static bool read_flat(struct input *input)
{
    struct operand *operand = input->operand;
    const char *open = input->p++;
    bool good = true;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        while (input->p < input->end && lex_is(*input->p, LEX_BLANK))
            input->p++;
        const char *from = input->p;
        uint32_t address;
        if (from == input->end || !lex_is(*from, LEX_DIGIT)) {
            const unsigned words = operand->words;
            const size_t name = (size_t)(open - input->token.text);
            input_error(input, input->token.text, input->token.length, "3.2.1",
                        "address is missing in %.*s\nas in %.*s[0,%u,%u,%u]",
                        parse_quote(input->token.length), input->token.text, parse_quote(name),
                        input->token.text, words, 2 * words, 3 * words);
            return false;
        }
        if (!read_number(input, &address, "address"))
            return false;
        good &= fit(input, from, &address, "address");
        operand->addr[cycle] = (uint16_t)address;
        while (input->p < input->end && lex_is(*input->p, LEX_BLANK))
            input->p++;
        if (!take(input, cycle == CYCLES - 1 ? "]" : ",")) {
            input_error(input, open, (size_t)(input->end - open), section_of(input),
                        "a flat address lists four addresses, one a cycle\nas in [0,2,4,6]");
            return false;
        }
    }
    operand->flags |= OPERAND_FLAT;
    input->written->base = operand->addr[0];
    return good;
}

static bool read_stride(struct input *input, uint32_t *step)
{
    struct operand *operand = input->operand;
    bool good = true;
    const char *from = input->p;
    *step = 0;
    if (!take(input, "v"))
        return true;
    uint32_t stride = operand->words;
    if (input->p < input->end && lex_is(*input->p, LEX_DIGIT)) {
        from = input->p;
        if (!read_number(input, &stride, "increment"))
            return false;
        good = fit(input, from, &stride, "increment");
    }
    /* v0 and no v mean the same; keep one form. */
    if (stride != 0)
        operand->flags |= OPERAND_STRIDE;
    *step = stride;
    return good;
}

static bool read_pe_address(struct input *input)
{
    struct operand *operand = input->operand;
    const uint32_t last = mncore2_parse_units(operand->mem) - 1; /* sizes are powers of two */
    bool good = true;
    if (input->p < input->end && *input->p == 't') {
        if (operand->mem != MEM_LM0) {
            input_error(input, input->p, 1, "3.6.1.8",
                        "T-indirect addressing exists on LM0 only\nuse $%smt",
                        operand->words == 4   ? "ll"
                        : operand->words == 2 ? "l"
                                              : "");
            good = false;
        }
        operand->flags |= OPERAND_T;
        input->p++;
        if (!starts_address(input))
            return good;
    }
    if (*input->p == '[') {
        good &= read_flat(input);
        if (!good)
            return false;
        if (input->p < input->end && *input->p == 'v') {
            input_error(input, input->p, 1, section_of(input),
                        "an increment cannot follow a flat address\n"
                        "the four addresses are given already");
            return false;
        }
    } else {
        const char *from = input->p;
        uint32_t *base = &input->written->base;
        if (!read_number(input, base, "address"))
            return false;
        good &= fit(input, from, base, "address");
        uint32_t stride;
        good &= read_stride(input, &stride);
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            operand->addr[cycle] = (uint16_t)((*base + stride * cycle) & last);
    }
    const char *from = input->p;
    if (take(input, "j")) {
        uint32_t madpe = 0;
        if (!read_number(input, &madpe, "PE number of j"))
            return false;
        const size_t length = (size_t)(input->p - from);
        if (operand->mem != MEM_LM0 && operand->mem != MEM_LM1) {
            input_error(input, from, length, section_of(input),
                        "address modification by PE (j) exists on LM0 and LM1 only\nremove the j");
            good = false;
        } else if (madpe >= PE_PER_MAB) {
            input_error(input, from, length, section_of(input),
                        "j%u names no PE of a MAB\nj0 to j3", madpe);
            good = false;
        } else if ((operand->flags & OPERAND_T) != 0) {
            input_error(input, from, length, section_of(input),
                        "T-indirect addressing and j cannot be used together\nremove the j");
            good = false;
        } else {
            operand->j = (int8_t)madpe;
        }
    }
    return good;
}

/* $omr<addr>, $dar<addr>, $lb<addr>, $lc<addr>[@.<l2b>], $lx[<addr>]. */
static bool read_plain_address(struct input *input)
{
    struct operand *operand = input->operand;
    uint32_t *base = &input->written->base;
    const bool matrix = operand->mem == MEM_X || operand->mem == MEM_Y;
    if (matrix && !starts_address(input)) {
        input->written->no_address = true;
        return true;
    }
    const char *from = input->p;
    if (!read_number(input, base, "address"))
        return false;
    const size_t length = (size_t)(input->p - from);
    bool good = true;
    if (operand->mem == MEM_OMR) {
        operand->words = 1;
        if (*base < 1 || *base >= MASK_ENTRIES) {
            input_error(input, from, length, "3.6.2",
                        "mask register entry %u cannot be written\nentries 1 to 15 are variable",
                        *base);
            good = false;
        }
    } else if (!matrix) {
        const uint32_t size = mncore2_parse_units(operand->mem);
        if (*base >= size) {
            input_error(
                input, from, length, section_of(input),
                "address %s is beyond the end of %s\nthe last one is %s%s",
                mncore2_parse_like(from, length, *base).text, mncore2_mem_name[operand->mem],
                mncore2_parse_like(from, length, size - 1).text,
                operand->mem == MEM_DAR ? "" : ", and a transfer starts at a multiple of its size");
            good = false;
        }
    }
    if (operand->mem == MEM_L2BM && input->p < input->end && *input->p == '@') {
        from = input->p;
        input->p++;
        uint32_t l2b = 2;
        if (take(input, "."))
            good &= read_number(input, &l2b, "L2B number");
        if (l2b >= L2B_PER_GROUP) {
            input_error(input, from, (size_t)(input->end - from), "3.6.1.2",
                        "this chooses no L2B\n@.0 or @.1");
            return false;
        }
        operand->l2b = (uint8_t)l2b;
        input->written->l2b = true;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        operand->addr[cycle] = (uint16_t)*base;
    return good;
}

bool mncore2_mask_parse(struct parser *parser, const char **cursor, const char *end,
                        const char *rule, struct mask *mask)
{
    const char *from = *cursor, *p = from;
    const bool named = p < end && *p == '$';
    p += named;
    *mask = (struct mask){.present = true, .wide = end - p >= 2 && p[0] == 'l' && p[1] == 'l'};
    p += mask->wide ? 2 : 0;
    bool good = true;
    if (named) {
        uint64_t entry = 0;
        const char *number = p + 3;
        enum lex_number found = LEX_NONE;
        if (end - p >= 3 && memcmp(p, "imr", 3) == 0) {
            p = number;
            found = mncore2_lex_natural(&p, end, &entry);
        }
        good = found != LEX_NONE;
        if (good && (found == LEX_TOO_BIG || entry < 1 || entry >= MASK_ENTRIES)) {
            parse_error(parser, number, (size_t)(p - number), rule,
                        "mask register entry %.*s is not variable\n"
                        "$imr1 to $imr15; fixed entries are written as patterns like /1100",
                        parse_quote((size_t)(p - number)), number);
            *cursor = end;
            return false;
        }
        mask->entry = (uint8_t)entry;
    } else {
        unsigned pattern = 0, digits = 0;
        for (; p < end && (*p == '0' || *p == '1'); p++, digits++)
            pattern = pattern << 1 | (unsigned)(*p - '0');
        good = digits == CYCLES;
        mask->entry = (uint8_t)(16 + (pattern & 15));
        if (digits == CYCLES + 2 && !mask->wide && from[0] == '1' && from[1] == '1') {
            parse_error(parser, from, (size_t)(p - from), rule,
                        "a mask pattern has four digits, one a cycle\n"
                        "for two long words write ll%.4s",
                        from + 2);
            *cursor = end;
            return false;
        }
    }
    if (!good) {
        size_t length = (size_t)(end - from);
        if (length == 0) /* from points after the / */
            parse_error(parser, from - 1, 1, rule,
                        "the mask after / is missing\n"
                        "[ll] and four digits 0 or 1, or $[ll]imr1 to $[ll]imr15");
        else
            parse_error(parser, from, length, rule,
                        "%.*s is not a mask\n"
                        "[ll] and four digits 0 or 1, or $[ll]imr1 to $[ll]imr15",
                        parse_quote(length), from);
        *cursor = end;
        return false;
    }
    if (p < end && (*p == 't' || *p == 'p')) {
        mask->truncate = *p == 't';
        mask->pad = *p == 'p';
        p++;
    }
    *cursor = p;
    return true;
}

/* The section of the block memory whose name the misspelt operand begins with; else 3.6.1. */
static const char *unknown_section(const struct input *input)
{
    const struct token token = input->token;
    size_t at = token.length > 0 && token.text[0] == '$' ? 1 : 0;
    while (at < token.length && (token.text[at] == 'l' || token.text[at] == '1') && at < 3)
        at++;
    const char letter = at < token.length ? token.text[at] : '\0';
    return letter == 'b'   ? (input->group == GROUP_L2BM ? "3.6.1.4" : "3.6.1.5")
           : letter == 'c' ? "3.6.1.1"
                           : "3.6.1";
}

/* In lower case and with the sign in front it would be an operand, as it is written from there on:
 * $LS0v, $-lr0v. */
static bool almost(struct input *input)
{
    const struct token token = input->token;
    const bool sign = token.length > 2 && token.text[0] == '$' && token.text[1] == '-';
    char fixed[40];
    if (token.length >= sizeof fixed)
        return false;
    for (size_t i = 0; i < token.length; i++)
        fixed[i] = token.text[i] >= 'A' && token.text[i] <= 'Z' ? (char)(token.text[i] + 'a' - 'A')
                                                                : token.text[i];
    if (sign)
        memcpy(fixed, "-$", 2);
    struct operand operand = {.j = -1};
    struct written written = {0};
    struct input copy = *input;
    copy.operand = &operand;
    copy.written = &written;
    copy.p = fixed;
    copy.end = fixed + token.length;
    take(&copy, "-");
    if (!take(&copy, "$") || !read_name(&copy))
        return false;
    input_error(input, token.text, token.length, sign ? "3.6.9.22" : "3.6.1",
                "%.*s is not an operand\n%s %.*s", parse_quote(token.length), token.text,
                sign ? "the sign is in front:" : "names are in lower case:", (int)token.length,
                fixed);
    return true;
}

/* Suggest a correction for a misspelt operand. */
static void unknown(struct input *input)
{
    static const char *const names[] = {
        "$lm0v", "$ln0v",    "$lr0v",   "$ls0v",  "$t",     "$lbf",  "$lbi",   "$llbi",
        "$aluf", "$mauf",    "$mreadf", "$l1bid", "$l2bid", "$peid", "$mabid", "$subpeid",
        "$msb1", "$nowrite", "$lx",     "$ly",    "$mb",    "$nb",   "$omr1",  "$dar0",
    };
    const char *text = input->token.text;
    const size_t length = input->token.length;
    char fixed[40];
    size_t used = 0;
    const char *rule = unknown_section(input);
    /* A common error in text copied from print: the letter l is read as the digit 1. */
    if (length > 2 && length < sizeof fixed && text[0] == '$' && text[1] == '1') {
        while (used < length && (text[used] == '$' || (text[used] == '1' && used < 3))) {
            fixed[used] = text[used] == '1' ? 'l' : '$';
            used++;
        }
        memcpy(fixed + used, text + used, length - used);
        input_error(input, text, length, rule,
                    "%.*s is not an operand\ndid you mean %.*s, with the letter l?",
                    parse_quote(length), text, (int)length, fixed);
        return;
    }
    if (length > 0 && text[0] != '$' && text[0] != '-') {
        input_error(input, text, length, "3.6.1", "%.*s is not an operand\noperands begin with $",
                    parse_quote(length), text);
        return;
    }
    if (length > 3 && text[1] == 'l' && text[2] == 'l' && (text[3] == 'c')) {
        input_error(input, text, length, "3.6.1.1", "L2BM is accessed in long words\nwrite $lc");
        return;
    }
    if (length > 4 && text[1] == 'l' && text[2] == 'l' && text[4] == 'b' &&
        (text[3] == 'm' || text[3] == 'n')) {
        input_error(input, text, length, text[3] == 'm' ? "3.6.1.7" : "3.6.1.9",
                    "a base address register is written as a word or long word\n"
                    "$%cb or $l%cb",
                    text[3], text[3]);
        return;
    }
    size_t name = 1;
    while (name < length && name < 3 && text[name] == 'l')
        name++;
    /* The name is valid, but the address is missing. */
    if (name + 1 == length && name > 1 && memchr("bcmnrs", text[name], 6) != NULL) {
        input_error(input, text, length, rule, "the address is missing in %.*s\nas in %.*s0",
                    (int)length, text, (int)length, text);
        return;
    }
    if (length > 1 && text[0] == '$' &&
        (text[1] == 'b' || text[1] == 'x' || text[1] == 'y' || text[1] == 'c')) {
        input_error(input, text, length, rule,
                    "%.*s lacks its access length\nwrite $l%.*s for long words",
                    parse_quote(length), text, parse_quote(length - 1), text + 1);
        return;
    }
    if (almost(input))
        return;
    if (length > 4 && memcmp(text, "$imr", 4) == 0) {
        input_error(input, text, length, "3.6.2.1",
                    "%.*s is a mask, not an operand\nit follows an output or the opcode: $lr0/%.*s",
                    parse_quote(length), text, parse_quote(length), text);
        return;
    }
    const char *near = diag_full(input->parser->diags)
                           ? NULL
                           : suggest_name(text, length, names, sizeof names / sizeof names[0]);
    if (near != NULL)
        input_error(input, text, length, "3.6.1", "%.*s is not an operand\ndid you mean %s?",
                    parse_quote(length), text, near);
    else
        input_error(input, text, length, "3.6.1",
                    "%.*s is not an operand\n"
                    "memories are $lm $ln $lr $ls $lb $lc with an address, $t, $lx and $ly",
                    parse_quote(length), text);
}

bool mncore2_operand_parse(struct parser *parser, struct token token, uint8_t group,
                           struct operand *operand, struct written *written)
{
    struct input in = {.parser = parser,
                       .token = token,
                       .p = token.text,
                       .end = token.text + token.length,
                       .operand = operand,
                       .written = written,
                       .group = group};
    struct input *input = &in;
    *operand = (struct operand){.j = -1};
    *written = (struct written){0};
    if (take(input, "-"))
        operand->flags |= OPERAND_NEGATE;
    if (!take(input, "$") || !read_name(input)) {
        unknown(input);
        return false;
    }
    bool good = true;
    if ((MEM_BIT(operand->mem) & (MEMS_PE & ~MEM_BIT(MEM_T))) != 0)
        good = read_pe_address(input);
    else if ((MEM_BIT(operand->mem) & (MEM_BIT(MEM_OMR) | MEM_BIT(MEM_DAR) | MEM_BIT(MEM_L1BM) |
                                       MEM_BIT(MEM_L2BM) | MEMS_MATRIX)) != 0)
        good = read_plain_address(input);
    if (!good)
        return false;
    const bool suffixes = (MEM_BIT(operand->mem) & (MEMS_IN | MEM_BIT(MEM_MREADF))) != 0;
    while (suffixes && input->p < input->end && (*input->p == 'e' || *input->p == 'r')) {
        const uint16_t flag = *input->p == 'e' ? OPERAND_EXTEND : OPERAND_REDUCE;
        if ((operand->flags & flag) != 0)
            break;
        operand->flags |= flag;
        input->p++;
    }
    if (input->p < input->end && *input->p == '/') {
        input->p++;
        if (!mncore2_mask_parse(parser, &input->p, input->end, "3.6.2.1", &written->mask))
            return false;
    }
    if (input->p != input->end) {
        const size_t left = (size_t)(input->end - input->p);
        if (written->mask.present) {
            input_error(input, input->p, left, "3.6.2.1",
                        "%.*s does not belong after a mask\n"
                        "a mask is the last part of an operand; remove what follows",
                        parse_quote(left), input->p);
            return false;
        }
        if (*input->p == ',') {
            input_error(input, input->p, 1, "3.6",
                        "a comma between operands\nblanks divide operands; remove the comma");
            return false;
        }
        const bool counts = (MEM_BIT(operand->mem) & MEMS_PE) != 0;
        input_error(input, input->p, left, section_of(input), "%.*s does not belong after %.*s\n%s",
                    parse_quote(left), input->p, parse_quote(token.length - left), token.text,
                    counts || *input->p != 'v' ? "the order is address, v, j, e or r, /mask"
                                               : "remove it: v is of the memories of a PE");
        return false;
    }
    return true;
}
