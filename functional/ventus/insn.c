#include "functional/ventus/insn.h"

#include <string.h>

const struct ventus_insn ventus_insns[VENTUS_INSNS - RISCV_INSN_COUNT] = {
#define INSN(id, name, match, mask, form, body) {name, match, mask, FORM_##form, BODY_##body},
#include "functional/ventus/insn.def"
};

const struct ventus_option ventus_options[] = {
#define OPTION(form, word, mask, value) {FORM_##form, word, mask, value},
#include "functional/ventus/option.def"
};
const size_t ventus_option_count = sizeof ventus_options / sizeof *ventus_options;

static const struct {
    const char *operands;
    uint8_t imm; /* enum ventus_imm */
} forms[VENTUS_FORMS] = {
#define FORM(id, operands, imm) [FORM_##id] = {operands, IMM_##imm},
#include "functional/ventus/form.def"
};

/* --- fields ----------------------------------------------------------------------------------- */

static uint32_t field(uint64_t word, unsigned at, unsigned bits)
{
    return (uint32_t)(word >> at & ((UINT64_C(1) << bits) - 1));
}

static const struct riscv_imm immediates[] = {
    [IMM_I12] = {true, 12, {{20, 0, 12}}},
    [IMM_U12] = {false, 12, {{20, 0, 12}}},
    [IMM_S12] = {true, 12, {{25, 5, 7}, {7, 0, 5}}},
    [IMM_I11] = {true, 11, {{20, 0, 11}}},
    [IMM_S11] = {true, 11, {{25, 5, 6}, {7, 0, 5}}},
    [IMM_SHIFT6] = {false, 6, {{20, 0, 6}}},
    [IMM_BRANCH] = {true, 13, {{31, 12, 1}, {7, 11, 1}, {25, 5, 6}, {8, 1, 4}}},
    [IMM_V5] = {true, 5, {{15, 0, 5}}},
    [IMM_U5] = {false, 5, {{15, 0, 5}}},
    [IMM_Z11] = {false, 11, {{20, 0, 11}}},
    [IMM_Z10] = {false, 10, {{20, 0, 10}}},
    [IMM_L8] = {true, 8, {{33, 0, 8}}},
};

void ventus_imm_range(const struct ventus_op *op, int32_t *low, int32_t *high)
{
    const uint8_t imm = forms[op->form].imm;
    const int32_t half = immediates[imm].bits ? 1 << (immediates[imm].bits - 1) : 0;
    *low = immediates[imm].is_signed ? -half : 0;
    *high = immediates[imm].is_signed ? half - 1 : half ? 2 * half - 1 : 0;
    if (imm == IMM_BRANCH)
        --*high; /* bit 0 is 0 */
    if (op->body == BODY_BARRIERSUB)
        *high = 7; /* its scope is 0 */
}

/* --- operands --------------------------------------------------------------------------------- */

bool ventus_reads_third(const struct ventus_op *op)
{
    return (op->body >= BODY_VMADD && op->body <= BODY_VNMSAC) ||
           (op->body >= BODY_VWMACCU && op->body <= BODY_VWMACCSU) ||
           (op->body >= BODY_VFMADD && op->body <= BODY_VFNMSAC) || op->body == BODY_VFTTA ||
           op->form == FORM_MMA;
}

const char *ventus_operands(const struct ventus_op *op)
{
    /* RVV writes the factors of its multiply-adds the other way round. */
    if (ventus_reads_third(op) && op->form == FORM_VV)
        return "V,a,bm";
    if (ventus_reads_third(op) && op->form == FORM_VX)
        return "V,x,bm";
    return forms[op->form].operands;
}

static uint8_t digits(const char **at)
{
    unsigned value = 0;
    while (**at >= '0' && **at <= '9')
        value = value * 10 + (unsigned)(*(*at)++ - '0');
    return (uint8_t)value;
}

struct ventus_operand ventus_next_operand(const char **at)
{
    struct ventus_operand operand = {.letter = **at};
    if (!operand.letter)
        return operand;
    ++*at;
    if (**at == '2') {
        operand.pair = true;
        ++*at;
    }
    if (**at == '<') {
        ++*at;
        operand.low = digits(at);
        ++*at;
        operand.width = digits(at);
        ++*at;
    }
    return operand;
}

char ventus_file_of(char letter)
{
    return strchr("xyzdD", letter)     ? 'x'
           : strchr("alskbcV", letter) ? 'v'
           : strchr("Ee", letter)      ? 'f'
                                       : '\0';
}

uint8_t *ventus_register_of(struct ventus_op *op, char letter)
{
    return strchr("xaleu", letter) ? &op->rs1
           : strchr("ybk", letter) ? &op->rs2
           : strchr("zs", letter)  ? &op->rs3
                                   : &op->rd;
}

/* The field that an operand's letter names, and where it begins; NULL: it names none. */
static uint8_t *field_of(struct ventus_op *op, char letter, unsigned *low)
{
    uint8_t *reg = ventus_register_of(op, letter);
    *low = reg == &op->rs1 ? 15 : reg == &op->rs2 ? 20 : reg == &op->rs3 ? 27 : 7;
    return letter == 'u' || ventus_file_of(letter) ? reg : NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

static const struct ventus_insn *row_of(const struct ventus_op *op)
{
    return &ventus_insns[op->insn - RISCV_INSN_COUNT];
}

bool ventus_is_masked_form(const struct ventus_op *op)
{
    return strchr(ventus_operands(op), 'm') && !(row_of(op)->mask >> 25 & 1);
}

bool ventus_decode(uint32_t word, const uint32_t *next, struct ventus_op *op)
{
    struct riscv_op base;
    const bool is_long = ventus_size(word) == 8;
    const uint32_t high = is_long && next ? *next : 0;
    const uint64_t words = (uint64_t)high << 32 | word;
    *op = (struct ventus_op){.word = word, .high = high, .insn = VENTUS_NO_INSN};
    if (is_long && !next)
        return false;
    if (riscv_decode(word, VENTUS_EXTENSIONS, &base)) {
        op->insn = base.insn;
        op->rd = base.rd;
        op->rs1 = base.rs1;
        op->rs2 = base.rs2;
        op->imm = base.imm;
        return true;
    }
    for (uint16_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++) {
        const struct ventus_insn *insn = &ventus_insns[i];
        if ((words & insn->mask) != insn->match)
            continue;
        *op = (struct ventus_op){.word = word,
                                 .high = high,
                                 .insn = (uint16_t)(RISCV_INSN_COUNT + i),
                                 .form = insn->form,
                                 .body = insn->body,
                                 .rd = (uint8_t)field(word, 7, 5),
                                 .rs1 = (uint8_t)field(word, 15, 5),
                                 .rs2 = (uint8_t)field(word, 20, 5),
                                 .rs3 = (uint8_t)field(word, 27, 5),
                                 .rounding = (uint8_t)field(word, 12, 3),
                                 .imm = riscv_imm_take(&immediates[forms[insn->form].imm], words)};
        op->masked = ventus_is_masked_form(op) && !field(word, 25, 1);
        const char *at = forms[insn->form].operands;
        for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
            unsigned low;
            uint8_t *reg = field_of(op, o.letter, &low);
            if (reg && o.width)
                *reg = (uint8_t)field(words, o.low, o.width);
        }
        return true;
    }
    return false;
}

static uint32_t word_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void ventus_decode_all(const uint8_t *code, size_t count, struct ventus_op *ops)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t next = i + 1 < count ? word_at(code + 4 * i + 4) : 0;
        if (ventus_decode(word_at(code + 4 * i), i + 1 < count ? &next : NULL, &ops[i]) &&
            ventus_size(ops[i].word) == 8)
            ops[++i] = (struct ventus_op){.word = next, .insn = VENTUS_NO_INSN};
    }
}

static uint64_t bits(unsigned low, unsigned width)
{
    return ((UINT64_C(1) << width) - 1) << low;
}

/* Of op's own words, what its options and numbers of form.def's n say. */
static uint64_t said_by_words(const struct ventus_op *op)
{
    const uint64_t own = (uint64_t)op->high << 32 | op->word;
    uint64_t words = 0;
    for (size_t i = 0; i < ventus_option_count; i++)
        if (ventus_options[i].form == op->form &&
            (own & ventus_options[i].mask) == ventus_options[i].value)
            words |= ventus_options[i].value;
    const char *at = ventus_operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;)
        if (o.letter == 'n' || o.letter == 'q')
            words |= own & (o.letter == 'n' ? bits(o.low, o.width) : bits(25, 2));
    return words;
}

uint64_t ventus_encode(const struct ventus_op *op)
{
    if (op->insn < RISCV_INSN_COUNT)
        return riscv_encode(&(struct riscv_op){.insn = (uint8_t)op->insn,
                                               .rd = op->rd & 31,
                                               .rs1 = op->rs1 & 31,
                                               .rs2 = op->rs2 & 31,
                                               .imm = op->imm});
    struct ventus_op copy = *op;
    uint64_t words = row_of(op)->match | said_by_words(op) |
                     riscv_imm_place(&immediates[forms[op->form].imm], (uint32_t)op->imm);
    const char *at = ventus_operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        unsigned low;
        const uint8_t *reg = field_of(&copy, o.letter, &low);
        if (reg)
            words |= (uint64_t)field(*reg, 0, o.width ? o.width : 5) << (o.width ? o.low : low);
        else if (o.letter == 'r')
            words |= (uint64_t)op->rounding << 12;
        else if (o.letter == 'm' && ventus_is_masked_form(op))
            words |= op->masked ? 0 : bits(25, 1);
    }
    return words;
}
