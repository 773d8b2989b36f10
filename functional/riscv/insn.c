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

int32_t riscv_imm_take(const struct riscv_imm *imm, uint64_t word)
{
    const unsigned unused = 32u - imm->bits;
    uint32_t value = 0;
    for (unsigned i = 0; i < RISCV_PIECES; i++) {
        const uint64_t mask = (UINT64_C(1) << imm->pieces[i].width) - 1;
        value |= (uint32_t)(word >> imm->pieces[i].at & mask) << imm->pieces[i].low;
    }
    return imm->is_signed ? (int32_t)(value << unused) >> unused : (int32_t)value;
}

uint64_t riscv_imm_place(const struct riscv_imm *imm, uint32_t value)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < RISCV_PIECES; i++) {
        const uint64_t mask = (UINT64_C(1) << imm->pieces[i].width) - 1;
        word |= (value >> imm->pieces[i].low & mask) << imm->pieces[i].at;
    }
    return word;
}

static const struct riscv_imm immediates[RISCV_FORMAT_NONE + 1] = {
    [RISCV_FORMAT_I] = {true, 12, {{20, 0, 12}}},
    [RISCV_FORMAT_LOAD] = {true, 12, {{20, 0, 12}}},
    [RISCV_FORMAT_SHIFT] = {false, 5, {{20, 0, 5}}},
    [RISCV_FORMAT_STORE] = {true, 12, {{25, 5, 7}, {7, 0, 5}}},
    [RISCV_FORMAT_BRANCH] = {true, 13, {{31, 12, 1}, {7, 11, 1}, {25, 5, 6}, {8, 1, 4}}},
    [RISCV_FORMAT_UPPER] = {true, 32, {{12, 12, 20}}},
    [RISCV_FORMAT_JUMP] = {true, 21, {{31, 20, 1}, {12, 12, 8}, {20, 11, 1}, {21, 1, 10}}},
    [RISCV_FORMAT_CSR] = {false, 12, {{20, 0, 12}}},
    [RISCV_FORMAT_CSRI] = {false, 12, {{20, 0, 12}}},
    [RISCV_FORMAT_FENCE] = {false, 8, {{20, 0, 8}}},
};

static uint8_t field(uint32_t word, unsigned at)
{
    return (uint8_t)(word >> at & 31);
}

bool riscv_decode(uint32_t word, unsigned extensions, struct riscv_op *op)
{
    for (unsigned i = 0; i < RISCV_INSN_COUNT; i++) {
        const struct riscv_row *row = &riscv_rows[i];
        if ((word & row->mask) != row->match || !(row->extension & extensions))
            continue;
        *op = (struct riscv_op){.insn = (uint8_t)i,
                                .imm = riscv_imm_take(&immediates[row->format], word)};
        if (riscv_writes_rd((enum riscv_insn)i))
            op->rd = field(word, 7);
        if (riscv_reads_rs1((enum riscv_insn)i) || row->format == RISCV_FORMAT_CSRI)
            op->rs1 = field(word, 15);
        if (riscv_reads_rs2((enum riscv_insn)i))
            op->rs2 = field(word, 20);
        return true;
    }
    return false;
}

uint32_t riscv_encode(const struct riscv_op *op)
{
    const struct riscv_row *row = &riscv_rows[op->insn];
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    uint32_t word =
        row->match | (uint32_t)riscv_imm_place(&immediates[row->format], (uint32_t)op->imm);
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
