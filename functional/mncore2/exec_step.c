/*
 * One PE statement (manual 3.6). A step reads the state before it, so:
 *
 *   1. transfers between L1BM, L2BM and from PE to L1BM are computed into scratch,
 *   2. for each block of lanes: masks, L1BM -> PE, matrix read, MAU, ALU, then the writes to PE
 *      memories, matrix registers, masks and base addresses,
 *   3. the transfers of 1 are stored, the forwarding buffers are swapped.
 *
 * Blocks are independent: phase 2 does not cross MABs. Unit outputs are written directly to the
 * forwarding registers; if the step reads the same register, to its other buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/state.h"

/* Long enough for the hardware prefetcher to follow a row, short enough for a core's cache. */
enum { BLOCK_LANES = 1024 };

struct block {
    uint64_t in[3][2 * BLOCK_LANES];
    uint64_t gate[CYCLES][2][BLOCK_LANES];   /* bits that may be written */
    uint64_t matrix[CYCLES][2][BLOCK_LANES]; /* what mwrite stores */
    uint8_t nibble[CYCLES][BLOCK_LANES];     /* the mask entry's bits */
    uint8_t flags[UNITS][CYCLES][BLOCK_LANES];
};

/* Decided once per step. */
struct plan {
    struct exec *e;
    const struct step *step;
    const struct expr *unit[UNITS];
    const struct expr *mwrite;
    unsigned buffer[UNITS]; /* forwarding buffer that receives the output */
    bool wide[UNITS];       /* the output has a second long word, possibly not zero */
    bool flags[UNITS];      /* the flags are stored */
    bool masked;            /* the mask entry is used */
    size_t lanes, block;    /* lanes in all, and per block */
};

/* One cycle of a block. */
struct part {
    const struct plan *p;
    struct block *b;
    unsigned cycle;
    struct lanes lanes;
};

/* --- inputs --- */

/* Fixed inputs of the ALU (3.6.1.20): the value in every element of the precision. */
static void read_fixed(const struct exec *e, const struct operand *op, uint8_t prec,
                       struct lanes lanes, uint64_t *spare, const uint64_t *bus[2])
{
    const unsigned bits = prec == PREC_H || prec == PREC_S                     ? 16
                          : prec == PREC_F || prec == PREC_G || prec == PREC_I ? 32
                                                                               : 64;
    const uint64_t ones = bits == 16 ? 0x0001000100010001u : bits == 32 ? 0x0000000100000001u : 1;
    for (size_t i = 0; i < lanes.count; i++) {
        const unsigned mab = e->rep[(lanes.first + i) / PE_PER_MAB];
        const unsigned pe = (lanes.first + i) % PE_PER_MAB;
        uint64_t value = 0;
        switch (op->mem) {
        case MEM_L2BID:
            value = mab / (L1B_PER_L2B * MAB_PER_L1B);
            break;
        case MEM_L1BID:
            value = mab / MAB_PER_L1B % L1B_PER_L2B;
            break;
        case MEM_MABID:
            value = mab % MAB_PER_L1B;
            break;
        case MEM_PEID:
            value = mab % MAB_PER_L1B * PE_PER_MAB + pe;
            break;
        case MEM_SUBPEID:
            value = pe;
            break;
        default: /* $msb1 */
            value = 1ull << (bits - 1);
        }
        spare[i] = value * ones;
    }
    bus[0] = bus[1] = spare;
}

/* port: the port whose spare buffer may hold the values. */
static void read_input(const struct part *t, unsigned port, const struct expr *expr, unsigned index,
                       const uint64_t *bus[2])
{
    const struct operand *op = &expr->in[index];
    if (op->mem >= MEM_L2BID && op->mem <= MEM_MSB1)
        read_fixed(t->p->e, op, expr->prec, t->lanes, t->b->in[port], bus);
    else
        mncore2_state_read(t->p->e, op, t->cycle, t->lanes, t->b->in[port], bus);
}

/* Prefetch the inputs of a unit in a cycle: the hardware prefetcher follows a row, but does not
 * cross from the row of one cycle to that of the next. */
static void prefetch(const struct plan *p, unsigned unit, unsigned cycle, struct lanes lanes)
{
    const struct expr *expr = p->unit[unit];
    for (unsigned i = 0; expr != NULL && i < expr->in_count; i++) {
        const struct operand *op = &expr->in[i];
        const uint64_t *bus[2];
        if ((op->mem != MEM_LM0 && op->mem != MEM_LM1) || op->words == 1 ||
            !state_uniform(p->e, op))
            continue;
        mncore2_state_read(p->e, op, cycle, lanes, NULL, bus);
        for (unsigned half = 0; half < 2 && bus[half] != NULL; half++)
            for (size_t k = 0; k < lanes.count; k += 64 / sizeof(uint64_t))
                __builtin_prefetch(bus[half] + k);
    }
}

/* --- masks (3.6.2) --- */

/* Bits of a bus selected by the four flags of one cycle; narrow masks leave the second long word
 * enabled. */
static uint64_t gate_bits(unsigned nibble, bool wide, unsigned half)
{
    static const uint64_t halves[4] = {0xffffu, 0xffffull << 16, 0xffffull << 32, 0xffffull << 48};
    uint64_t bits = 0;
    if (!wide) {
        if (half == 1)
            return ~0ull;
        for (unsigned i = 0; i < 4; i++)
            if (nibble >> i & 1)
                bits |= halves[i];
        return bits;
    }
    const unsigned pair = half == 0 ? nibble >> 2 : nibble;
    return (pair & 2 ? 0xffffffffull << 32 : 0) | (pair & 1 ? 0xffffffffull : 0);
}

static unsigned fixed_nibble(unsigned entry, unsigned cycle)
{
    return entry == 0 || (entry >> (CYCLES - 1 - cycle) & 1) ? 0xf : 0;
}

static void load_masks(const struct plan *p, struct block *b, struct lanes lanes)
{
    const size_t first = lanes.first, count = lanes.count;
    const unsigned entry = p->step->mask_entry;
    const bool wide = p->step->mask_wide;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        if (entry == 0 || entry >= MASK_ENTRIES) {
            memset(b->nibble[cycle], (int)fixed_nibble(entry, cycle), count);
            continue;
        }
        uint64_t table[2][16];
        for (unsigned half = 0; half < 2; half++)
            for (unsigned nibble = 0; nibble < 16; nibble++)
                table[half][nibble] = gate_bits(nibble, wide, half);
        const uint8_t *mask = state_mask(p->e, entry, cycle) + first;
        for (size_t i = 0; i < count; i++) {
            const unsigned nibble = mask[i];
            b->nibble[cycle][i] = (uint8_t)nibble;
            b->gate[cycle][0][i] = table[0][nibble];
            b->gate[cycle][1][i] = table[1][nibble];
        }
    }
}

uint64_t mncore2_exec_gate(const struct exec *e, const struct step *step, const struct operand *op,
                           struct gate_at at)
{
    const unsigned entry = step->mask_entry;
    if (!(op->flags & OPERAND_MASKED) || entry == 0)
        return ~0ull;
    const unsigned nibble = entry >= MASK_ENTRIES ? fixed_nibble(entry, at.cycle)
                                                  : state_mask(e, entry, at.cycle)[at.lane];
    return gate_bits(nibble, step->mask_wide, at.half);
}

static struct gate gate_of(const struct plan *p, const struct block *b, unsigned cycle, bool masked)
{
    struct gate gate = {.all = {true, true}};
    const unsigned entry = p->step->mask_entry;
    if (!masked || entry == 0)
        return gate;
    if (entry >= MASK_ENTRIES) {
        const bool on = fixed_nibble(entry, cycle) != 0;
        gate.all[0] = on;
        gate.all[1] = on || !p->step->mask_wide;
        return gate;
    }
    gate.bits[0] = b->gate[cycle][0];
    if (p->step->mask_wide)
        gate.bits[1] = b->gate[cycle][1];
    return gate;
}

/* --- units --- */

/* Output rows of a unit; out[1] is NULL if the second long word is always zero. */
static void outputs(const struct plan *p, unsigned unit, unsigned cycle, size_t first,
                    uint64_t *out[2])
{
    uint64_t *row = state_row(p->e, state_fwd_row(unit, p->buffer[unit], cycle, 0)) + first;
    out[0] = row;
    out[1] = p->wide[unit] ? row + p->e->stride : NULL;
}

static uint8_t *flags_of(const struct part *t, unsigned unit)
{
    return t->p->flags[unit] ? t->b->flags[unit][t->cycle] : NULL;
}

/* 3.6.11: PE p receives the elements of rows 4p.. in the cycle's columns. */
static void run_mread(const struct part *t, uint64_t *const out[2])
{
    const struct expr *expr = t->p->unit[UNIT_MREAD];
    const struct operand *op = &expr->in[0];
    const unsigned cycle = t->cycle;
    const uint64_t *plane =
        t->p->e->planes[op->mem == MEM_Y] + t->lanes.first / PE_PER_MAB * PLANE_LONGS;
    for (size_t i = 0; i < t->lanes.count; i++) {
        const uint64_t *matrix = plane + i / PE_PER_MAB * PLANE_LONGS;
        const unsigned pe = i % PE_PER_MAB;
        uint64_t high = 0, low = 0;
        if (expr->prec == PREC_D) {
            const unsigned column = (op->addr[0] + cycle) % 4;
            high = matrix[pe * 4 * PE_PER_MAB + column];
        } else if (expr->prec == PREC_H) {
            const unsigned column = (op->addr[0] / 2 * 2 + cycle * 2) % 16;
            for (unsigned row = 4 * pe; row < 4 * pe + 4; row++) {
                const uint64_t pair =
                    matrix[row * PE_PER_MAB + column / 4] >> (column % 4 == 0 ? 32 : 0);
                high = high << 16 | (pair >> 16 & 0xffff);
                low = low << 16 | (pair & 0xffff);
            }
        } else {
            const unsigned column = (op->addr[0] + cycle) % 8;
            for (unsigned row = 2 * pe; row < 2 * pe + 2; row++) {
                const uint64_t two = matrix[row * 2 * PE_PER_MAB + column / 2];
                high = high << 32 | (column % 2 == 0 ? two >> 32 : two & 0xffffffffu);
            }
        }
        out[0][i] = high;
        if (out[1] != NULL)
            out[1][i] = low;
    }
}

static void run_mau(const struct part *t, uint64_t *const out[2])
{
    const struct expr *expr = t->p->unit[UNIT_MAU];
    const bool by_matrix = expr->insn == INSN_MFMA || expr->insn == INSN_MMUL;
    const unsigned skip = by_matrix ? 1 : 0;
    struct mau_op op = {
        .insn = expr->insn, .prec = expr->prec, .lower = expr->lower, .reduce = expr->reduce};
    uint16_t *const flags[3] = {&op.x, &op.y, &op.z};
    const uint64_t *bus[3][2] = {{NULL}};
    for (unsigned i = skip; i < expr->in_count; i++) {
        *flags[i - skip] = expr->in[i].flags;
        read_input(t, i - skip, expr, i, bus[i - skip]);
    }
    struct mau_io io = {.lanes = t->lanes.count,
                        .x = bus[0],
                        .y = bus[1],
                        .z = bus[2],
                        .out = out,
                        .flags = flags_of(t, UNIT_MAU)};
    if (by_matrix)
        io.matrix =
            t->p->e->planes[expr->in[0].mem == MEM_Y] + t->lanes.first / PE_PER_MAB * PLANE_LONGS;
    mncore2_mau_cycle(&op, &io);
}

static void run_alu(const struct part *t, uint64_t *const out[2])
{
    const struct expr *expr = t->p->unit[UNIT_ALU];
    struct alu_op op = {.insn = expr->insn,
                        .prec = expr->prec,
                        .uns = expr->uns,
                        .mantissa = expr->mantissa,
                        .imm = expr->imm};
    const uint64_t *bus[2][2] = {{NULL}};
    for (unsigned i = 0; i < expr->in_count && i < 2; i++) {
        *(i == 0 ? &op.x : &op.y) = expr->in[i].flags;
        read_input(t, i, expr, i, bus[i]);
    }
    mncore2_alu_cycle(&op, t->lanes.count, bus[0], bus[1], out, flags_of(t, UNIT_ALU));
}

static void run_mwrite(const struct part *t)
{
    const struct expr *expr = t->p->mwrite;
    const uint64_t *bus[2];
    read_input(t, 0, expr, 0, bus);
    uint64_t *const out[2] = {t->b->matrix[t->cycle][0], t->b->matrix[t->cycle][1]};
    mncore2_mwrite_input(expr->prec, expr->in[0].flags, t->lanes.count, bus, out);
}

/* 3.6.10: PE p's long word becomes column p of the cycle's row (3.6.1.14 for the rows). */
static void store_matrix(const struct plan *p, const struct block *b, struct lanes lanes)
{
    const struct expr *expr = p->mwrite;
    const struct operand *op = expr_out(expr, 0);
    uint64_t *plane = p->e->planes[op->mem == MEM_Y] + lanes.first / PE_PER_MAB * PLANE_LONGS;
    const unsigned rows = expr->prec == PREC_D ? 4 : expr->prec == PREC_H ? 16 : 8;
    const unsigned spread = MATRIX_ROWS / rows;
    const unsigned step = expr->prec == PREC_H && op->words == 4 ? 2 : 1;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (unsigned half = 0; half < step; half++) {
            const unsigned row = (op->addr[0] / step * step + cycle * step + half) % rows * spread;
            for (size_t i = 0; i < lanes.count; i++)
                plane[i / PE_PER_MAB * PLANE_LONGS + row * PE_PER_MAB + i % PE_PER_MAB] =
                    b->matrix[cycle][half][i];
        }
}

/* 3.6.2.2 */
static void flush(const struct plan *p, const struct block *b, unsigned unit, struct lanes lanes)
{
    const size_t first = lanes.first, count = lanes.count;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        const struct gate gate = gate_of(p, b, cycle, true);
        uint64_t *out[2];
        outputs(p, unit, cycle, first, out);
        for (unsigned half = 0; half < 2 && out[half] != NULL; half++) {
            if (gate.bits[half] != NULL)
                for (size_t i = 0; i < count; i++)
                    out[half][i] &= gate.bits[half][i];
            else if (!gate.all[half])
                memset(out[half], 0, count * sizeof *out[half]);
        }
    }
}

/* --- writes --- */

static void store_mask(const struct plan *p, const struct block *b, unsigned unit,
                       const struct operand *op, struct lanes lanes)
{
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        uint8_t *mask = state_mask(p->e, op->addr[0] % MASK_ENTRIES, cycle) + lanes.first;
        for (size_t i = 0; i < lanes.count; i++)
            mask[i] = op->flags & OPERAND_MASKED
                          ? (uint8_t)(b->flags[unit][cycle][i] & b->nibble[cycle][i])
                          : b->flags[unit][cycle][i];
    }
}

/* Local memories are written first: their addresses use the old T and base address registers. */
static bool in_pass(unsigned pass, unsigned mem)
{
    const bool lm = mem == MEM_LM0 || mem == MEM_LM1;
    return pass == 0 ? lm : !lm;
}

static void store_outputs(const struct plan *p, const struct block *b, unsigned pass,
                          struct lanes lanes)
{
    for (unsigned unit = 0; unit < UNITS; unit++) {
        const struct expr *expr = p->unit[unit];
        for (unsigned o = 0; expr != NULL && o < expr->out_count; o++) {
            const struct operand *op = expr_out(expr, o);
            if (op->mem == MEM_NOWRITE || !in_pass(pass, op->mem))
                continue;
            if (op->mem == MEM_OMR) {
                store_mask(p, b, unit, op, lanes);
                continue;
            }
            for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
                uint64_t *out[2];
                outputs(p, unit, cycle, lanes.first, out);
                const uint64_t *const bus[2] = {out[0], out[1]};
                const struct gate gate = gate_of(p, b, cycle, (op->flags & OPERAND_MASKED) != 0);
                mncore2_state_write(p->e, op, cycle, lanes, bus, &gate);
            }
        }
    }
}

static void run_block(void *arg, size_t part, unsigned worker)
{
    const struct plan *p = arg;
    struct block *b = &p->e->blocks[worker];
    const size_t first = part * p->block;
    const struct lanes lanes = {first, p->lanes - first < p->block ? p->lanes - first : p->block};
    struct part t = {.p = p, .b = b, .lanes = lanes};
    if (p->masked)
        load_masks(p, b, lanes);
    for (t.cycle = 0; t.cycle < CYCLES; t.cycle++) {
        uint64_t *out[2];
        if (t.cycle + 1 < CYCLES) {
            prefetch(p, UNIT_MAU, t.cycle + 1, lanes);
            prefetch(p, UNIT_ALU, t.cycle + 1, lanes);
        }
        if (p->unit[UNIT_LB] != NULL) {
            outputs(p, UNIT_LB, t.cycle, first, out);
            mncore2_exec_l1bm_deliver(p->e, p->unit[UNIT_LB], t.cycle, lanes, out);
        }
        if (p->unit[UNIT_MREAD] != NULL) {
            outputs(p, UNIT_MREAD, t.cycle, first, out);
            run_mread(&t, out);
        }
        if (p->unit[UNIT_MAU] != NULL) {
            outputs(p, UNIT_MAU, t.cycle, first, out);
            run_mau(&t, out);
        }
        if (p->unit[UNIT_ALU] != NULL) {
            outputs(p, UNIT_ALU, t.cycle, first, out);
            run_alu(&t, out);
        }
        if (p->mwrite != NULL)
            run_mwrite(&t);
    }
    for (unsigned unit = 0; unit < UNITS; unit++)
        if (p->unit[unit] != NULL && p->unit[unit]->flush)
            flush(p, b, unit, lanes);
    store_outputs(p, b, 0, lanes);
    store_outputs(p, b, 1, lanes);
    if (p->mwrite != NULL)
        store_matrix(p, b, lanes);
}

/* --- the step --- */

/* True if an operand has a second long word. */
static bool input_wide(const struct exec *e, const struct operand *op)
{
    if (op->mem >= MEM_MAUF && op->mem <= MEM_MREADF)
        return e->fwd_wide[op->mem - MEM_MAUF];
    return op->words == 4 || op->mem == MEM_T || (op->mem >= MEM_L2BID && op->mem <= MEM_MSB1);
}

/* True if the unit's output has a second long word that may be non-zero. */
static bool output_wide(const struct exec *e, const struct expr *expr, unsigned unit)
{
    switch (unit) {
    case UNIT_MAU:
        return expr->prec == PREC_H && !expr->reduce;
    case UNIT_LB:
        return mncore2_exec_l1bm_wide(expr);
    case UNIT_MREAD:
        return expr->prec == PREC_H;
    default: /* the first input is passed through or transformed (3.6.12) */
        if (expr->in_count == 0)
            return expr->insn == INSN_IMM;
        return input_wide(e, &expr->in[0]) && !(expr->in[0].flags & OPERAND_REDUCE);
    }
}

static bool reads(const struct step *step, unsigned mem)
{
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        for (unsigned i = 0; step_expr(step, g) != NULL && i < step_expr(step, g)->in_count; i++)
            if (step_expr(step, g)->in[i].mem == mem)
                return true;
    return false;
}

/* Inputs that differ from MAB to MAB ($l2bid ...) split the classes. */
static int split_by_inputs(struct exec *e, const struct expr *alu)
{
    for (unsigned i = 0; i < alu->in_count; i++) {
        const unsigned mem = alu->in[i].mem;
        if (mem != MEM_L2BID && mem != MEM_L1BID && mem != MEM_MABID && mem != MEM_PEID)
            continue;
        uint32_t key[MABS];
        for (unsigned mab = 0; mab < MABS; mab++)
            key[mab] = mem == MEM_L2BID   ? mab / (L1B_PER_L2B * MAB_PER_L1B)
                       : mem == MEM_L1BID ? mab / MAB_PER_L1B % L1B_PER_L2B
                                          : mab % MAB_PER_L1B;
        if (mncore2_state_split(e, key) < 0)
            return -1;
    }
    return 0;
}

/* Rows of PE memories that the step uses hold their contents before it runs. */
static void fill_rows(struct exec *e, const struct step *step)
{
    if (e->options.init.kind == INIT_ZERO)
        return;
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct expr *expr = step_expr(step, g);
        for (unsigned i = 0; expr != NULL && i < expr->in_count; i++)
            mncore2_state_fill_operand(e, &expr->in[i]);
        for (unsigned o = 0; expr != NULL && o < expr->out_count; o++)
            mncore2_state_fill_operand(e, expr_out(expr, o));
    }
}

static void watch_bars(const struct plan *p)
{
    struct exec *e = p->e;
    for (unsigned unit = 0; unit < UNITS; unit++)
        for (unsigned o = 0; p->unit[unit] != NULL && o < p->unit[unit]->out_count; o++) {
            const unsigned mem = expr_out(p->unit[unit], o)->mem;
            if (mem != MEM_BAR0 && mem != MEM_BAR1)
                continue;
            const uint16_t *bar = e->bar[mem == MEM_BAR1];
            size_t same = 1;
            while (same < p->lanes && bar[same] == bar[0])
                same++;
            e->bar_uniform[mem == MEM_BAR1] = same == p->lanes;
            e->bar_value[mem == MEM_BAR1] = bar[0];
        }
}

static bool uses_mask(const struct plan *p)
{
    for (unsigned unit = 0; unit < UNITS; unit++) {
        const struct expr *expr = p->unit[unit];
        if (expr == NULL)
            continue;
        if (expr->flush)
            return true;
        for (unsigned o = 0; o < expr->out_count; o++)
            if (expr_out(expr, o)->flags & OPERAND_MASKED)
                return true;
    }
    return false;
}

int mncore2_exec_step_run(struct exec *e, const struct step *step)
{
    if (step->nops > 0)
        return 0;
    struct plan p = {.e = e, .step = step};
    const struct expr *up = NULL;
    for (unsigned g = GROUP_L1BM; g <= GROUP_L1BM_TURN; g++) {
        if (step_expr(step, g) == NULL)
            continue;
        if (mncore2_exec_l1bm_upward(step_expr(step, g)))
            up = step_expr(step, g);
        else
            p.unit[UNIT_LB] = step_expr(step, g);
    }
    p.unit[UNIT_MAU] = step_expr(step, GROUP_MAU_CALC);
    p.unit[UNIT_ALU] = step_expr(step, GROUP_ALU);
    p.unit[UNIT_MREAD] = step_expr(step, GROUP_MAU_MREAD);
    p.mwrite = step_expr(step, GROUP_MAU_MWRITE);
    if (p.unit[UNIT_ALU] != NULL && split_by_inputs(e, p.unit[UNIT_ALU]) < 0)
        return -1;
    if (p.unit[UNIT_LB] != NULL && mncore2_exec_l1bm_split(e, p.unit[UNIT_LB]) < 0)
        return -1;

    fill_rows(e, step);

    p.lanes = state_lanes(e);
    p.block = e->options.threads > 2 ? BLOCK_LANES / 2 : BLOCK_LANES;
    p.masked = uses_mask(&p);
    bool any = p.mwrite != NULL;
    for (unsigned unit = 0; unit < UNITS; unit++) {
        if (p.unit[unit] == NULL)
            continue;
        any = true;
        p.wide[unit] = output_wide(e, p.unit[unit], unit);
        for (unsigned o = 0; o < p.unit[unit]->out_count; o++)
            p.flags[unit] |= expr_out(p.unit[unit], o)->mem == MEM_OMR;
        p.buffer[unit] = e->fwd_buffer[unit];
        if (step->noforward || reads(step, MEM_MAUF + unit))
            p.buffer[unit] ^= 1;
        if (!step->noforward)
            for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                for (unsigned half = 0; half < (p.wide[unit] ? 2u : 1u); half++)
                    state_touch(e, state_fwd_row(unit, p.buffer[unit], cycle, half));
    }

    const struct expr *l2bm = step_expr(step, GROUP_L2BM);
    if (up != NULL)
        mncore2_exec_l1bm_collect(e, up);
    if (l2bm != NULL)
        mncore2_exec_l2bm_collect(e, l2bm);
    if (any)
        workers_run(e->workers, (p.lanes + p.block - 1) / p.block, run_block, &p);
    if (up != NULL)
        mncore2_exec_l1bm_store(e, up, step->noforward);
    if (l2bm != NULL)
        mncore2_exec_l2bm_store(e, l2bm);
    if (step->darw)
        mncore2_exec_l2bm_darw(e);
    watch_bars(&p);
    for (unsigned unit = 0; unit < UNITS; unit++)
        if (p.unit[unit] != NULL && !step->noforward) {
            e->fwd_buffer[unit] = (uint8_t)p.buffer[unit];
            e->fwd_wide[unit] = p.wide[unit];
        }
    return 0;
}

int mncore2_exec_step_prepare(struct exec *e)
{
    const unsigned threads = e->options.threads > 1 ? e->options.threads : 1;
    e->blocks = calloc(threads, sizeof *e->blocks);
    return e->blocks == NULL ? -1 : 0;
}

void mncore2_exec_step_release(struct exec *e)
{
    free(e->blocks);
}
