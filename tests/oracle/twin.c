#include "tests/oracle/twin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct twin *twin_new(void)
{
    struct twin *board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (board == MAP_FAILED)
        return NULL;
    for (unsigned group = 0; group < GROUPS; group++) {
        board->dram[group] = mmap(NULL, DRAM_LONGS * 8, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (board->dram[group] == MAP_FAILED) {
            board->dram[group] = NULL;
            twin_free(board);
            return NULL;
        }
    }
    return board;
}

void twin_free(struct twin *board)
{
    for (unsigned group = 0; group < GROUPS; group++)
        if (board->dram[group])
            munmap(board->dram[group], DRAM_LONGS * 8);
    munmap(board, sizeof *board);
}

/* 3.6.1.6: (BAR + T + ADDR + WL if PE <= MADPE) % size, aligned down. */
static uint32_t address(const struct twin *board, const struct operand *operand, unsigned pe,
                        unsigned cycle)
{
    const bool lm = operand->mem == MEM_LM0 || operand->mem == MEM_LM1;
    uint64_t at = operand->addr[cycle];
    if (lm)
        at += board->bar[operand->mem - MEM_LM0][pe];
    if (operand->flags & OPERAND_T)
        at += board->t[pe][cycle][0];
    if (operand->j >= 0 && (int)(pe % 4) <= operand->j)
        at += operand->words;
    at %= lm ? LM_WORDS : GRF_WORDS;
    return (uint32_t)(at - at % operand->words);
}

static const uint32_t *const_words(const struct twin *board, uint8_t mem, unsigned pe)
{
    return mem == MEM_LM0 || mem == MEM_LM1 ? board->lm[mem - MEM_LM0][pe]
                                            : board->grf[mem - MEM_GRF0][pe];
}

static uint64_t fixed(uint8_t mem, uint8_t prec, unsigned pe)
{
    const unsigned bits = prec == PREC_F || prec == PREC_G || prec == PREC_I ? 32
                          : prec == PREC_H || prec == PREC_S                 ? 16
                                                                             : 64;
    uint64_t value = 0, all = 0;
    switch (mem) { /* table 3.5 */
    case MEM_L2BID:
        value = pe / 512;
        break;
    case MEM_L1BID:
        value = pe / 64 % 8;
        break;
    case MEM_MABID:
        value = pe / 4 % 16;
        break;
    case MEM_PEID:
        value = pe % 64;
        break;
    case MEM_SUBPEID:
        value = pe % 4;
        break;
    default:
        value = UINT64_C(1) << (bits - 1);
        break;
    }
    for (unsigned i = 0; i < 64 / bits; i++)
        all |= oracle_place(value, bits, i);
    return all;
}

void twin_read(const struct twin *board, const struct operand *operand, uint8_t prec, unsigned pe,
               unsigned cycle, uint64_t bus[2])
{
    bus[0] = bus[1] = 0;
    switch (operand->mem) {
    case MEM_LM0:
    case MEM_LM1:
    case MEM_GRF0:
    case MEM_GRF1: {
        const uint32_t *words = const_words(board, operand->mem, pe);
        const uint32_t at = address(board, operand, pe, cycle);
        for (unsigned word = 0; word < operand->words; word++)
            bus[word / 2] |= oracle_place(words[at + word], 32, word % 2);
        break;
    }
    case MEM_T:
        memcpy(bus, board->t[pe][cycle], 16);
        break;
    case MEM_MAUF:
    case MEM_ALUF:
    case MEM_LBF:
    case MEM_MREADF:
        memcpy(bus, board->forward[operand->mem - MEM_MAUF][pe][cycle], 16);
        break;
    default:
        bus[0] = bus[1] = fixed(operand->mem, prec, pe);
        break;
    }
}

/* 3.6.2: the four flags of the step's entry. */
static uint8_t mask_bits(const struct twin *board, uint8_t entry, unsigned pe, unsigned cycle)
{
    if (entry == 0)
        return 15;
    if (entry >= 16)
        return entry >> (3 - cycle) & 1 ? 15 : 0;
    return board->mask[pe][entry][cycle];
}

/* The bits of a bus enabled by a mask: 4 half words of the MSB side, or 4 words. */
static void mask_bus(uint8_t bits, bool wide, uint64_t through[2])
{
    through[0] = through[1] = wide ? 0 : UINT64_MAX;
    if (!wide)
        through[0] = 0;
    for (unsigned i = 0; i < 4; i++)
        if (bits >> (3 - i) & 1) {
            if (wide)
                through[i / 2] |= oracle_place(UINT32_MAX, 32, i % 2);
            else
                through[0] |= oracle_place(UINT16_MAX, 16, i);
        }
}

static void write_words(struct twin *board, const struct operand *operand, unsigned pe,
                        unsigned cycle, const uint64_t bus[2], const uint64_t through[2])
{
    uint32_t *words = operand->mem == MEM_LM0 || operand->mem == MEM_LM1
                          ? board->lm[operand->mem - MEM_LM0][pe]
                          : board->grf[operand->mem - MEM_GRF0][pe];
    const uint32_t at = address(board, operand, pe, cycle);
    for (unsigned word = 0; word < operand->words; word++) {
        const uint32_t value = (uint32_t)oracle_element(bus[word / 2], 32, word % 2);
        const uint32_t mask = (uint32_t)oracle_element(through[word / 2], 32, word % 2);
        words[at + word] = (words[at + word] & ~mask) | (value & mask);
    }
}

static void write_output(struct twin *board, const struct step *step, const struct operand *operand,
                         unsigned group, unsigned pe, unsigned cycle)
{
    const uint64_t *bus = board->result[group][pe][cycle];
    const bool masked = operand->flags & OPERAND_MASKED;
    const uint8_t bits = masked ? mask_bits(board, step->mask_entry, pe, cycle) : 15;
    uint64_t through[2] = {UINT64_MAX, UINT64_MAX};
    if (masked)
        mask_bus(bits, step->mask_wide, through);
    switch (operand->mem) {
    case MEM_NOWRITE:
    case MEM_OMR: /* see write_flags */
        break;
    case MEM_T:
        for (unsigned i = 0; i < 2; i++)
            board->t[pe][cycle][i] = (board->t[pe][cycle][i] & ~through[i]) | (bus[i] & through[i]);
        break;
    case MEM_BAR0:
    case MEM_BAR1: { /* the lower 12 bits of the MSB-side word or long word */
        const unsigned shift = operand->words == 1 ? 32 : 0;
        uint32_t *bar = &board->bar[operand->mem - MEM_BAR0][pe];
        const uint32_t value = (uint32_t)(bus[0] >> shift) & 0xfff;
        const uint32_t mask = (uint32_t)(through[0] >> shift) & 0xfff;
        *bar = (*bar & ~mask) | (value & mask);
        break;
    }
    default:
        write_words(board, operand, pe, cycle, bus, through);
        break;
    }
}

/* 3.6.2: a mask register receives the flags, ANDed with the mask. */
static void write_flags(struct twin *board, const struct step *step, const struct operand *operand,
                        unsigned group, unsigned pe)
{
    uint8_t made[CYCLES];
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        made[cycle] = board->flags[group][pe][cycle];
        if (operand->flags & OPERAND_MASKED)
            made[cycle] &= mask_bits(board, step->mask_entry, pe, cycle);
    }
    memcpy(board->mask[pe][operand->addr[0]], made, sizeof made);
}

static void read_mab(const struct twin *board, const struct expr *expr, unsigned input,
                     unsigned mab, unsigned cycle, mab_bus bus)
{
    memset(bus, 0, sizeof(mab_bus));
    if (input < expr->in_count)
        for (unsigned pe = 0; pe < 4; pe++)
            twin_read(board, &expr->in[input], expr->prec, 4 * mab + pe, cycle, bus[pe]);
}

static void keep(struct twin *board, unsigned group, unsigned mab, unsigned cycle, mab_bus out,
                 const uint8_t flags[4])
{
    for (unsigned pe = 0; pe < 4; pe++) {
        memcpy(board->result[group][4 * mab + pe][cycle], out[pe], 16);
        board->flags[group][4 * mab + pe][cycle] = flags[pe];
    }
}

/* Neighbouring MABs often hold the same data: an operation on equal inputs is computed once. */
struct memo {
    bool valid;
    mab_bus in[3], out;
    uint64_t plane[64];
    uint8_t flags[4];
};

static bool remembered(struct memo *memo, mab_bus in[3], const uint64_t *plane)
{
    if (memo->valid && !memcmp(memo->in, in, sizeof memo->in) &&
        (!plane || !memcmp(memo->plane, plane, sizeof memo->plane)))
        return true;
    memo->valid = true;
    memcpy(memo->in, in, sizeof memo->in);
    if (plane)
        memcpy(memo->plane, plane, sizeof memo->plane);
    return false;
}

static void run_alu(struct twin *board, const struct expr *expr)
{
    const struct alu_op op = {
        .insn = expr->insn,
        .prec = expr->prec,
        .uns = expr->uns,
        .mantissa = expr->mantissa,
        .x = expr->in_count > 0 ? expr->in[0].flags : 0,
        .y = expr->in_count > 1 ? expr->in[1].flags : 0,
        .imm = expr->imm,
    };
    struct memo memo = {.valid = false};
    for (unsigned mab = 0; mab < MABS; mab++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            mab_bus in[3], care;
            memset(in, 0, sizeof in);
            read_mab(board, expr, 0, mab, cycle, in[0]);
            read_mab(board, expr, 1, mab, cycle, in[1]);
            if (!remembered(&memo, in, NULL))
                oracle_alu(&op, in[0], in[1], memo.out, care, memo.flags);
            keep(board, expr->group, mab, cycle, memo.out, memo.flags);
        }
}

static void run_mau(struct twin *board, const struct expr *expr)
{
    const bool matrix = expr->insn == INSN_MFMA || expr->insn == INSN_MMUL;
    const struct operand *in = expr->in + (matrix ? 1 : 0);
    const unsigned count = expr->in_count - (matrix ? 1U : 0U);
    const struct mau_op op = {
        .insn = expr->insn,
        .prec = expr->prec,
        .lower = expr->lower,
        .reduce = expr->reduce,
        .x = count > 0 ? in[0].flags : 0,
        .y = count > 1 ? in[1].flags : 0,
        .z = count > 2 ? in[2].flags : 0,
    };
    struct memo memo = {.valid = false};
    for (unsigned mab = 0; mab < MABS; mab++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            const uint64_t *plane = matrix ? board->plane[expr->in[0].mem - MEM_X][mab] : NULL;
            mab_bus bus[3];
            memset(bus, 0, sizeof bus);
            for (unsigned i = 0; i < count; i++)
                read_mab(board, expr, i + (matrix ? 1 : 0), mab, cycle, bus[i]);
            if (!remembered(&memo, bus, plane))
                oracle_mau(&op, plane, (struct oracle_in){bus[0], bus[1], bus[2]}, memo.out,
                           memo.flags);
            keep(board, expr->group, mab, cycle, memo.out, memo.flags);
        }
}

/* Logical rows of a precision in the 16 physical ones (3.6.1.14). */
static unsigned logical_rows(uint8_t prec)
{
    return prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
}

static uint64_t *row_of(struct twin *board, uint8_t mem, unsigned mab, uint8_t prec, uint32_t row)
{
    const unsigned rows = logical_rows(prec);
    return board->plane[mem - MEM_X][mab] + 4 * (row % rows * (16 / rows));
}

/* 3.6.11; the element (i, j) of a matrix of 4, 8 or 16 columns */
static void run_mread(struct twin *board, const struct expr *expr)
{
    const uint8_t prec = expr->prec, mem = expr->in[0].mem;
    const unsigned rows = logical_rows(prec), per_pe = rows / 4, bits = 64 / per_pe;
    const unsigned columns = prec == PREC_H ? 2 : 1; /* per cycle */
    for (unsigned mab = 0; mab < MABS; mab++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            mab_bus out = {{0}};
            const uint8_t none[4] = {0};
            for (unsigned c = 0; c < columns; c++)
                for (unsigned i = 0; i < rows; i++) {
                    const unsigned j = (expr->in[0].addr[0] + cycle * columns) % rows + c;
                    const uint64_t word = row_of(board, mem, mab, prec, i)[j / per_pe];
                    out[i / per_pe][c] |=
                        oracle_place(oracle_element(word, bits, j % per_pe), bits, i % per_pe);
                }
            keep(board, expr->group, mab, cycle, out, none);
        }
}

/* 3.6.10: the port's value is kept until the reads of the step are done. */
static void prepare_mwrite(struct twin *board, const struct expr *expr)
{
    for (unsigned mab = 0; mab < MABS; mab++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            mab_bus in, out, care;
            const uint8_t none[4] = {0};
            read_mab(board, expr, 0, mab, cycle, in);
            oracle_mwrite(expr->prec, expr->in[0].flags, in, out, care);
            keep(board, expr->group, mab, cycle, out, none);
        }
}

static void finish_mwrite(struct twin *board, const struct expr *expr)
{
    const struct operand *to = expr_out(expr, 0);
    const unsigned rows = to->words == 4 ? 2 : 1; /* per cycle */
    for (unsigned mab = 0; mab < MABS; mab++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned r = 0; r < rows; r++) {
                uint64_t *row =
                    row_of(board, to->mem, mab, expr->prec, to->addr[0] + cycle * rows + r);
                for (unsigned pe = 0; pe < 4; pe++)
                    row[pe] = board->result[expr->group][4 * mab + pe][cycle][r];
            }
}

/* 3.6.2.2: applied before the result is written anywhere. */
static void flush(struct twin *board, const struct step *step, unsigned group)
{
    for (unsigned pe = 0; pe < PES; pe++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            uint64_t through[2];
            mask_bus(mask_bits(board, step->mask_entry, pe, cycle), step->mask_wide, through);
            board->result[group][pe][cycle][0] &= through[0];
            board->result[group][pe][cycle][1] &= through[1];
        }
}

static void run_step(struct twin *board, const struct step *step)
{
    static const uint8_t producer[4][2] = {{GROUP_MAU_CALC, GROUP_MAU_CALC},
                                           {GROUP_ALU, GROUP_ALU},
                                           {GROUP_L1BM, GROUP_L1BM_TURN},
                                           {GROUP_MAU_MREAD, GROUP_MAU_MREAD}};
    const struct expr *expr;
    if (step->nops)
        return;
    if ((expr = step_expr(step, GROUP_ALU)))
        run_alu(board, expr);
    if ((expr = step_expr(step, GROUP_MAU_CALC)))
        run_mau(board, expr);
    if ((expr = step_expr(step, GROUP_MAU_MREAD)))
        run_mread(board, expr);
    if ((expr = step_expr(step, GROUP_MAU_MWRITE)))
        prepare_mwrite(board, expr);
    if ((expr = step_expr(step, GROUP_L1BM_TURN)))
        twin_l1bm(board, expr, true);
    memcpy(board->lbi_next, board->lbi, sizeof board->lbi);
    /* Both of these also write SRAM; programs here never use both sides of it in one step. */
    if ((expr = step_expr(step, GROUP_L1BM)))
        twin_l1bm(board, expr, false);
    if ((expr = step_expr(step, GROUP_L2BM)))
        twin_l2bm(board, expr);
    if (step->darw)
        twin_darw(board);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        if (step_expr(step, group) && step_expr(step, group)->flush)
            flush(board, step, group);
    /* All addresses and masks are those from before the step: LM and GRF are written first, then
     * the registers that their addresses and masks depend on: T, base address registers, mask
     * registers. */
    for (unsigned phase = 0; phase < 4; phase++)
        for (unsigned group = 0; group < GROUP_COUNT; group++) {
            expr = step_expr(step, group);
            if (!expr || group == GROUP_MAU_MWRITE || group == GROUP_L2BM)
                continue;
            for (unsigned o = 0; o < expr->out_count; o++) {
                const struct operand *out = expr_out(expr, o);
                const unsigned when = out->mem == MEM_OMR                            ? 3
                                      : out->mem == MEM_BAR0 || out->mem == MEM_BAR1 ? 2
                                      : out->mem == MEM_T                            ? 1
                                                                                     : 0;
                if (when != phase || out->mem >= MEM_X)
                    continue;
                for (unsigned pe = 0; pe < PES; pe++) {
                    if (phase == 3)
                        write_flags(board, step, out, group, pe);
                    else
                        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                            write_output(board, step, out, group, pe, cycle);
                }
            }
        }
    if ((expr = step_expr(step, GROUP_MAU_MWRITE)))
        finish_mwrite(board, expr);
    if (step->noforward)
        return;
    for (unsigned which = 0; which < 4; which++)
        for (unsigned i = 0; i < 2; i++) {
            const uint8_t group = producer[which][i];
            expr = step_expr(step, group);
            if (expr && expr_out(expr, 0)->mem < MEM_X) /* not a transfer into L1BM */
                memcpy(board->forward[which], board->result[group], sizeof board->forward[which]);
        }
    memcpy(board->lbi, board->lbi_next, sizeof board->lbi);
}

uint64_t twin_long(const struct twin *board, uint8_t mem, unsigned pe, uint32_t addr)
{
    const uint32_t *words = const_words(board, mem, pe);
    return (uint64_t)words[addr] << 32 | words[addr + 1];
}

static uint64_t payload(const char *text, size_t index)
{
    char digits[17] = {0};
    memcpy(digits, text + 16 * index, 16);
    return strtoull(digits, NULL, 16);
}

static bool chosen(int8_t selector, unsigned value)
{
    return selector < 0 || (unsigned)selector == value;
}

/* 3.4.4, payloads of 16 digits per long word. */
static void run_set(struct twin *board, const struct debug *set, const char *text)
{
    const unsigned longs = set->words == 4 ? 2 : 1;
    for (unsigned pe = 0; pe < PES; pe++) {
        const unsigned l2b = pe / 512, l1b = pe / 64;
        if (!chosen(set->group, l2b / 2) || !chosen(set->l2b, l2b % 2))
            continue;
        const bool below = set->mem == MEM_L2BM;
        if (!below && !chosen(set->l1b, l1b % 8))
            continue;
        if (!below && set->mem != MEM_L1BM &&
            (!chosen(set->mab, pe / 4 % 16) || !chosen(set->pe, pe % 4)))
            continue;
        for (size_t i = 0; i < set->count * longs; i++) {
            const uint64_t value = payload(text, i);
            uint32_t *words = NULL;
            if (set->mem == MEM_LM0 || set->mem == MEM_LM1)
                words = board->lm[set->mem - MEM_LM0][pe];
            else if (set->mem == MEM_GRF0 || set->mem == MEM_GRF1)
                words = board->grf[set->mem - MEM_GRF0][pe];
            if (set->mem == MEM_L2BM) {
                board->l2bm[l2b][set->addr + i] = value;
            } else if (set->mem == MEM_L1BM) {
                board->l1bm[l1b][set->addr + i] = value;
            } else if (set->mem == MEM_T) {
                board->t[pe][i / longs][i % longs] = value;
            } else if (words && set->words == 1) {
                words[set->addr + i] = (uint32_t)(value >> 32);
            } else if (words) {
                words[set->addr + 2 * i] = (uint32_t)(value >> 32);
                words[set->addr + 2 * i + 1] = (uint32_t)value;
            }
        }
    }
}

void twin_item(struct twin *board, const struct program *program, size_t item)
{
    const struct stmt *stmt = &program->stmts[program->items[item].stmt];
    const char *text = program->sources[mncore2_program_source(program, item)].text;
    switch (stmt->kind) {
    case STMT_STEP:
        run_step(board, stmt->step);
        break;
    case STMT_MV:
        twin_mv(board, stmt->mv);
        break;
    case STMT_SET:
        run_set(board, stmt->debug, text + stmt->debug->payload);
        break;
    case STMT_PRESET:
        for (size_t i = 0; i < stmt->debug->count; i++)
            board->dram[stmt->debug->group][stmt->debug->addr + i] =
                payload(text + stmt->debug->payload, i);
        break;
    default:
        break;
    }
}
