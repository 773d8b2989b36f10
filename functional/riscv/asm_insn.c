/* asm_insn: the scalar instructions of insn.def and the pseudo-instructions, one row each below.
 * Expansions of GNU as that need a temporary register (loads from a symbol) are not supported. */
#include <string.h>

#include "functional/riscv/asm_state.h"
#include "functional/riscv/insn.h"
#include "host/grow.h"
#include "host/suggest.h"

static void emit_op(struct riscv_asm *as, struct riscv_op op)
{
    if (as->dialect->emit)
        as->dialect->emit(as, &op);
    else
        riscv_asm_emit(as, riscv_encode(&op));
}

static void emit(struct riscv_asm *as, struct riscv_op op)
{
    if (riscv_asm_end(as))
        emit_op(as, op);
}

/* --- operands --------------------------------------------------------------------------------- */

/* imm(rs1), or (rs1) alone. */
static bool place(struct riscv_asm *as, struct riscv_op *op)
{
    int64_t imm = 0;
    riscv_asm_blanks(as);
    const char *from = as->at;
    /* A parenthesis that holds a register begins the base, any other one the immediate. */
    bool base = false;
    if (riscv_asm_take(as, '(')) {
        const struct riscv_word word = riscv_asm_word(as);
        base = (as->dialect->reg ? as->dialect->reg : riscv_register)(word.text, word.length) >= 0;
        as->at = from;
    }
    if (!base && !riscv_asm_value(as, "the offset", -2048, 2047, &imm))
        return false;
    op->imm = (int32_t)imm;
    if (!riscv_asm_take(as, '(')) {
        riscv_asm_error(as, riscv_asm_rest(as), "a base register was expected here, as in 4(sp)");
        return false;
    }
    if (!riscv_asm_reg(as, &op->rs1))
        return false;
    if (riscv_asm_take(as, ')'))
        return true;
    riscv_asm_error(as, riscv_asm_rest(as), "a ) was expected here");
    return false;
}

bool riscv_asm_target(struct riscv_asm *as, int64_t reach, int32_t *distance)
{
    struct value value;
    riscv_asm_blanks(as);
    const char *from = as->at;
    if (!riscv_asm_expression(as, &value))
        return false;
    const struct riscv_word word = {from, (size_t)(as->at - from)};
    const int64_t offset = value.number - riscv_asm_here(as);
    if (!as->second)
        return true;
    if (offset % 2) {
        riscv_asm_error(as, word, "the target 0x%llx is odd", (unsigned long long)value.number);
        return false;
    }
    if (offset < -reach || offset > reach - 2) {
        riscv_asm_error(as, word, "the target is %lld bytes away, not in %lld to %lld\n%s",
                        (long long)offset, (long long)-reach, (long long)reach - 2,
                        reach == 4096 ? "branch on the opposite over a jump (j)"
                                      : "load the address (la) and use jr or jalr");
        return false;
    }
    *distance = (int32_t)offset;
    return true;
}

static bool target(struct riscv_asm *as, int64_t reach, struct riscv_op *op)
{
    return riscv_asm_target(as, reach, &op->imm);
}

static bool csr(struct riscv_asm *as, struct riscv_op *op)
{
    riscv_asm_blanks(as);
    const char *from = as->at;
    const struct riscv_word word = riscv_asm_word(as);
    for (const struct riscv_csr *row = as->dialect->csrs; row && row->name; row++)
        if (riscv_word_is(word, row->name)) {
            op->imm = (int32_t)row->number;
            return true;
        }
    int64_t number;
    as->at = from;
    if (!riscv_asm_value(as, "the number of the CSR", 0, 4095, &number))
        return false;
    op->imm = (int32_t)number;
    return true;
}

static bool ordering(struct riscv_asm *as, unsigned *set)
{
    static const char letters[] = "wroi";
    const struct riscv_word word = riscv_asm_word(as);
    bool fine = word.length > 0;
    *set = 0;
    if (riscv_word_is(word, "0"))
        return true;
    for (size_t i = 0; i < word.length; i++) {
        const char *letter = strchr(letters, word.text[i]);
        fine = fine && letter;
        *set |= fine ? 1U << (letter - letters) : 0;
    }
    if (!fine)
        riscv_asm_error(as, word.length ? word : riscv_asm_rest(as),
                        "a set of the letters i, o, r, w was expected here");
    return fine;
}

static bool immediate(struct riscv_asm *as, int64_t low, int64_t high, struct riscv_op *op)
{
    int64_t value;
    if (!riscv_asm_value(as, "the immediate", low, high, &value))
        return false;
    op->imm = (int32_t)value;
    return true;
}

static bool regs(struct riscv_asm *as, uint8_t *first, uint8_t *second)
{
    return riscv_asm_reg(as, first) && riscv_asm_comma(as) && riscv_asm_reg(as, second);
}

/* A third operand: a register, or an immediate, which selects the immediate form (add a0, a0,
 * 4). */
static bool third(struct riscv_asm *as, struct riscv_op *op)
{
    static const struct {
        uint8_t with, without;
        int16_t low, high;
    } rows[] = {{RISCV_ADD, RISCV_ADDI, -2048, 2047}, {RISCV_AND, RISCV_ANDI, -2048, 2047},
                {RISCV_OR, RISCV_ORI, -2048, 2047},   {RISCV_XOR, RISCV_XORI, -2048, 2047},
                {RISCV_SLT, RISCV_SLTI, -2048, 2047}, {RISCV_SLTU, RISCV_SLTIU, -2048, 2047},
                {RISCV_SLL, RISCV_SLLI, 0, 31},       {RISCV_SRL, RISCV_SRLI, 0, 31},
                {RISCV_SRA, RISCV_SRAI, 0, 31}};
    riscv_asm_blanks(as);
    const char *from = as->at;
    const struct riscv_word word = riscv_asm_word(as);
    as->at = from;
    if ((as->dialect->reg ? as->dialect->reg : riscv_register)(word.text, word.length) >= 0)
        return riscv_asm_reg(as, &op->rs2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].with == op->insn) {
            op->insn = rows[i].without;
            return immediate(as, rows[i].low, rows[i].high, op);
        }
    return riscv_asm_reg(as, &op->rs2); /* reports the error */
}

/* --- instructions of insn.def ----------------------------------------------------------------- */

static bool jump(struct riscv_asm *as, struct riscv_op *op)
{
    const char *from = as->at;
    const struct riscv_word word = riscv_asm_word(as);
    op->rd = 1; /* jal target: link register ra */
    const bool links =
        (as->dialect->reg ? as->dialect->reg : riscv_register)(word.text, word.length) >= 0 &&
        riscv_asm_take(as, ',');
    as->at = from;
    if (links && (!riscv_asm_reg(as, &op->rd) || !riscv_asm_comma(as)))
        return false;
    return target(as, 1 << 20, op);
}

/* jalr rd, imm(rs1); jalr rd, rs1, imm; jalr rs1. */
static bool jump_register(struct riscv_asm *as, struct riscv_op *op)
{
    if (!riscv_asm_reg(as, &op->rd))
        return false;
    if (!riscv_asm_take(as, ',')) {
        op->rs1 = op->rd;
        op->rd = 1;
        return true;
    }
    riscv_asm_blanks(as);
    const char *from = as->at;
    const struct riscv_word word = riscv_asm_word(as);
    as->at = from;
    if ((as->dialect->reg ? as->dialect->reg : riscv_register)(word.text, word.length) < 0)
        return place(as, op);
    return riscv_asm_reg(as, &op->rs1) &&
           (!riscv_asm_take(as, ',') || immediate(as, -2048, 2047, op));
}

static bool operands(struct riscv_asm *as, struct riscv_op *op)
{
    unsigned pred = 15, succ = 15;
    int64_t value;
    switch ((enum riscv_format)riscv_rows[op->insn].format) {
    case RISCV_FORMAT_R:
        return regs(as, &op->rd, &op->rs1) && riscv_asm_comma(as) && third(as, op);
    case RISCV_FORMAT_I:
        return regs(as, &op->rd, &op->rs1) && riscv_asm_comma(as) && immediate(as, -2048, 2047, op);
    case RISCV_FORMAT_SHIFT:
        return regs(as, &op->rd, &op->rs1) && riscv_asm_comma(as) && immediate(as, 0, 31, op);
    case RISCV_FORMAT_LOAD:
        if (op->insn == RISCV_JALR)
            return jump_register(as, op);
        return riscv_asm_reg(as, &op->rd) && riscv_asm_comma(as) && place(as, op);
    case RISCV_FORMAT_STORE:
        return riscv_asm_reg(as, &op->rs2) && riscv_asm_comma(as) && place(as, op);
    case RISCV_FORMAT_BRANCH:
        return regs(as, &op->rs1, &op->rs2) && riscv_asm_comma(as) && target(as, 4096, op);
    case RISCV_FORMAT_UPPER:
        if (!riscv_asm_reg(as, &op->rd) || !riscv_asm_comma(as) ||
            !riscv_asm_value(as, "the immediate", 0, 0xfffff, &value))
            return false;
        op->imm = (int32_t)((uint32_t)value << 12);
        return true;
    case RISCV_FORMAT_JUMP:
        return jump(as, op);
    case RISCV_FORMAT_CSR:
        return riscv_asm_reg(as, &op->rd) && riscv_asm_comma(as) && csr(as, op) &&
               riscv_asm_comma(as) && riscv_asm_reg(as, &op->rs1);
    case RISCV_FORMAT_CSRI:
        if (!riscv_asm_reg(as, &op->rd) || !riscv_asm_comma(as) || !csr(as, op) ||
            !riscv_asm_comma(as) || !riscv_asm_value(as, "the immediate", 0, 31, &value))
            return false;
        op->rs1 = (uint8_t)value;
        return true;
    case RISCV_FORMAT_FENCE:
        if (!riscv_asm_done(as) &&
            (!ordering(as, &pred) || !riscv_asm_comma(as) || !ordering(as, &succ)))
            return false;
        op->imm = (int32_t)(pred << 4 | succ);
        return true;
    case RISCV_FORMAT_NONE:
        break;
    }
    return true;
}

/* --- pseudo-instructions ---------------------------------------------------------------------- */

/* How a row's operands are read: D rd, S and T source registers, L label, C csr, U 5-bit number. */
struct pseudo {
    const char *name, *form;
    struct riscv_op op; /* the fields that the operands do not set */
    bool swapped;       /* S is rs2 and T rs1 */
};

#define OP(...)                                                                                    \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
static const struct pseudo pseudos[] = {
    {"nop", "", OP(.insn = RISCV_ADDI), false},
    {"mv", "D,S", OP(.insn = RISCV_ADDI), false},
    {"not", "D,S", OP(.insn = RISCV_XORI, .imm = -1), false},
    {"neg", "D,S", OP(.insn = RISCV_SUB), true},
    {"seqz", "D,S", OP(.insn = RISCV_SLTIU, .imm = 1), false},
    {"snez", "D,S", OP(.insn = RISCV_SLTU), true},
    {"sltz", "D,S", OP(.insn = RISCV_SLT), false},
    {"sgtz", "D,S", OP(.insn = RISCV_SLT), true},
    {"sgt", "D,S,T", OP(.insn = RISCV_SLT), true},
    {"sgtu", "D,S,T", OP(.insn = RISCV_SLTU), true},
    {"zext.b", "D,S", OP(.insn = RISCV_ANDI, .imm = 255), false},
    {"beqz", "S,L", OP(.insn = RISCV_BEQ), false},
    {"bnez", "S,L", OP(.insn = RISCV_BNE), false},
    {"blez", "S,L", OP(.insn = RISCV_BGE), true},
    {"bgez", "S,L", OP(.insn = RISCV_BGE), false},
    {"bltz", "S,L", OP(.insn = RISCV_BLT), false},
    {"bgtz", "S,L", OP(.insn = RISCV_BLT), true},
    {"bgt", "S,T,L", OP(.insn = RISCV_BLT), true},
    {"ble", "S,T,L", OP(.insn = RISCV_BGE), true},
    {"bgtu", "S,T,L", OP(.insn = RISCV_BLTU), true},
    {"bleu", "S,T,L", OP(.insn = RISCV_BGEU), true},
    {"j", "L", OP(.insn = RISCV_JAL), false},
    {"call", "L", OP(.insn = RISCV_JAL, .rd = 1), false},
    {"tail", "L", OP(.insn = RISCV_JAL), false},
    {"jr", "S", OP(.insn = RISCV_JALR), false},
    {"ret", "", OP(.insn = RISCV_JALR, .rs1 = 1), false},
    {"csrr", "D,C", OP(.insn = RISCV_CSRRS), false},
    {"csrw", "C,S", OP(.insn = RISCV_CSRRW), false},
    {"csrs", "C,S", OP(.insn = RISCV_CSRRS), false},
    {"csrc", "C,S", OP(.insn = RISCV_CSRRC), false},
    {"csrwi", "C,U", OP(.insn = RISCV_CSRRWI), false},
    {"csrsi", "C,U", OP(.insn = RISCV_CSRRSI), false},
    {"csrci", "C,U", OP(.insn = RISCV_CSRRCI), false},
    {"rdcycle", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc00), false},
    {"rdcycleh", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc80), false},
    {"rdtime", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc01), false},
    {"rdtimeh", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc81), false},
    {"rdinstret", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc02), false},
    {"rdinstreth", "D", OP(.insn = RISCV_CSRRS, .imm = 0xc82), false},
    {"unimp", "", OP(.insn = RISCV_CSRRW, .imm = 0xc00), false},
};
#undef OP

static bool pseudo_operand(struct riscv_asm *as, char kind, const struct pseudo *row,
                           struct riscv_op *op)
{
    int64_t value;
    switch (kind) {
    case 'D':
        return riscv_asm_reg(as, &op->rd);
    case 'S':
        return riscv_asm_reg(as, row->swapped ? &op->rs2 : &op->rs1);
    case 'T':
        return riscv_asm_reg(as, row->swapped ? &op->rs1 : &op->rs2);
    case 'L':
        return target(as, op->insn == RISCV_JAL ? 1 << 20 : 4096, op);
    case 'C':
        return csr(as, op);
    default:
        if (!riscv_asm_value(as, "the immediate", 0, 31, &value))
            return false;
        op->rs1 = (uint8_t)value;
        return true;
    }
}

static void pseudo(struct riscv_asm *as, const struct pseudo *row)
{
    struct riscv_op op = row->op;
    for (const char *at = row->form; *at; at++)
        if (*at == ',' ? !riscv_asm_comma(as) : !pseudo_operand(as, *at, row, &op))
            return;
    emit(as, op);
}

/* The number of words of a li, decided in the first pass. */
static unsigned li_size(struct riscv_asm *as, const struct value *value)
{
    if (as->second || as->settling)
        return as->size_seen < as->size_count ? as->sizes[as->size_seen++] : 1;
    const int32_t number = (int32_t)value->number;
    const unsigned size = value->unknown || value->moves      ? 2
                          : number >= -2048 && number <= 2047 ? 1
                          : ((uint32_t)number & 0xfff) == 0   ? 1
                                                              : 2;
    uint8_t *sizes = grow(as->sizes, &as->size_capacity, as->size_count + 1, 1);
    if (!sizes) {
        as->memory_out = true;
        return 1;
    }
    as->sizes = sizes;
    sizes[as->size_count++] = (uint8_t)size;
    return size;
}

/* li and la: lui, addi, or both. */
static void load_number(struct riscv_asm *as, bool address)
{
    uint8_t rd;
    struct value value;
    if (!riscv_asm_reg(as, &rd) || !riscv_asm_comma(as))
        return;
    riscv_asm_blanks(as);
    const char *from = as->at;
    if (!riscv_asm_expression(as, &value) || !riscv_asm_end(as))
        return;
    if (value.number < INT32_MIN || value.number > UINT32_MAX) {
        riscv_asm_error(as, (struct riscv_word){from, (size_t)(as->at - from)},
                        "the number %lld is not in %lld to %lld", (long long)value.number,
                        (long long)INT32_MIN, (long long)UINT32_MAX);
        return;
    }
    value.moves = value.moves || address;
    const unsigned size = li_size(as, &value);
    const uint32_t number = (uint32_t)value.number, high = (number + 0x800) & 0xfffff000;
    const int32_t low = (int32_t)(number << 20) >> 20;
    const bool upper = size == 2 || (low == 0 && number);
    if (upper)
        emit_op(as, (struct riscv_op){.insn = RISCV_LUI, .rd = rd, .imm = (int32_t)high});
    if (size == 2 || !upper)
        emit_op(as,
                (struct riscv_op){.insn = RISCV_ADDI, .rd = rd, .rs1 = upper ? rd : 0, .imm = low});
}

bool riscv_asm_insn(struct riscv_asm *as, struct riscv_word mnemonic)
{
    const enum riscv_insn insn =
        riscv_find(mnemonic.text, mnemonic.length, as->dialect->extensions);
    if (insn != RISCV_INSN_COUNT) {
        struct riscv_op op = {.insn = (uint8_t)insn};
        if (operands(as, &op))
            emit(as, op);
        return true;
    }
    for (size_t i = 0; i < sizeof pseudos / sizeof *pseudos; i++)
        if (riscv_word_is(mnemonic, pseudos[i].name)) {
            pseudo(as, &pseudos[i]);
            return true;
        }
    const bool address = riscv_word_is(mnemonic, "la") || riscv_word_is(mnemonic, "lla");
    if (address || riscv_word_is(mnemonic, "li")) {
        load_number(as, address);
        return true;
    }
    return as->dialect->other && as->dialect->other(as, mnemonic);
}

/* What other assemblers call an instruction, where no similar name is meant. */
static const char *foreign_name(struct riscv_word mnemonic)
{
    static const char *const names[][2] = {{"bnz", "bnez"}, {"bz", "beqz"}, {"mov", "mv"},
                                           {"jmp", "j"},    {"cmp", "slt"}, {"fcmp", "feq.s"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (riscv_word_is(mnemonic, names[i][0]))
            return names[i][1];
    return NULL;
}

const char *riscv_asm_scalar_near(struct riscv_word mnemonic)
{
    const char *foreign = foreign_name(mnemonic);
    enum { PSEUDOS = sizeof pseudos / sizeof *pseudos };
    const char *names[RISCV_INSN_COUNT + PSEUDOS + 2];
    size_t count = 0;
    for (size_t i = 0; i < RISCV_INSN_COUNT; i++)
        names[count++] = riscv_rows[i].mnemonic;
    for (size_t i = 0; i < PSEUDOS; i++)
        names[count++] = pseudos[i].name;
    names[count++] = "li";
    names[count++] = "la";
    for (size_t i = 0; foreign && i < count; i++)
        if (strcmp(names[i], foreign) == 0)
            return foreign;
    return suggest_name(mnemonic.text, mnemonic.length, names, count);
}
