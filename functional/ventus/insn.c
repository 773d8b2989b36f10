#include "functional/ventus/insn.h"

const struct ventus_insn ventus_insns[VENTUS_INSNS - RISCV_INSN_COUNT] = {
#define INSN(id, name, match, mask, form, body) {name, match, mask, FORM_##form, BODY_##body},
#include "functional/ventus/insn.def"
};

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
    case FORM_SETRPC:
        return extended(w >> 20, 12);
    case FORM_REGEXT:
    case FORM_VADD12:
        return (int32_t)(w >> 20);
    case FORM_PLOAD:
        return extended(field(w, 20, 11), 11);
    case FORM_PSTORE:
        return extended(s & 0x7ff, 11);
    case FORM_STORE64:
    case FORM_VSTORE:
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

bool ventus_decode(uint32_t word, struct ventus_op *op)
{
    struct riscv_op base;
    *op = (struct ventus_op){.word = word, .insn = VENTUS_NO_INSN};
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
        if ((word & insn->mask) != insn->match)
            continue;
        *op = (struct ventus_op){.word = word,
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
        return true;
    }
    return false;
}
