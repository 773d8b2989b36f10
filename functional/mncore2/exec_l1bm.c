/*
 * L1BM expressions (manual 3.6.8). In one cycle a transfer moves `rate` long words at the L1BM of
 * every L1B, laid out as
 *
 *   one long word a PE     [MAB or quad][PE]              rate 1, 4, 16, 64
 *   two long words a PE    [MAB or quad][long word][PE]   rate 2, 8, 32
 *
 * The next cycle moves the next `rate` long words. Only l1bmp differs: its two long words are 4
 * addresses apart (3.6.8.7). $lbi holds the data sent to L1BM, cycle by cycle, in the same layout.
 */
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/state.h"

/* long words that one MAB sends or receives in a step, at most */
enum { VECTOR = CYCLES * PE_PER_MAB * 2 };

bool mncore2_exec_l1bm_upward(const struct expr *expr)
{
    switch (expr->insn) {
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
    case INSN_L1BMD_JOIN:
        return true;
    default:
        return false;
    }
}

bool mncore2_exec_l1bm_wide(const struct expr *expr)
{
    return expr->in[0].words == 4 && expr->insn != INSN_L1BMD;
}

/* --- L1BM -> PE --- */

/* Long words per cycle. */
static unsigned down_rate(const struct expr *expr)
{
    const unsigned wide = mncore2_exec_l1bm_wide(expr) ? 2 : 1;
    switch (expr->insn) {
    case INSN_L1BMP:
        return 1;
    case INSN_L1BMM:
        return 4 * wide;
    case INSN_L1BMM4:
        return 16 * wide;
    default:
        return 64;
    }
}

/* Offset of PE 0's first long word of a MAB within a cycle's data. */
static unsigned down_offset(const struct expr *expr, unsigned mab)
{
    switch (expr->insn) {
    case INSN_L1BMM4:
        return mab / 4 * (mncore2_exec_l1bm_wide(expr) ? 8 : 4);
    case INSN_L1BMD: /* MAB m receives the data of m - mabdiff (3.6.8.20) */
        return (mab + 16u - (unsigned)(expr->mabdiff + 16)) % MAB_PER_L1B * PE_PER_MAB;
    default:
        return 0;
    }
}

/* The data one MAB receives in a cycle: out[long word][PE]. */
static void down_vector(const struct exec *e, const struct expr *expr, unsigned mab, unsigned cycle,
                        uint64_t out[2][PE_PER_MAB])
{
    const unsigned l1b = mab / MAB_PER_L1B;
    const unsigned offset = down_offset(expr, mab % MAB_PER_L1B);
    const unsigned each = expr->insn == INSN_L1BMP ? 0 : 1; /* broadcast to the PE, or one each */
    const struct operand *op = &expr->in[0];
    const unsigned halves = mncore2_exec_l1bm_wide(expr) ? 2 : 1;
    const uint64_t *from = e->turn[l1b][cycle];
    size_t start = offset, size = TURN_LONGS;
    if (op->mem != MEM_LBI) {
        from = e->l1bm[l1b];
        size = L1BM_LONGS;
        start = (op->addr[0] + cycle * down_rate(expr) + offset) % size;
    }
    for (unsigned half = 0; half < halves; half++) {
        const size_t at = (start + half * 4) % size;
        if (each == 0)
            for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
                out[half][pe] = from[at];
        else if (at + PE_PER_MAB <= size)
            memcpy(out[half], from + at, PE_PER_MAB * sizeof *from);
        else
            for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
                out[half][pe] = from[(at + pe) % size];
    }
}

void mncore2_exec_l1bm_deliver(const struct exec *e, const struct expr *expr, unsigned cycle,
                               struct lanes lanes, uint64_t *const out[2])
{
    const bool wide = mncore2_exec_l1bm_wide(expr);
    for (size_t i = 0; i < lanes.count; i += PE_PER_MAB) {
        uint64_t vector[2][PE_PER_MAB];
        down_vector(e, expr, e->rep[(lanes.first + i) / PE_PER_MAB], cycle, vector);
        memcpy(out[0] + i, vector[0], sizeof vector[0]);
        if (wide)
            memcpy(out[1] + i, vector[1], sizeof vector[1]);
    }
}

/* Long words of one L1B that a transfer reads, in cycle order. */
static size_t down_all(const struct exec *e, const struct expr *expr, unsigned l1b, uint64_t *out)
{
    const unsigned rate = down_rate(expr);
    const bool gap = expr->insn == INSN_L1BMP && mncore2_exec_l1bm_wide(expr);
    const struct operand *op = &expr->in[0];
    size_t count = 0;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        for (unsigned i = 0; i < (gap ? 2 : rate); i++) {
            const unsigned at = gap ? 4 * i : i;
            out[count++] = op->mem == MEM_LBI
                               ? e->turn[l1b][cycle][at]
                               : e->l1bm[l1b][(op->addr[0] + cycle * rate + at) % L1BM_LONGS];
        }
    return count;
}

static uint64_t digest(const uint64_t *data, size_t count)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ data[i] ^ data[i] >> 29) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* number[i] = the smallest j <= i whose data equal those of i; stride and count in long words. */
static void equal_data(const uint64_t *data, size_t items, size_t stride, size_t count,
                       uint16_t *number)
{
    uint16_t table[4 * MABS]; /* item + 1 by digest; 0 = free */
    memset(table, 0, sizeof table);
    for (size_t i = 0; i < items; i++) {
        const uint64_t *mine = data + i * stride;
        size_t slot = digest(mine, count) % (4 * MABS);
        while (table[slot] != 0 &&
               memcmp(data + (size_t)(table[slot] - 1) * stride, mine, count * sizeof *mine) != 0)
            slot = (slot + 1) % (4 * MABS);
        if (table[slot] == 0)
            table[slot] = (uint16_t)(i + 1);
        number[i] = (uint16_t)(table[slot] - 1);
    }
}

/* True if all L1B hold the same data where the transfer reads. May return false for equal data. */
static bool all_equal(const struct exec *e, const struct expr *expr)
{
    const struct operand *op = &expr->in[0];
    const size_t start = op->addr[0] % L1BM_LONGS;
    size_t count = down_rate(expr) * CYCLES;
    if (expr->insn == INSN_L1BMP)
        count += 4; /* the second long words (3.6.8.7) */
    if (start + count > L1BM_LONGS)
        return false;
    for (unsigned b = 1; b < L1BS; b++)
        if (op->mem == MEM_LBI
                ? memcmp(e->turn[b], e->turn[0], sizeof e->turn[0]) != 0
                : memcmp(e->l1bm[b] + start, e->l1bm[0] + start, count * sizeof(uint64_t)) != 0)
            return false;
    return true;
}

int mncore2_exec_l1bm_split(struct exec *e, const struct expr *expr)
{
    if (e->classes == MABS)
        return 0;
    enum { LONGS = CYCLES * TURN_LONGS };
    uint16_t same_l1b[L1BS] = {0};
    if (!all_equal(e, expr)) {
        size_t count = 0;
        for (unsigned b = 0; b < L1BS; b++)
            count = down_all(e, expr, b, e->delivered + (size_t)b * LONGS);
        equal_data(e->delivered, L1BS, LONGS, count, same_l1b);
    } else if (expr->insn == INSN_L1BMP || expr->insn == INSN_L1BMM) {
        return 0;
    }
    uint32_t key[MABS];
    if (expr->insn == INSN_L1BMP || expr->insn == INSN_L1BMM) {
        for (unsigned mab = 0; mab < MABS; mab++)
            key[mab] = same_l1b[mab / MAB_PER_L1B];
        return mncore2_state_split(e, key);
    }
    uint16_t item_of[MABS], same[MABS];
    size_t items = 0;
    for (unsigned b = 0; b < L1BS; b++)
        for (unsigned m = 0; m < MAB_PER_L1B; m++) {
            const unsigned mab = b * MAB_PER_L1B + m;
            if (same_l1b[b] != b) {
                item_of[mab] = item_of[same_l1b[b] * MAB_PER_L1B + m];
                continue;
            }
            uint64_t(*vector)[2][PE_PER_MAB] = (void *)(e->delivered + items * VECTOR);
            for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
                memset(vector[cycle], 0, sizeof vector[cycle]);
                down_vector(e, expr, mab, cycle, vector[cycle]);
            }
            item_of[mab] = (uint16_t)items++;
        }
    equal_data(e->delivered, items, VECTOR, VECTOR, same);
    for (unsigned mab = 0; mab < MABS; mab++)
        key[mab] = same[item_of[mab]];
    return mncore2_state_split(e, key);
}

/* --- PE -> L1BM --- */

struct collect {
    struct exec *e;
    const struct expr *expr;
    const uint64_t *bus[CYCLES][2]; /* the source operand in all lanes */
    unsigned l1b[L1BS];             /* the L1Bs to compute */
};

/* True if the source is extended (e): explicitly, or as part of a half-precision reduction
 * (3.6.8.4, 3.6.8.5). */
static bool extends(const struct expr *expr)
{
    return expr->prec == PREC_H || (expr->in[0].flags & OPERAND_EXTEND) != 0;
}

static bool reduces(const struct expr *expr)
{
    return expr->prec == PREC_H || expr->reduce;
}

/* True if each PE sends two long words per cycle to L1BM. */
static bool up_wide(const struct expr *expr)
{
    if (expr->insn == INSN_L1BMD_JOIN)
        return false;
    const bool reduction = expr->insn == INSN_L1BMR || expr->insn == INSN_L1BMR4;
    return expr_out(expr, 0)->words == 4 && !(reduction && reduces(expr));
}

static unsigned up_rate(const struct expr *expr)
{
    const unsigned wide = up_wide(expr) ? 2 : 1;
    switch (expr->insn) {
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
        return 4 * wide;
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
        return 16 * wide;
    default:
        return 64;
    }
}

/* One long word of each PE of a MAB. */
static void bus_values(const struct collect *c, unsigned cycle, unsigned half, unsigned mab,
                       uint64_t out[PE_PER_MAB])
{
    const uint64_t *bus = c->bus[cycle][half];
    if (bus == NULL)
        memset(out, 0, PE_PER_MAB * sizeof *out);
    else
        memcpy(out, bus + c->e->class_of[mab] * (size_t)PE_PER_MAB, PE_PER_MAB * sizeof *out);
}

/* Copy the data of one MAB's PEs next to each other. */
static void join_mab(const struct collect *c, unsigned cycle, unsigned mab, uint64_t *out)
{
    for (unsigned half = 0; half < (up_wide(c->expr) ? 2u : 1u); half++)
        bus_values(c, cycle, half, mab, out + half * 4);
}

/* The input of the reduction from one MAB for the whole step: [cycle][long word][PE]. */
static void send_mab(const struct collect *c, unsigned mab, uint64_t out[VECTOR])
{
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        uint64_t *first = out + cycle * 8, *second = first + 4;
        bus_values(c, cycle, 0, mab, first);
        if (!extends(c->expr)) {
            bus_values(c, cycle, 1, mab, second);
            continue;
        }
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++) {
            const uint64_t halves = first[pe];
            first[pe] = (uint64_t)mncore2_half_to_single((uint16_t)(halves >> 48)) << 32 |
                        mncore2_half_to_single((uint16_t)(halves >> 32));
            second[pe] = (uint64_t)mncore2_half_to_single((uint16_t)(halves >> 16)) << 32 |
                         mncore2_half_to_single((uint16_t)halves);
        }
    }
}

/* Reduce n MABs starting at the given one; results go to `offset` in every cycle. */
static void reduce_mabs(const struct collect *c, unsigned l1b, unsigned first, unsigned n,
                        unsigned offset)
{
    const struct expr *expr = c->expr;
    uint64_t sent[MAB_PER_L1B][VECTOR], result[VECTOR];
    const uint64_t *src[MAB_PER_L1B];
    for (unsigned i = 0; i < n; i++) {
        send_mab(c, l1b * MAB_PER_L1B + first + i, sent[i]);
        src[i] = sent[i];
    }
    const uint8_t prec = expr->prec == PREC_H ? PREC_F : expr->prec;
    mncore2_rrn_l1bm((struct rrn_op){expr->rrn, prec, reduces(expr)}, n, VECTOR, src, result);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        uint64_t *up = c->e->up[l1b][cycle] + offset;
        const uint64_t *mine = result + cycle * 8;
        for (unsigned pe = 0; pe < PE_PER_MAB; pe++)
            if (reduces(expr)) {
                up[pe] = mine[pe] << 32 | (mine[4 + pe] & 0xffffffffu);
            } else {
                up[pe] = mine[pe];
                if (up_wide(expr))
                    up[4 + pe] = mine[4 + pe];
            }
    }
}

static void collect_l1b(void *arg, size_t part, unsigned worker)
{
    (void)worker;
    const struct collect *c = arg;
    const struct expr *expr = c->expr;
    const unsigned l1b = c->l1b[part];
    const unsigned base = l1b * MAB_PER_L1B;
    const unsigned quad = up_wide(expr) ? 8 : 4;
    if (expr->insn == INSN_L1BMR) {
        reduce_mabs(c, l1b, 0, MAB_PER_L1B, 0);
        return;
    }
    if (expr->insn == INSN_L1BMR4) {
        for (unsigned q = 0; q < 4; q++)
            reduce_mabs(c, l1b, q * 4, 4, q * quad);
        return;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        uint64_t *up = c->e->up[l1b][cycle];
        if (expr->insn == INSN_L1BMM_AT)
            join_mab(c, cycle, base + expr->mab % MAB_PER_L1B, up);
        else if (expr->insn == INSN_L1BMM4_AT)
            for (unsigned q = 0; q < 4; q++)
                join_mab(c, cycle, base + q * 4 + expr->mab % 4, up + q * quad);
        else
            for (unsigned m = 0; m < MAB_PER_L1B; m++)
                join_mab(c, cycle, base + m, up + m * PE_PER_MAB);
    }
}

void mncore2_exec_l1bm_collect(struct exec *e, const struct expr *expr)
{
    struct collect c = {.e = e, .expr = expr};
    const size_t lanes = state_lanes(e);
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        mncore2_state_read(e, &expr->in[0], cycle, (struct lanes){0, lanes},
                           e->lanes + 2 * lanes * cycle, c.bus[cycle]);
    size_t parts = 0;
    for (unsigned b = 0; b < L1BS; b++)
        if (e->l1b_rep[b] == b)
            c.l1b[parts++] = b;
    workers_run(e->workers, parts, collect_l1b, &c);
}

void mncore2_exec_l1bm_store(struct exec *e, const struct expr *expr, bool keep_turn)
{
    const unsigned rate = up_rate(expr);
    const struct operand *op = expr_out(expr, 0);
    /* l1bmd combines with the data shifted by MABs in L1BM, but not in $lbi (3.6.8.21). */
    const unsigned shift =
        expr->insn == INSN_L1BMD_JOIN ? (unsigned)(expr->mabdiff + 16) % 16 * PE_PER_MAB : 0;
    for (unsigned b = 0; b < L1BS; b++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            const uint64_t *up = e->up[e->l1b_rep[b]][cycle];
            if (!keep_turn)
                memcpy(e->turn[b][cycle], up, rate * sizeof *up);
            if (op->mem == MEM_LBI)
                continue;
            const size_t start = (op->addr[0] + cycle * rate) % L1BM_LONGS;
            if (start + rate > L1BM_LONGS) {
                for (unsigned i = 0; i < rate; i++)
                    e->l1bm[b][(start + (i + shift) % rate) % L1BM_LONGS] = up[i];
                continue;
            }
            memcpy(e->l1bm[b] + start + shift, up, (rate - shift) * sizeof *up);
            memcpy(e->l1bm[b] + start, up + rate - shift, shift * sizeof *up);
        }
}
