/* parse_control: mask lines (manual 3.6.2.1), d get, d set (3.4) and the emulator's r lines. */
#include <string.h>

#include "functional/mncore2/parse.h"

/* --- mask[l|ll][r][s][t][m][n][k] <addr> ------------------------------------------------------ */

bool mncore2_mask_line_parse(struct parser *parser, const char *text, const char *end)
{
    const char *cursor = text;
    struct token token;
    mncore2_lex_token(&cursor, end, &token);
    const char *p = token.text + 4, *token_end = token.text + token.length;
    struct mask_mode mode = {0};
    if (p < token_end && *p == 'l') {
        p++;
        if (p < token_end && *p == 'l') {
            p++;
            mode.wide = true;
        }
    }
    static const char letters[] = "rstmnk";
    for (; p < token_end; p++) {
        const char *letter = memchr(letters, *p, sizeof letters - 1);
        const unsigned bit = letter != NULL ? 1u << (letter - letters) : 0;
        if (letter == NULL || (mode.letters & bit) != 0) {
            parse_error(parser, p, 1, "3.6.2.1", "%c %s\nmask[l|ll] and the letters r s t m n k",
                        *p,
                        letter == NULL ? "names no memory that can be masked" : "is given twice");
            return false;
        }
        mode.letters |= (uint8_t)bit;
    }
    if (!mncore2_lex_token(&cursor, end, &token)) {
        parse_error(parser, text, (size_t)(end - text), "3.6.2.1",
                    "the mask register entry is missing\nas in maskr 1, or mask 0 for no masks");
        return false;
    }
    p = token.text;
    uint64_t entry = 0;
    const enum lex_number found = mncore2_lex_natural(&p, token.text + token.length, &entry);
    if (found == LEX_NONE || p != token.text + token.length || found == LEX_TOO_BIG || entry > 31) {
        parse_error(parser, token.text, token.length, "3.6.2.1",
                    "%.*s is not a mask register entry\n0 to 31", parse_quote(token.length),
                    token.text);
        return false;
    }
    if (mncore2_lex_token(&cursor, end, &token)) {
        parse_error(parser, token.text, token.length, "3.6.2.1",
                    "%.*s does not belong after a mask\nremove it", parse_quote(token.length),
                    token.text);
        return false;
    }
    mode.entry = (uint8_t)entry;
    /* Entry 0 is all ones: the same as no mask. */
    if (mode.letters == 0 || entry == 0)
        mode = (struct mask_mode){0};
    parser->mode = mode;
    return true;
}

/* --- d get, d set ----------------------------------------------------------------------------- */

struct control {
    struct parser *parser;
    struct debug *debug;
    const char *end;
    bool set, bad;
};

#define control_error(control, from, length, rule, ...)                                            \
    do {                                                                                           \
        parse_error((control)->parser, from, length, rule, __VA_ARGS__);                           \
        (control)->bad = true;                                                                     \
    } while (0)

static const char *rule_of(const struct control *control)
{
    return control->set ? "3.4.4" : "3.4.3";
}

/* Size in the unit of the address. */
static uint64_t debug_size(uint8_t mem)
{
    switch (mem) {
    case MEM_LM0:
    case MEM_LM1:
    case MEM_GRF0:
    case MEM_GRF1:
    case MEM_L1BM:
    case MEM_L2BM:
        return mncore2_parse_units(mem);
    case MEM_PDM:
        return PDM_LONGS;
    case MEM_DRAM:
        return DRAM_LONGS;
    case MEM_OMR:
        return 32;
    default: /* x, y */
        return MATRIX_ROWS;
    }
}

/* The memory's name: [l|ll] and a letter, tables 3.2 and 3.3. */
static bool debug_name(struct debug *debug, const char **p, const char *end)
{
    static const struct {
        const char *name;
        uint8_t mem, words;
    } names[] = {
        {"omr", MEM_OMR, 1},  {"llb", MEM_L1BM, 4}, {"lb", MEM_L1BM, 2}, {"lc", MEM_L2BM, 2},
        {"llr", MEM_GRF0, 4}, {"lls", MEM_GRF1, 4}, {"llm", MEM_LM0, 4}, {"lln", MEM_LM1, 4},
        {"lr", MEM_GRF0, 2},  {"ls", MEM_GRF1, 2},  {"lm", MEM_LM0, 2},  {"ln", MEM_LM1, 2},
        {"r", MEM_GRF0, 1},   {"s", MEM_GRF1, 1},   {"m", MEM_LM0, 1},   {"n", MEM_LM1, 1},
        {"llt", MEM_T, 4},    {"lt", MEM_T, 2},     {"t", MEM_T, 2},     {"lx", MEM_X, 2},
        {"ly", MEM_Y, 2},     {"p", MEM_PDM, 2},    {"d", MEM_DRAM, 2},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i].name);
        if ((size_t)(end - *p) < length || memcmp(*p, names[i].name, length) != 0)
            continue;
        debug->mem = names[i].mem;
        debug->words = names[i].words;
        *p += length;
        return true;
    }
    return false;
}

/* Addresses beyond the end follow the operands of real statements (3.4.3): DRAM and LM wrap around
 * (3.5.2.2, 3.6.1.6), with their limits; the other memories refuse them. */
static bool debug_wraps(uint8_t mem, enum lex_number found, uint64_t addr)
{
    return found == LEX_NUMBER &&
           (mem == MEM_DRAM || ((mem == MEM_LM0 || mem == MEM_LM1) && addr <= UINT32_MAX));
}

static void debug_address(struct control *control, const char **p, const char *end)
{
    struct debug *debug = control->debug;
    if (debug->mem == MEM_T)
        return;
    const char *from = *p;
    const enum lex_number found = mncore2_lex_natural(p, end, &debug->addr);
    const size_t length = (size_t)(*p - from);
    const uint64_t size = debug_size(debug->mem);
    if (found == LEX_NONE) {
        const bool lm = debug->mem == MEM_LM0 || debug->mem == MEM_LM1;
        if (lm && from < end && *from == 'b')
            control_error(control, from, 1, rule_of(control),
                          "table 3.2 has no base address registers\n%s",
                          control->set ? "an instruction writes them, as in lpassa $lr0 $lmb"
                                       : "read the memory that the base address comes from");
        else
            control_error(control, from, 1, rule_of(control),
                          "the address is missing\na number after the name, as in $lm0");
        return;
    }
    const bool matrix = debug->mem == MEM_X || debug->mem == MEM_Y;
    const bool pe = (MEM_BIT(debug->mem) & MEMS_PE) != 0;
    const bool beyond = found == LEX_TOO_BIG || debug->addr >= size;
    if (beyond && !debug_wraps(debug->mem, found, debug->addr)) {
        control_error(control, from, length, rule_of(control),
                      "%s %.*s is beyond the end of %s\nthe last one is %s",
                      matrix                  ? "row"
                      : debug->mem == MEM_OMR ? "entry"
                                              : "address",
                      parse_quote(length), from, mncore2_mem_name[debug->mem],
                      mncore2_parse_like(from, length, size - (pe ? debug->words : 1)).text);
        return;
    }
    if (pe && debug->addr % debug->words != 0)
        control_error(
            control, from, length, rule_of(control),
            "address %s is not aligned to the access length of %u words\n"
            "nearest aligned address %s",
            mncore2_parse_like(from, length, debug->addr).text, debug->words,
            mncore2_parse_like(from, length, mncore2_parse_nearest(debug->addr, debug->words, size))
                .text);
    if (beyond) {
        parse_warning(control->parser, from, length, rule_of(control), "address-wraps",
                      "address %.*s is beyond the end of %s and wraps around\nwrite %s",
                      parse_quote(length), from, mncore2_mem_name[debug->mem],
                      mncore2_parse_like(from, length, debug->addr % size).text);
        debug->addr %= size;
    }
}

/* n<group> c<l2b> b<l1b> m<mab> p<pe>, each optional. Selectors below the memory's level are read
 * and ignored (3.4.3). */
static void debug_selectors(struct control *control, const char **p, const char *end)
{
    struct debug *debug = control->debug;
    static const struct {
        char letter;
        uint8_t count;
        const char *what;
    } levels[] = {{'n', GROUPS, "group"},
                  {'c', L2B_PER_GROUP, "L2B"},
                  {'b', L1B_PER_L2B, "L1B"},
                  {'m', MAB_PER_L1B, "MAB"},
                  {'p', PE_PER_MAB, "PE"}};
    int8_t *const fields[] = {&debug->group, &debug->l2b, &debug->l1b, &debug->mab, &debug->pe};
    const unsigned depth = debug->mem == MEM_PDM || debug->mem == MEM_DRAM ? 1
                           : debug->mem == MEM_L2BM                        ? 2
                           : debug->mem == MEM_L1BM                        ? 3
                           : debug->mem == MEM_X || debug->mem == MEM_Y    ? 4
                                                                           : 5;
    for (unsigned i = 0; i < 5; i++) {
        *fields[i] = -1;
        if (*p == end || **p != levels[i].letter)
            continue;
        const char *from = (*p)++;
        uint64_t number = 0;
        const enum lex_number found = mncore2_lex_decimal(p, end, &number);
        const size_t length = (size_t)(*p - from);
        if (found != LEX_NUMBER || number >= levels[i].count) {
            control_error(control, from, length, rule_of(control),
                          "%.*s chooses no %s\n%c0 to %c%u", parse_quote(length), from,
                          levels[i].what, levels[i].letter, levels[i].letter, levels[i].count - 1u);
            continue;
        }
        if (i < depth)
            *fields[i] = (int8_t)number;
    }
    if (*p != end) {
        const size_t length = (size_t)(end - *p);
        control_error(control, *p, length, rule_of(control),
                      "%.*s chooses no element\nthe order is n<group> c<L2B> b<L1B> m<MAB> p<PE>",
                      parse_quote(length), *p);
    }
}

static void debug_memory(struct control *control, struct token token)
{
    struct debug *debug = control->debug;
    const char *p = token.text, *end = p + token.length;
    if (*p != '$') {
        control_error(control, token.text, token.length, rule_of(control),
                      "%.*s is not a memory\nmemories begin with $", parse_quote(token.length),
                      token.text);
        return;
    }
    p++;
    if (!debug_name(debug, &p, end)) {
        control_error(control, token.text, token.length, rule_of(control),
                      "%.*s is not a memory of this statement\n"
                      "%s$lc $lb $llb, [l|ll] r s m n t%s",
                      parse_quote(token.length), token.text, control->set ? "" : "$p $d ",
                      control->set ? "" : ", $lx $ly $omr");
        return;
    }
    if (control->set && (debug->mem == MEM_X || debug->mem == MEM_Y || debug->mem == MEM_OMR)) {
        control_error(control, token.text, token.length, "3.4.4", "d set does not write %s\n%s",
                      mncore2_mem_name[debug->mem],
                      debug->mem == MEM_OMR ? "compute a flag into $omr1 to $omr15"
                                            : "use dmwrite, fmwrite, gmwrite or hmwrite");
        return;
    }
    if (control->set && (debug->mem == MEM_PDM || debug->mem == MEM_DRAM)) {
        const bool dram = debug->mem == MEM_DRAM;
        control_error(
            control, token.text, token.length, "3.4.4",
            "d set does not write %s\ntakt run --load %c@<group>:<addr>=<file> fills it%s",
            mncore2_mem_name[debug->mem], dram ? 'd' : 'p',
            dram ? ", and so does an r line"
                 : ", and so does d set of $lc followed by an MV statement");
        return;
    }
    debug_address(control, &p, end);
    if (!control->bad)
        debug_selectors(control, &p, end);
}

/* The least number of bits a dtype needs (the error of 3.4.3). */
static void debug_dtype(struct control *control, struct token keyword, const char *dtype)
{
    struct debug *debug = control->debug;
    const size_t length = strlen(dtype);
    if (debug->mem == MEM_NONE || control->bad)
        return;
    const bool matrix = debug->mem == MEM_X || debug->mem == MEM_Y;
    if (matrix && length == 0) {
        control_error(control, keyword.text, keyword.length, "3.4.3",
                      "a matrix register needs a data type, which says where its rows are\n"
                      "as in d getf");
        return;
    }
    const bool is_double = length == 0 || dtype[length - 1] == 'd';
    if (is_double && debug->words == 1 && debug->mem != MEM_OMR)
        control_error(control, keyword.text, keyword.length, "3.4.3",
                      "double precision cannot be shown from single words\n"
                      "read long words ($l...), or use d getf or d geth");
}

static void debug_count(struct control *control, struct token token)
{
    struct debug *debug = control->debug;
    const char *p = token.text, *end = p + token.length;
    const enum lex_number found = mncore2_lex_decimal(&p, end, &debug->count);
    if (found != LEX_NUMBER || p != end || debug->count == 0 || debug->count > DRAM_LONGS) {
        control_error(control, token.text, token.length, rule_of(control),
                      "%.*s is no number of words\na decimal number from 1",
                      parse_quote(token.length), token.text);
        return;
    }
    if (debug->mem == MEM_NONE || control->bad)
        return;
    if (debug->mem == MEM_T) {
        if (control->set && debug->count > CYCLES)
            control_error(control, token.text, token.length, "3.4.4",
                          "T has four entries, one a cycle\nat most 4");
        return;
    }
    /* d get counts accesses; the address counts words in PE memories, long words elsewhere. */
    const bool pe = (MEM_BIT(debug->mem) & MEMS_PE) != 0;
    const uint64_t each = pe ? debug->words : debug->mem == MEM_L1BM ? debug->words / 2u : 1;
    const uint64_t size = debug_size(debug->mem);
    if (debug->addr + debug->count * each <= size)
        return;
    if (debug->mem == MEM_OMR || debug->mem == MEM_X || debug->mem == MEM_Y ||
        debug->count * each > size)
        control_error(control, token.text, token.length, rule_of(control),
                      "the words go beyond the end of %s\nat most %llu",
                      mncore2_mem_name[debug->mem],
                      (unsigned long long)((size - debug->addr) / each));
    else
        parse_warning(control->parser, token.text, token.length, rule_of(control), "address-wraps",
                      "the words go beyond the end of %s and wrap around\nat most %llu do not",
                      mncore2_mem_name[debug->mem],
                      (unsigned long long)((size - debug->addr) / each));
}

/* One long word in the l, s or h notation of table 3.4; *p is after the letter. */
static const char *notation(struct control *control, const char **p, const char *end, char letter)
{
    (void)control;
    const unsigned parts = letter == 'l' ? 1 : letter == 's' ? 2 : 4;
    const size_t most = 16 / parts;
    for (unsigned part = 0; part < parts; part++) {
        if (part > 0) {
            if (*p == end || **p != '_')
                return letter == 's' ? "two words with _ between them, as in s1_2"
                                     : "four half words with _ between them, as in h1_2_3_4";
            ++*p;
        }
        const size_t run =
            mncore2_lex_hex_run(*p, (size_t)(end - *p) < 17 ? (size_t)(end - *p) : 17);
        *p += run;
        if (run == 0)
            return "a hexadecimal number is missing";
        if (run > most)
            return letter == 'l'   ? "at most 16 hexadecimal digits"
                   : letter == 's' ? "at most 8 hexadecimal digits each"
                                   : "at most 4 hexadecimal digits each";
    }
    return NULL;
}

static void payload_length(struct control *control, struct token token, uint64_t got, uint64_t want)
{
    control_error(control, token.text, token.length, "3.4.4",
                  "the payload has %llu long words, %llu are needed\n"
                  "each element of this memory takes %u",
                  (unsigned long long)got, (unsigned long long)want,
                  control->debug->words == 4 ? 2 : 1);
}

/* A prefix of another notation: 0x, or the type and quotes of an immediate value. */
static bool foreign_payload(struct control *control, struct token token)
{
    const char *p = token.text;
    if (token.length > 1 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        control_error(control, p, 2, "3.4.4",
                      "a payload has no 0x: its digits are hexadecimal\nremove %.2s", p);
        return true;
    }
    if (!memchr(p, '"', token.length))
        return false;
    control_error(control, p, token.length, "3.4.4",
                  "a payload has the bits of a value, not an immediate value\n"
                  "16 hexadecimal digits for each long word: 1.0 is 3ff0000000000000 in double, "
                  "s3f800000_3f800000 in single precision");
    return true;
}

static void set_payload(struct control *control, struct token token)
{
    struct debug *debug = control->debug;
    const char *p = token.text, *end = p + token.length;
    debug->payload = (size_t)(token.text - control->parser->source->text);
    debug->payload_size = token.length;
    if (control->bad)
        return;
    const uint64_t want = debug->count * (debug->words == 4 ? 2 : 1);
    if (*p != 'l' && *p != 's' && *p != 'h') {
        const size_t run = mncore2_lex_hex_run(p, token.length);
        if (run != token.length && foreign_payload(control, token))
            return;
        if (run != token.length) {
            const bool mixed = p[run] == 'l' || p[run] == 's' || p[run] == 'h';
            control_error(control, p + run, 1, "3.4.4", "%s",
                          mixed ? "the 16-digit notation cannot be mixed with l, s and h\n"
                                  "write an l in front of each number"
                                : "not a hexadecimal digit\n0 to 9 and a to f");
            return;
        }
        if (run % 16 != 0) {
            control_error(control, token.text, token.length, "3.4.4",
                          "the payload has %zu digits; a long word has 16\n"
                          "for shorter numbers use l, s1_2 or h1_2_3_4",
                          run);
            return;
        }
        if (run / 16 != want)
            payload_length(control, token, run / 16, want);
        return;
    }
    uint64_t got = 0;
    while (p < end) {
        const char *from = p;
        const char letter = *p;
        if (letter != 'l' && letter != 's' && letter != 'h') {
            control_error(control, p, 1, "3.4.4",
                          lex_is(letter, LEX_HEX)
                              ? "the 16-digit notation cannot be mixed with l, s and h"
                              : "a long word begins with l, s or h here\n"
                                "as in l1, s1_2 or h1_2_3_4");
            return;
        }
        p++;
        const char *fault = notation(control, &p, end, letter);
        if (fault != NULL) {
            const size_t length = (size_t)(p - from);
            control_error(control, from, length, "3.4.4", "%.*s is not a long word\n%s",
                          parse_quote(length), from, fault);
            return;
        }
        got++;
    }
    if (got != want)
        payload_length(control, token, got, want);
}

/* r <group> <address> <count> <payload>: presets DRAM; numbers are hexadecimal except the group. */
static bool preset(struct control *control, const char *cursor)
{
    struct debug *debug = control->debug;
    struct token tokens[4] = {{0}};
    const char *end = control->end;
    for (size_t i = 0; i < 4; i++) {
        if (!mncore2_lex_token(&cursor, end, &tokens[i])) {
            control_error(control, control->parser->line, (size_t)(end - control->parser->line), "",
                          "an r line has four parts\n"
                          "r <group> <9 digits: address> <3 digits: count> <count x 16 digits>");
            return false;
        }
    }
    *debug = (struct debug){
        .mem = MEM_DRAM, .words = 2, .group = -1, .l2b = -1, .l1b = -1, .mab = -1, .pe = -1};
    const char *p = tokens[0].text;
    uint64_t group = 0;
    if (mncore2_lex_decimal(&p, p + tokens[0].length, &group) != LEX_NUMBER ||
        p != tokens[0].text + tokens[0].length || group >= GROUPS)
        control_error(control, tokens[0].text, tokens[0].length, "", "%.*s is not a group\n0 to 3",
                      parse_quote(tokens[0].length), tokens[0].text);
    debug->group = (int8_t)(group & 3);
    uint64_t numbers[2] = {0, 0};
    static const char *const what[] = {"an address has 9 hexadecimal digits\nas in 00000001f",
                                       "a count has 3 hexadecimal digits\nas in 001"};
    static const size_t digits[] = {9, 3};
    for (size_t i = 0; i < 2; i++) {
        const struct token token = tokens[i + 1];
        if (mncore2_lex_hex_run(token.text, token.length) != token.length ||
            token.length != digits[i]) {
            control_error(control, token.text, token.length, "", "%s", what[i]);
            continue;
        }
        for (size_t k = 0; k < token.length; k++)
            numbers[i] = numbers[i] << 4 | lex_digit(token.text[k]);
    }
    debug->addr = numbers[0];
    debug->count = numbers[1];
    debug->payload = (size_t)(tokens[3].text - control->parser->source->text);
    debug->payload_size = tokens[3].length;
    if (control->bad)
        return false;
    if (debug->addr + debug->count > DRAM_LONGS)
        control_error(control, tokens[1].text, tokens[1].length, "",
                      "the words go beyond the end of DRAM\nthe last address is 01fffffff");
    const size_t run = mncore2_lex_hex_run(tokens[3].text, tokens[3].length);
    if (run != tokens[3].length)
        control_error(control, tokens[3].text + run, 1, "",
                      "not a hexadecimal digit\n0 to 9 and a to f");
    else if (debug->count == 0 || run != debug->count * 16)
        control_error(control, tokens[3].text, tokens[3].length, "",
                      "the payload has %zu digits, %llu are needed\n16 for each long word", run,
                      (unsigned long long)debug->count * 16);
    struct token token;
    if (mncore2_lex_token(&cursor, end, &token))
        control_error(control, token.text, token.length, "", "%.*s is too much\nremove it",
                      parse_quote(token.length), token.text);
    return !control->bad;
}

bool mncore2_debug_parse(struct parser *parser, const char *text, const char *end,
                         struct debug *debug, enum stmt_kind *kind)
{
    memset(debug, 0, sizeof *debug);
    while (end > text && (lex_is(end[-1], LEX_BLANK) || end[-1] == ';'))
        end--;
    struct control control = {.parser = parser, .debug = debug, .end = end};
    const char *cursor = text;
    struct token keyword, memory, count, payload;
    mncore2_lex_token(&cursor, end, &keyword);
    if (keyword.text[0] == 'r') {
        *kind = STMT_PRESET;
        return preset(&control, cursor);
    }
    debug->group = debug->l2b = debug->l1b = debug->mab = debug->pe = -1;
    char dtype[sizeof debug->dtype] = "";
    bool known = mncore2_lex_token(&cursor, end, &keyword);
    if (known && mncore2_lex_equal(keyword, "set")) {
        control.set = true;
    } else if (known && keyword.length >= 3 && keyword.length <= 5 &&
               memcmp(keyword.text, "get", 3) == 0) {
        static const char *const dtypes[] = {"", "d", "bd", "f", "bf", "bg", "h", "bh"};
        memcpy(dtype, keyword.text + 3, keyword.length - 3);
        known = false;
        for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
            known |= strcmp(dtype, dtypes[i]) == 0;
    } else {
        known = false;
    }
    if (!known) {
        const char *at = keyword.length != 0 ? keyword.text : text;
        parse_error(parser, at, keyword.length != 0 ? keyword.length : 1, "3.4.3",
                    "unknown control statement\n"
                    "d set, or d get with d, bd, f, bf, bg, h, bh or nothing after it");
        return false;
    }
    memcpy(debug->dtype, dtype, sizeof dtype);
    *kind = control.set ? STMT_SET : STMT_GET;
    if (!mncore2_lex_token(&cursor, end, &memory)) {
        control_error(&control, keyword.text, keyword.length, rule_of(&control),
                      "the memory is missing\nas in d %s $lm0n0c0b0m0p0 1%s",
                      control.set ? "set" : "get", control.set ? " l1" : "");
        return false;
    }
    debug_memory(&control, memory);
    if (!control.set)
        debug_dtype(&control, keyword, dtype);
    if (!mncore2_lex_token(&cursor, end, &count)) {
        control_error(&control, memory.text, memory.length, rule_of(&control),
                      "the number of words is missing\na decimal number from 1");
        return false;
    }
    debug_count(&control, count);
    if (control.set) {
        if (!mncore2_lex_token(&cursor, end, &payload)) {
            control_error(
                &control, count.text, count.length, "3.4.4",
                "the payload is missing\n16 digits for each long word, or l, s, h notation");
            return false;
        }
        set_payload(&control, payload);
    }
    if (mncore2_lex_token(&cursor, end, &payload))
        control_error(&control, payload.text, payload.length, rule_of(&control),
                      "%.*s does not belong here%s", parse_quote(payload.length), payload.text,
                      control.set ? "\na payload is written without blanks" : "\nremove it");
    return !control.bad;
}
