/* names: the rows of insn.def and mv.def as tables, and every spelling of an opcode. */
#include "functional/mncore2/parse.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host/suggest.h"

/* Precisions that an opcode accepts (table 3.10), as bits of enum prec. */
enum {
    P_D = 1 << PREC_D,
    P_F = 1 << PREC_F,
    P_G = 1 << PREC_G,
    P_H = 1 << PREC_H,
    TYPES_INT = 1 << PREC_L | 1 << PREC_I | 1 << PREC_S,
    TYPES_NONE = 0,
    TYPES_FLOAT = P_D | P_F | P_H,
    TYPES_BOTH = TYPES_FLOAT | TYPES_INT,
    TYPES_DFH = TYPES_FLOAT,
    TYPES_DFGH = P_D | P_F | P_G | P_H,
    TYPES_BFN = TYPES_DFGH,
    TYPES_BFE = P_H,
    TYPES_RRN = 1 << 15
};

const struct insn_row mncore2_insns[INSN_COUNT] = {
#define INSN(id, mnemonic, group, types, inputs, wide, uns, section, sentence)                     \
    [INSN_##id] = {mnemonic, section, sentence, TYPES_##types, GROUP_##group, inputs, wide, uns},
#include "functional/mncore2/insn.def"
};

/* Sections of rows that the manual describes per precision (3.6.9 to 3.6.11). */
static const char *const section_by_prec[INSN_COUNT][PREC_H + 1] = {
#define D_F_G_H(d, f, g, h)                                                                        \
    {                                                                                              \
        [PREC_D] = d, [PREC_F] = f, [PREC_G] = g, [PREC_H] = h                                     \
    }
    [INSN_MFMA] = D_F_G_H("3.6.9.2", "3.6.9.4", "3.6.9.6", "3.6.9.8"),
    [INSN_MMUL] = D_F_G_H("3.6.9.3", "3.6.9.5", "3.6.9.7", "3.6.9.9"),
    [INSN_VFMA] = D_F_G_H("3.6.9.10", "3.6.9.14", NULL, "3.6.9.18"),
    [INSN_VMUL] = D_F_G_H("3.6.9.11", "3.6.9.15", NULL, "3.6.9.19"),
    [INSN_VADD] = D_F_G_H("3.6.9.12", "3.6.9.16", NULL, "3.6.9.20"),
    [INSN_VPASSA] = D_F_G_H("3.6.9.13", "3.6.9.17", NULL, "3.6.9.21"),
    [INSN_MWRITE] = D_F_G_H("3.6.10.1", "3.6.10.2", "3.6.10.2", "3.6.10.3"),
    [INSN_MREAD] = D_F_G_H("3.6.11.1", "3.6.11.2", "3.6.11.2", "3.6.11.3"),
#undef D_F_G_H
};
/* Sections of table 3.8's rows with two long words. */
static const char *const section_of_two[INSN_COUNT] = {
    [INSN_L1BMP] = "3.6.8.7",   [INSN_L1BMM] = "3.6.8.9",   [INSN_L1BMM_AT] = "3.6.8.11",
    [INSN_L1BMR] = "3.6.8.13",  [INSN_L1BMM4] = "3.6.8.15", [INSN_L1BMM4_AT] = "3.6.8.17",
    [INSN_L1BMR4] = "3.6.8.19",
};

const char *mncore2_insn_section_of(unsigned insn, unsigned prec, bool two)
{
    if (two && section_of_two[insn] != NULL)
        return section_of_two[insn];
    const char *section = prec <= PREC_H ? section_by_prec[insn][prec] : NULL;
    return section != NULL ? section : mncore2_insns[insn].section;
}

const char *const mncore2_base_name[BASE_COUNT] = {
    [BASE_MVP] = "mvp", [BASE_MVB] = "mvb",   [BASE_MVB2] = "mvb2", [BASE_MVB4] = "mvb4",
    [BASE_MVR] = "mvr", [BASE_MVR2] = "mvr2", [BASE_MVR4] = "mvr4", [BASE_MVD] = "mvd",
};

#define KIND_P MEM_PDM
#define KIND_D MEM_DRAM
#define KIND_C MEM_L2BM
const struct mv_row mncore2_mv_rows[MV_COUNT] = {
#define MV(id, base, from, to, where, unit_from, unit_to, section, sentence)                       \
    [MV_##id] = {base,      KIND_##from, KIND_##to, WHERE_##where,                                 \
                 unit_from, unit_to,     section,   sentence},
#include "functional/mncore2/mv.def"
};

const char *const mncore2_group_name[GROUP_COUNT] = {
    [GROUP_NOP] = "nop",
    [GROUP_NOFORWARD] = "noforward",
    [GROUP_L2BM] = "l2bm",
    [GROUP_L2BMDARW] = "l2bmdarw",
    [GROUP_L1BM] = "l1bm",
    [GROUP_L1BM_TURN] = "l1bm-turnaround",
    [GROUP_MAU_CALC] = "mau-calc",
    [GROUP_MAU_MWRITE] = "mau-mwrite",
    [GROUP_MAU_MREAD] = "mau-mread",
    [GROUP_ALU] = "alu",
    [GROUP_WAIT] = "wait",
};

const char mncore2_prec_letter[] = {
    [PREC_NONE] = '\0', [PREC_D] = 'd', [PREC_F] = 'f', [PREC_G] = 'g',
    [PREC_H] = 'h',     [PREC_L] = 'l', [PREC_I] = 'i', [PREC_S] = 's'};

const char *const mncore2_rrn_name[] = {
    [RRN_NONE] = "",   [RRN_FADD] = "fadd", [RRN_MAX] = "max",
    [RRN_MIN] = "min", [RRN_IADD] = "iadd", [RRN_BAND] = "band",
    [RRN_AND] = "and", [RRN_BOR] = "bor",   [RRN_OR] = "or",
};

const char *const mncore2_mem_name[MEM_COUNT] = {
    [MEM_NONE] = "nothing",
    [MEM_LM0] = "LM0",
    [MEM_LM1] = "LM1",
    [MEM_GRF0] = "GRF0",
    [MEM_GRF1] = "GRF1",
    [MEM_T] = "T",
    [MEM_OMR] = "the mask registers",
    [MEM_BAR0] = "LM0's base address register",
    [MEM_BAR1] = "LM1's base address register",
    [MEM_MAUF] = "$mauf",
    [MEM_ALUF] = "$aluf",
    [MEM_LBF] = "$lbf",
    [MEM_MREADF] = "$mreadf",
    [MEM_NOWRITE] = "$nowrite",
    [MEM_L2BID] = "$l2bid",
    [MEM_L1BID] = "$l1bid",
    [MEM_MABID] = "$mabid",
    [MEM_PEID] = "$peid",
    [MEM_SUBPEID] = "$subpeid",
    [MEM_MSB1] = "$msb1",
    [MEM_X] = "matrix register x",
    [MEM_Y] = "matrix register y",
    [MEM_L1BM] = "L1BM",
    [MEM_LBI] = "the turnaround register",
    [MEM_L2BM] = "L2BM",
    [MEM_DAR] = "DAR",
    [MEM_PDM] = "PDM",
    [MEM_DRAM] = "DRAM",
};

/* --- every spelling --------------------------------------------------------------------------- */

enum { OPCODES = 768, SLOTS = 4096 };

static struct opcode opcodes[OPCODES];
static size_t opcode_count;
static uint16_t slots[SLOTS]; /* index + 1 */
static const char *opcode_names[OPCODES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A name of at most 15 bytes as two words. */
struct packed {
    uint64_t low, high;
};

static inline struct packed pack(const char *text, size_t length)
{
    struct packed packed = {0, 0};
    if (length > 8) {
        memcpy(&packed.low, text, 8);
        memcpy(&packed.high, text + 8, length - 8);
    } else {
        memcpy(&packed.low, text, length);
    }
    return packed;
}

static inline size_t slot_of(struct packed p)
{
    const uint64_t mixed = (p.low ^ (p.high * 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    return (size_t)(mixed >> 52) % SLOTS;
}

static void add(struct opcode opcode)
{
    opcode.name[sizeof opcode.name - 1] = '\0';
    if (opcode_count == OPCODES)
        abort(); /* a row was added: OPCODES must grow */
    size_t slot = slot_of(pack(opcode.name, strlen(opcode.name)));
    while (slots[slot] != 0)
        slot = (slot + 1) % SLOTS;
    opcodes[opcode_count] = opcode;
    opcode_names[opcode_count] = opcodes[opcode_count].name;
    slots[slot] = (uint16_t)++opcode_count;
}

static void spell(struct opcode opcode, const char *prefix, char letter, const char *middle,
                  const char *suffix)
{
    char *p = opcode.name;
    const char *const parts[] = {prefix, (const char[]){letter, '\0'}, middle, suffix};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        p = stpcpy(p, parts[i]);
    add(opcode);
}

static void add_reductions(struct opcode opcode, const char *mnemonic, bool l1bm)
{
    for (unsigned rrn = RRN_FADD; rrn <= RRN_OR; rrn++) {
        const unsigned types = rrn <= RRN_MIN ? TYPES_FLOAT : TYPES_INT;
        for (unsigned prec = PREC_D; prec <= PREC_S; prec++) {
            if ((types & 1u << prec) == 0)
                continue;
            opcode.prec = (uint8_t)prec;
            opcode.rrn = (uint8_t)rrn;
            opcode.reduce = false;
            spell(opcode, mnemonic, mncore2_prec_letter[prec], mncore2_rrn_name[rrn], "");
            if (l1bm && prec == PREC_F) {
                opcode.reduce = true;
                spell(opcode, mnemonic, mncore2_prec_letter[prec], mncore2_rrn_name[rrn], "r");
            }
        }
    }
}

/* MAU: u and d of double-precision products, r if 3.6.9.25 lists a lower precision. */
static void add_mau(struct opcode opcode, const char *mnemonic)
{
    const bool product = opcode.insn != INSN_VADD && opcode.insn != INSN_VPASSA;
    const bool lower_exists = opcode.prec == PREC_D || opcode.prec == PREC_H;
    const bool half = opcode.prec == PREC_D && product;
    for (int lower = 0; lower <= (half ? 1 : 0); lower++) {
        opcode.lower = lower == 1;
        opcode.reduce = false;
        const char *suffix = !half ? "" : lower == 1 ? "d" : "u";
        spell(opcode, "", mncore2_prec_letter[opcode.prec], mnemonic, suffix);
        if (lower_exists) {
            opcode.reduce = true;
            spell(opcode, "", mncore2_prec_letter[opcode.prec], mnemonic,
                  !half        ? "r"
                  : lower == 1 ? "dr"
                               : "ur");
        }
    }
}

static void add_typed(unsigned insn, const char *mnemonic, bool alias)
{
    struct opcode opcode = {.kind = OPCODE_PE, .insn = (uint8_t)insn, .alias = alias};
    const unsigned types = mncore2_insns[insn].types;
    if (types == TYPES_RRN) {
        add_reductions(opcode, mnemonic, mncore2_insns[insn].group == GROUP_L1BM);
        return;
    }
    if (types == TYPES_NONE) {
        spell(opcode, "", '\0', mnemonic, "");
        return;
    }
    for (unsigned prec = PREC_D; prec <= PREC_S; prec++) {
        if ((types & 1u << prec) == 0)
            continue;
        opcode.prec = (uint8_t)prec;
        opcode.uns = false;
        if (mncore2_insns[insn].group == GROUP_MAU_CALC) {
            add_mau(opcode, mnemonic);
            continue;
        }
        spell(opcode, "", mncore2_prec_letter[prec], mnemonic, "");
        const bool integer = prec >= PREC_L;
        if (mncore2_insns[insn].uns == 1 || (mncore2_insns[insn].uns == 2 && integer)) {
            opcode.uns = true;
            spell(opcode, "u", mncore2_prec_letter[prec], mnemonic, "");
        }
    }
}

static void build(void)
{
    static const struct {
        const char *mnemonic;
        uint8_t insn;
    } aliases[] = {
        {"relu0", INSN_RELU},     {"lrelu", INSN_LRELUD},   {"lrelo", INSN_LRELU0},
        {"ilrelu", INSN_ILRELUD}, {"ilrelo", INSN_ILRELUD},
    };
    for (unsigned insn = 0; insn < INSN_COUNT; insn++) {
        /* One spelling, several rows: the operands select one (parse_move.c). */
        if (insn == INSN_L2BMD_JOIN || insn == INSN_L1BMM_AT || insn == INSN_L1BMM4_AT ||
            insn == INSN_L1BMD_JOIN)
            continue;
        add_typed(insn, mncore2_insns[insn].mnemonic, false);
    }
    add((struct opcode){.name = "immu", .kind = OPCODE_PE, .insn = INSN_IMM, .uns = true});
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        add_typed(aliases[i].insn, aliases[i].mnemonic, true);
    for (unsigned base = 0; base < BASE_COUNT; base++) {
        struct opcode opcode = {.kind = OPCODE_MV, .base = (uint8_t)base};
        if (base == BASE_MVR || base == BASE_MVR2 || base == BASE_MVR4)
            add_reductions(opcode, mncore2_base_name[base], false);
        else
            spell(opcode, "", '\0', mncore2_base_name[base], "");
    }
    add((struct opcode){.name = "mvnop", .kind = OPCODE_MVNOP});
}

const struct opcode *mncore2_opcode_find(const char *text, size_t length)
{
    pthread_once(&once, build);
    if (length >= sizeof opcodes[0].name)
        return NULL;
    for (size_t slot = slot_of(pack(text, length)); slots[slot] != 0; slot = (slot + 1) % SLOTS) {
        const struct opcode *opcode = &opcodes[slots[slot] - 1];
        if (memcmp(opcode->name, text, length) == 0 && opcode->name[length] == '\0')
            return opcode;
    }
    return NULL;
}

const struct opcode *mncore2_opcode_all(size_t *count)
{
    pthread_once(&once, build);
    *count = opcode_count;
    return opcodes;
}

/* --- unknown opcodes -------------------------------------------------------------------------- */

static bool begins(const char *text, size_t length, const char *prefix)
{
    return strlen(prefix) <= length && memcmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* The precision letters of a row as "d, f or h". */
static const char *letters_of(unsigned types)
{
    return types == TYPES_INT    ? "l, i or s"
           : types == TYPES_BOTH ? "d, f, h, l, i or s"
           : types == TYPES_DFGH ? "d, f, g or h"
           : types == TYPES_BFE  ? "h"
                                 : "d, f or h";
}

static bool without_precision(struct parser *parser, struct token token, size_t length)
{
    const char *text = token.text;
    for (unsigned insn = 0; insn < INSN_COUNT; insn++) {
        const unsigned types = mncore2_insns[insn].types;
        if (types == TYPES_NONE || types == TYPES_RRN)
            continue;
        const size_t skip = length > 1 && text[0] == 'u' ? 1 : 0;
        if (is_word(text, length, mncore2_insns[insn].mnemonic) ||
            (skip != 0 && mncore2_insns[insn].uns != 0 &&
             is_word(text + 1, length - 1, mncore2_insns[insn].mnemonic))) {
            parse_error(parser, text, length, mncore2_insns[insn].section,
                        "%.*s needs a precision letter\n%s in front of %s", (int)length, text,
                        letters_of(skip != 0 && mncore2_insns[insn].uns == 2 ? TYPES_INT : types),
                        mncore2_insns[insn].mnemonic);
            return true;
        }
    }
    return false;
}

/* A reduction whose precision letter is missing or wrong: l1bmrfadd, mvr4dband. */
static bool reduction(struct parser *parser, struct token token, size_t length)
{
    static const struct {
        const char *prefix, *section;
    } heads[] = {{"l1bmr4", "3.6.8.18"}, {"l1bmr", "3.6.8.12"}, {"l2bmr2", "3.6.7.7"},
                 {"l2bmr", "3.6.7.6"},   {"mvr2", "3.5.5"},     {"mvr4", "3.5.5"},
                 {"mvr", "3.5.5"}};
    const char *text = token.text;
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        if (!begins(text, length, heads[i].prefix))
            continue;
        const size_t skip = strlen(heads[i].prefix);
        const char *rest = text + skip;
        const size_t left = length - skip;
        if (left == 0) {
            parse_error(parser, text, length, heads[i].section,
                        "%.*s needs a reduction\nprecision and operation, as in %sdfadd",
                        (int)length, text, heads[i].prefix);
            return true;
        }
        for (unsigned rrn = RRN_FADD; rrn <= RRN_OR; rrn++) {
            const bool integer = rrn > RRN_MIN;
            if (is_word(rest, left, mncore2_rrn_name[rrn])) {
                parse_error(parser, text, length, "3.5.5",
                            "the reduction %s needs a precision letter\n%s%c%s for example (%s)",
                            mncore2_rrn_name[rrn], heads[i].prefix, integer ? 'l' : 'd',
                            mncore2_rrn_name[rrn], integer ? "l, i or s" : "d, f or h");
                return true;
            }
            if (is_word(rest + 1, left - 1, mncore2_rrn_name[rrn])) {
                parse_error(parser, text, length, "3.5.5",
                            "the reduction %s does not exist in precision %c\nwrite %s",
                            mncore2_rrn_name[rrn], rest[0], integer ? "l, i or s" : "d, f or h");
                return true;
            }
        }
    }
    return false;
}

/* What instructions of other machines would do, which this one does not have. */
static bool foreign(struct parser *parser, const char *text, size_t length)
{
    static const char *const branches[] = {"bnz", "bz",  "bne", "beq",  "bnez", "beqz",
                                           "j",   "jmp", "br",  "call", "ret",  "b"};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++)
        if (strlen(branches[i]) == length && memcmp(branches[i], text, length) == 0) {
            parse_error(parser, text, length, "1.1",
                        "%.*s: this machine has no branches\n"
                        "write every turn; write masks (3.6.2.1) leave out what a turn does not do",
                        (int)length, text);
            return true;
        }
    if (length >= 4 && length <= 5 && memcmp(text + length - 4, "itof", 4) == 0) {
        parse_error(parser, text, length, "3.6.12.11",
                    "%.*s: this machine has no conversion from integers\n"
                    "manual 3.7.1 has the instructions that do it",
                    (int)length, text);
        return true;
    }
    if (length < 3 || length > 5 || memcmp(text + length - 3, "cmp", 3) != 0)
        return false;
    parse_error(parser, text, length, "3.6.2",
                "%.*s: this machine has no comparison\n"
                "subtract, and write the flags of the result to $omr",
                (int)length, text);
    return true;
}

/* u and d choose a half of double precision, in front of r: fmmulu, dvfmaru. */
static bool half_of_double(struct parser *parser, const char *text, size_t length)
{
    char name[12];
    if (length < 3 || length >= sizeof name)
        return false;
    memcpy(name, text, length);
    const bool swapped =
        text[length - 2] == 'r' && (text[length - 1] == 'u' || text[length - 1] == 'd');
    const struct opcode *found = NULL;
    if (swapped) {
        name[length - 2] = text[length - 1];
        name[length - 1] = 'r';
        found = mncore2_opcode_find(name, length);
    } else if (text[length - 1] == 'u' || text[length - 1] == 'd') {
        found = mncore2_opcode_find(name, length - 1);
    }
    if (!found || mncore2_insns[found->insn].group != GROUP_MAU_CALC)
        return false;
    parse_error(parser, text, length, mncore2_insns[found->insn].section,
                "unknown opcode %.*s\n%s%s", (int)length, text,
                swapped ? "r comes last: "
                        : "u and d choose half of a product of double precision; write ",
                found->name);
    return true;
}

/* l1bmd4: a shift without its sign. */
static bool unsigned_shift(struct parser *parser, const char *text, size_t length)
{
    const char *p = text + strlen("l1bmd");
    uint64_t shift;
    if (!begins(text, length, "l1bmd") ||
        mncore2_lex_natural(&p, text + length, &shift) != LEX_NUMBER || p != text + length ||
        shift >= MAB_PER_L1B)
        return false;
    parse_error(parser, text, length, "3.6.8.20",
                "the shift of l1bmd lacks its sign, which a positive one needs too\n"
                "did you mean l1bmd+%.*s?",
                (int)(length - strlen("l1bmd")), text + strlen("l1bmd"));
    return true;
}

/* The opcode that is meant where the nearest name is another operation: uibsr (u of an opcode that
 * takes none), ifloor (the length of an integer), l1bmrhfmax (f as of fadd). */
static const struct opcode *meant(const char *text, size_t length)
{
    static const char wholes[] = "lis", floats[] = "dfh"; /* of equal lengths */
    char name[sizeof opcodes[0].name];
    if (length < 5 || length > sizeof name)
        return NULL;
    if (text[0] == 'u')
        return mncore2_opcode_find(text + 1, length - 1);
    memcpy(name, text, length - 4);
    memcpy(name + length - 4, text + length - 3, 3);
    const struct opcode *found =
        text[length - 4] == 'f' ? mncore2_opcode_find(name, length - 1) : NULL;
    if (found != NULL && found->rrn != RRN_NONE)
        return found;
    const char *whole = memchr(wholes, text[0], 3);
    if (whole == NULL || length == sizeof name)
        return NULL;
    memcpy(name, text, length);
    name[0] = floats[whole - wholes];
    found = mncore2_opcode_find(name, length);
    return found != NULL && mncore2_insns[found->insn].types == TYPES_FLOAT &&
                   mncore2_insns[found->insn].group == GROUP_ALU
               ? found
               : NULL;
}

void mncore2_opcode_unknown(struct parser *parser, struct token token)
{
    size_t length = 0;
    while (length < token.length &&
           (lex_is(token.text[length], LEX_LOWER) || lex_is(token.text[length], LEX_DIGIT)))
        length++;
    if (length == 0)
        length = token.length;
    const char *text = token.text;
    const struct opcode *shorter =
        length > 1 && text[length - 1] == 'r' ? mncore2_opcode_find(text, length - 1) : NULL;
    if (shorter != NULL && shorter->kind == OPCODE_PE &&
        mncore2_insns[shorter->insn].group == GROUP_MAU_CALC && !shorter->reduce) {
        parse_error(parser, text, length, "3.6.9.25",
                    "%.*s has no lower precision to round its result to\n"
                    "r is for double and half precision; write %s",
                    (int)length, text, shorter->name);
        return;
    }
    if (length <= 8 && length > 1 && text[0] == 'd') {
        char name[10];
        memcpy(name, text, length);
        const bool r = text[length - 1] == 'r';
        name[r ? length - 1 : length] = 'u';
        if (r)
            name[length] = 'r';
        const struct opcode *half = mncore2_opcode_find(name, length + 1);
        if (half != NULL && mncore2_insns[half->insn].group == GROUP_MAU_CALC) {
            parse_error(parser, text, length, mncore2_insns[half->insn].section,
                        "double precision %.*s computes one half of the elements at a time\n"
                        "write %s, or d instead of u",
                        (int)length, text, half->name);
            return;
        }
    }
    if (half_of_double(parser, text, length) || without_precision(parser, token, length) ||
        reduction(parser, token, length) || foreign(parser, text, length) ||
        unsigned_shift(parser, text, length))
        return;
    size_t count;
    mncore2_opcode_all(&count);
    const struct opcode *opcode = meant(text, length);
    const char *near = opcode != NULL             ? opcode->name
                       : diag_full(parser->diags) ? NULL
                                                  : suggest_name(text, length, opcode_names, count);
    const char *rule = "3.6";
    if (begins(text, length, "mv"))
        rule = "3.5.8";
    else if (opcode != NULL && opcode->kind == OPCODE_PE)
        rule = mncore2_insn_section_of(opcode->insn, opcode->prec, false);
    if (near != NULL)
        parse_error(parser, text, length, rule, "unknown opcode %.*s\ndid you mean %s?",
                    parse_quote(length), text, near);
    else
        parse_error(parser, text, length, rule,
                    "unknown opcode %.*s\nmanual 3.6.5 to 3.6.13 have the opcodes of steps, 3.5.8 "
                    "those of mv",
                    parse_quote(length), text);
}
