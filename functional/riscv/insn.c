#include "functional/riscv/insn.h"

#include <stdio.h>
#include <string.h>

const struct riscv_row riscv_rows[RISCV_INSN_COUNT] = {
#define RISCV(id, mnemonic, extension, format, match, mask, sentence)                              \
    [RISCV_##id] = {mnemonic, match, mask, RISCV_EXT_##extension, RISCV_FORMAT_##format},
#include "functional/riscv/insn.def"
};

const char *const riscv_register_names[64] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",  "t2",  "s0",  "s1",  "a0",  "a1",  "a2",
    "a3",   "a4",  "a5",  "a6",  "a7",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",  "s9",
    "s10",  "s11", "t3",  "t4",  "t5",  "t6",  "x32", "x33", "x34", "x35", "x36", "x37", "x38",
    "x39",  "x40", "x41", "x42", "x43", "x44", "x45", "x46", "x47", "x48", "x49", "x50", "x51",
    "x52",  "x53", "x54", "x55", "x56", "x57", "x58", "x59", "x60", "x61", "x62", "x63"};

int riscv_register(const char *name, size_t length)
{
    for (int i = 0; i < 32; i++)
        if (strlen(riscv_register_names[i]) == length &&
            memcmp(riscv_register_names[i], name, length) == 0)
            return i;
    if (length == 2 && memcmp(name, "fp", 2) == 0)
        return 8;
    if (length < 2 || length > 3 || name[0] != 'x' || (length == 3 && name[1] == '0'))
        return -1;
    int number = 0;
    for (size_t i = 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return -1;
        number = 10 * number + name[i] - '0';
    }
    return number < 32 ? number : -1;
}

enum riscv_insn riscv_find(const char *mnemonic, size_t length, unsigned extensions)
{
    for (unsigned i = 0; i < RISCV_INSN_COUNT; i++)
        if ((riscv_rows[i].extension & extensions) && strlen(riscv_rows[i].mnemonic) == length &&
            memcmp(riscv_rows[i].mnemonic, mnemonic, length) == 0)
            return (enum riscv_insn)i;
    return RISCV_INSN_COUNT;
}

/* Bits [high:low] of a word, shifted to bit `to`. */
static uint32_t bits(uint32_t word, unsigned high, unsigned low, unsigned to)
{
    return (word >> low & ((UINT32_C(2) << (high - low)) - 1)) << to;
}

/* The low `size` bits, sign-extended. */
static int32_t extend(uint32_t value, unsigned size)
{
    return (int32_t)(value << (32 - size)) >> (32 - size);
}

static int32_t decode_imm(uint32_t word, enum riscv_format format)
{
    switch (format) {
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_LOAD:
        return extend(bits(word, 31, 20, 0), 12);
    case RISCV_FORMAT_SHIFT:
        return (int32_t)bits(word, 24, 20, 0);
    case RISCV_FORMAT_STORE:
        return extend(bits(word, 31, 25, 5) | bits(word, 11, 7, 0), 12);
    case RISCV_FORMAT_BRANCH:
        return extend(bits(word, 31, 31, 12) | bits(word, 7, 7, 11) | bits(word, 30, 25, 5) |
                          bits(word, 11, 8, 1),
                      13);
    case RISCV_FORMAT_UPPER:
        return (int32_t)(word & 0xfffff000);
    case RISCV_FORMAT_JUMP:
        return extend(bits(word, 31, 31, 20) | bits(word, 19, 12, 12) | bits(word, 20, 20, 11) |
                          bits(word, 30, 21, 1),
                      21);
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        return (int32_t)bits(word, 31, 20, 0);
    case RISCV_FORMAT_FENCE:
        return (int32_t)bits(word, 27, 20, 0);
    case RISCV_FORMAT_R:
    case RISCV_FORMAT_NONE:
        break;
    }
    return 0;
}

static uint32_t encode_imm(uint32_t imm, enum riscv_format format)
{
    switch (format) {
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_LOAD:
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        return bits(imm, 11, 0, 20);
    case RISCV_FORMAT_SHIFT:
        return bits(imm, 4, 0, 20);
    case RISCV_FORMAT_STORE:
        return bits(imm, 11, 5, 25) | bits(imm, 4, 0, 7);
    case RISCV_FORMAT_BRANCH:
        return bits(imm, 12, 12, 31) | bits(imm, 11, 11, 7) | bits(imm, 10, 5, 25) |
               bits(imm, 4, 1, 8);
    case RISCV_FORMAT_UPPER:
        return imm & 0xfffff000;
    case RISCV_FORMAT_JUMP:
        return bits(imm, 20, 20, 31) | bits(imm, 19, 12, 12) | bits(imm, 11, 11, 20) |
               bits(imm, 10, 1, 21);
    case RISCV_FORMAT_FENCE:
        return bits(imm, 7, 0, 20);
    case RISCV_FORMAT_R:
    case RISCV_FORMAT_NONE:
        break;
    }
    return 0;
}

bool riscv_decode(uint32_t word, unsigned extensions, struct riscv_op *op)
{
    for (unsigned i = 0; i < RISCV_INSN_COUNT; i++) {
        const struct riscv_row *row = &riscv_rows[i];
        if ((word & row->mask) != row->match || !(row->extension & extensions))
            continue;
        *op = (struct riscv_op){.insn = (uint8_t)i,
                                .imm = decode_imm(word, (enum riscv_format)row->format)};
        if (riscv_writes_rd((enum riscv_insn)i))
            op->rd = (uint8_t)bits(word, 11, 7, 0);
        if (riscv_reads_rs1((enum riscv_insn)i) || row->format == RISCV_FORMAT_CSRI)
            op->rs1 = (uint8_t)bits(word, 19, 15, 0);
        if (riscv_reads_rs2((enum riscv_insn)i))
            op->rs2 = (uint8_t)bits(word, 24, 20, 0);
        return true;
    }
    return false;
}

uint32_t riscv_encode(const struct riscv_op *op)
{
    const struct riscv_row *row = &riscv_rows[op->insn];
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    uint32_t word = row->match | encode_imm((uint32_t)op->imm, (enum riscv_format)row->format);
    if (riscv_writes_rd(insn))
        word |= (uint32_t)op->rd << 7;
    if (riscv_reads_rs1(insn) || row->format == RISCV_FORMAT_CSRI)
        word |= (uint32_t)op->rs1 << 15;
    if (riscv_reads_rs2(insn))
        word |= (uint32_t)op->rs2 << 20;
    return word;
}

/* --- text ------------------------------------------------------------------------------------- */

/* The four bits of a fence as "rw" etc. */
static const char *order_text(unsigned set, char text[5])
{
    static const char letters[] = "iorw";
    size_t used = 0;
    for (unsigned i = 0; i < 4; i++)
        if (set & 8 >> i)
            text[used++] = letters[i];
    text[used] = '\0';
    return used ? text : "0";
}

void riscv_print(const struct riscv_op *op, const char *target, const char *csr,
                 char text[RISCV_TEXT])
{
    const struct riscv_row *row = &riscv_rows[op->insn];
    const char *rd = riscv_register_names[op->rd & 63], *rs1 = riscv_register_names[op->rs1 & 63],
               *rs2 = riscv_register_names[op->rs2 & 63];
    char number[16], pred[5], succ[5];
    switch ((enum riscv_format)row->format) {
    case RISCV_FORMAT_R:
        snprintf(text, RISCV_TEXT, "%s %s, %s, %s", row->mnemonic, rd, rs1, rs2);
        return;
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_SHIFT:
        snprintf(text, RISCV_TEXT, "%s %s, %s, %d", row->mnemonic, rd, rs1, op->imm);
        return;
    case RISCV_FORMAT_LOAD:
        snprintf(text, RISCV_TEXT, "%s %s, %d(%s)", row->mnemonic, rd, op->imm, rs1);
        return;
    case RISCV_FORMAT_STORE:
        snprintf(text, RISCV_TEXT, "%s %s, %d(%s)", row->mnemonic, rs2, op->imm, rs1);
        return;
    case RISCV_FORMAT_BRANCH:
    case RISCV_FORMAT_JUMP:
        snprintf(number, sizeof number, ". %c %d", op->imm < 0 ? '-' : '+',
                 op->imm < 0 ? -op->imm : op->imm);
        target = target ? target : number;
        if (row->format == RISCV_FORMAT_JUMP)
            snprintf(text, RISCV_TEXT, "%s %s, %.90s", row->mnemonic, rd, target);
        else
            snprintf(text, RISCV_TEXT, "%s %s, %s, %.90s", row->mnemonic, rs1, rs2, target);
        return;
    case RISCV_FORMAT_UPPER:
        snprintf(text, RISCV_TEXT, "%s %s, 0x%x", row->mnemonic, rd, (uint32_t)op->imm >> 12);
        return;
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        snprintf(number, sizeof number, "0x%x", (unsigned)op->imm);
        csr = csr ? csr : number;
        if (row->format == RISCV_FORMAT_CSR)
            snprintf(text, RISCV_TEXT, "%s %s, %s, %s", row->mnemonic, rd, csr, rs1);
        else
            snprintf(text, RISCV_TEXT, "%s %s, %s, %u", row->mnemonic, rd, csr, op->rs1);
        return;
    case RISCV_FORMAT_FENCE:
        snprintf(text, RISCV_TEXT, "%s %s, %s", row->mnemonic,
                 order_text((unsigned)op->imm >> 4 & 15, pred),
                 order_text((unsigned)op->imm & 15, succ));
        return;
    case RISCV_FORMAT_NONE:
        break;
    }
    snprintf(text, RISCV_TEXT, "%s", row->mnemonic);
}
