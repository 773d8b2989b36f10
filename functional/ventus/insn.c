#include "functional/ventus/insn.h"

const struct ventus_insn ventus_insns[VENTUS_INSNS - RISCV_INSN_COUNT] = {
#define INSN(id, name, match, mask, form, body) {name, match, mask, FORM_##form, BODY_##body},
#include "functional/ventus/insn.def"
};

const struct ventus_option ventus_options[] = {
#define OPTION(form, word, mask, value) {FORM_##form, word, mask, value},
#include "functional/ventus/option.def"
};
const size_t ventus_option_count = sizeof ventus_options / sizeof *ventus_options;

static uint32_t field(uint32_t word, int at, int bits)
{
    return word >> at & ((UINT32_C(1) << bits) - 1);
}

static int32_t extended(uint32_t value, int bits)
{
    return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static int32_t immediate(uint32_t w, enum ventus_form form)
{
    const uint32_t s = field(w, 25, 7) << 5 | field(w, 7, 5);
    switch (form) {
    case FORM_IW:
    case FORM_LOAD64:
    case FORM_VLOAD:
    case FORM_DLOAD:
    case FORM_SETRPC:
        return extended(w >> 20, 12);
    case FORM_REGEXT:
    case FORM_PREFIX:
    case FORM_PREFIXM:
    case FORM_VADD12:
        return (int32_t)(w >> 20);
    case FORM_PLOAD:
    case FORM_GLOAD:
    case FORM_LLOAD:
        return extended(field(w, 20, 11), 11);
    case FORM_PSTORE:
    case FORM_GSTORE:
    case FORM_LSTORE:
        return extended(s & 0x7ff, 11);
    case FORM_STORE64:
    case FORM_VSTORE:
    case FORM_DSTORE:
        return extended(s, 12);
    case FORM_SHIFTW:
        return (int32_t)field(w, 20, 6);
    case FORM_VBRANCH:
    case FORM_JOIN:
        return extended(field(w, 31, 1) << 12 | field(w, 7, 1) << 11 | field(w, 25, 6) << 5 |
                            field(w, 8, 4) << 1,
                        13);
    case FORM_VI:
    case FORM_VIM:
    case FORM_MVI:
        return extended(field(w, 15, 5), 5);
    case FORM_VU:
    case FORM_BARRIER:
        return (int32_t)field(w, 15, 5);
    case FORM_VSETVLI:
        return (int32_t)field(w, 20, 11);
    case FORM_VSETIVLI:
        return (int32_t)field(w, 20, 10);
    default:
        return 0;
    }
}

/* Whether bit 25 says that the op is not masked: of RVV's words. */
static bool has_mask(uint32_t word, enum ventus_form form)
{
    const uint32_t opcode = field(word, 0, 7);
    return opcode != 0x0b &&
           ((form >= FORM_VV && form <= FORM_VID) || (form >= FORM_VLE && form <= FORM_VSX));
}

/* Registers of 8 bits, in the places of insn.def. */
static void long_fields(struct ventus_op *op)
{
    const uint64_t w = (uint64_t)op->high << 32 | op->word;
    const bool matrix = op->form == FORM_MMA64;
    op->rd = (uint8_t)(w >> (matrix ? 20 : 25));
    op->rs1 = (uint8_t)(w >> (matrix ? 41 : 33));
    op->rs2 = (uint8_t)(w >> (matrix ? 49 : 41));
    op->rs3 = matrix ? (uint8_t)(w >> 28) : op->rd;
    op->imm = op->form == FORM_VI64 ? (int8_t)op->rs1 : 0;
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
                                 .imm = immediate(word, insn->form),
                                 .masked = has_mask(word, insn->form) && !field(word, 25, 1)};
        if (is_long)
            long_fields(op);
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
