/* MV statements (manual 3.5.8). All modes but the reductions are executed in pieces of 16 long
 * words: 3.5.8.20 and .22 to .25 require it, and the others move 64 consecutive ones. The DAR may
 * supply DRAM addresses, one entry per nd accesses of 16 long words (3.5.6). Addresses wrap
 * (3.5.2). */
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/state.h"

enum { PIECE = 16, UNIT = 64 };

/* --- one end of a transfer --- */

struct end {
    struct exec *e;
    const struct mv *mv;
    const struct mv_operand *op;
};

/* DRAM address of the i-th access of 16 long words, in units of 16 long words (3.5.6). Bits beyond
 * the DRAM's size are dropped. */
static uint64_t dar_address(const struct exec *e, const struct mv *mv, uint64_t entry,
                            unsigned group, uint64_t i)
{
    const uint64_t step = mv->nd == 0 ? 0 : i / mv->nd;
    const uint64_t rest = mv->nd == 0 ? i : i % mv->nd;
    return (e->dar[group][(entry + step) % DAR_ENTRIES] + rest) % (DRAM_LONGS / PIECE);
}

/* Contiguous long words starting at an offset from the operand's address. */
struct stretch {
    uint64_t *memory;
    uint64_t at;
    size_t count;
};

static struct stretch stretch_of(const struct end *end, unsigned group, unsigned l2b,
                                 uint64_t offset, size_t left)
{
    const struct mv_operand *op = end->op;
    struct exec *e = end->e;
    struct stretch stretch = {.at = op->addr + offset, .count = left};
    uint64_t size;
    if (op->mem == MEM_PDM) {
        stretch.memory = e->pdm[group].words;
        size = PDM_LONGS;
    } else if (op->mem == MEM_L2BM) {
        stretch.memory = e->l2bm[group * L2B_PER_GROUP + l2b];
        size = L2BM_LONGS;
    } else {
        stretch.memory = e->dram[group].words;
        size = DRAM_LONGS;
        if (op->indirect) {
            stretch.at = dar_address(e, end->mv, op->addr, group, offset / PIECE) * PIECE;
            stretch.count = left < PIECE ? left : PIECE;
        }
    }
    stretch.at %= size;
    if (stretch.count > size - stretch.at)
        stretch.count = (size_t)(size - stretch.at);
    return stretch;
}

/* Copy count long words starting `offset` long words after the operand's address. */
static void get(const struct end *from, unsigned group, unsigned l2b, uint64_t offset,
                uint64_t *data, size_t count)
{
    for (size_t done = 0; done < count;) {
        const struct stretch s = stretch_of(from, group, l2b, offset + done, count - done);
        if (from->op->mem == MEM_L2BM)
            memcpy(data + done, s.memory + s.at, s.count * sizeof *data);
        else
            mncore2_state_read_pages(from->e, state_paged(from->e, from->op->mem, group), s.at,
                                     s.count, data + done);
        done += s.count;
    }
}

static void put(const struct end *to, unsigned group, unsigned l2b, uint64_t offset,
                const uint64_t *data, size_t count)
{
    for (size_t done = 0; done < count;) {
        const struct stretch s = stretch_of(to, group, l2b, offset + done, count - done);
        if (to->op->mem != MEM_L2BM)
            mncore2_state_touch_pages(to->e, state_paged(to->e, to->op->mem, group), s.at, s.count);
        memcpy(s.memory + s.at, data + done, s.count * sizeof *data);
        done += s.count;
    }
}

/* --- the families --- */

static unsigned group_of(const struct mv_operand *op)
{
    return op->group < 0 ? 0 : (unsigned)op->group % GROUPS;
}

static unsigned l2b_of(const struct mv_operand *op)
{
    return op->l2b < 0 ? 0 : (unsigned)op->l2b % L2B_PER_GROUP;
}

/* 3.5.8.2 .. .12: copy between two memories, in one pair of groups or in every group by itself. */
static void copy(const struct end *from, const struct end *to, uint64_t size, bool every)
{
    enum { CHUNK = 2048 };
    uint64_t data[CHUNK];
    for (uint64_t done = 0; done < size;) {
        const size_t count = size - done < CHUNK ? (size_t)(size - done) : CHUNK;
        for (unsigned group = 0; group < (every ? GROUPS : 1u); group++) {
            const unsigned a = every ? group : group_of(from->op);
            const unsigned b = every ? group : group_of(to->op);
            get(from, a, l2b_of(from->op), done, data, count);
            put(to, b, l2b_of(to->op), done, data, count);
        }
        done += count;
    }
}

/* The L2BMs to reduce: of one group or all, one of each or both. */
struct l2bms {
    unsigned group, groups;
    unsigned l2b, l2bs;
};

/* Reduce 64 long words of several L2BMs, at `offset` from the first operand (3.5.5, 4.2). */
static void reduce(const struct end *from, uint64_t offset, uint64_t out[UNIT], struct l2bms of)
{
    const struct mv *mv = from->mv;
    uint64_t sent[L2B_PER_GROUP][UNIT], stage[GROUPS][UNIT];
    const uint64_t *src[GROUPS];
    for (unsigned g = 0; g < of.groups; g++) {
        src[g] = stage[g];
        if (of.l2bs == 1) {
            get(from, of.group + g, of.l2b, offset, stage[g], UNIT);
            continue;
        }
        const uint64_t *pair[L2B_PER_GROUP] = {sent[0], sent[1]};
        get(from, of.group + g, 0, offset, sent[0], UNIT);
        get(from, of.group + g, 1, offset, sent[1], UNIT);
        mncore2_rrn_stage(mv->rrn, mv->prec, L2B_PER_GROUP, UNIT, pair, stage[g]);
    }
    if (of.groups == 1)
        memcpy(out, stage[0], sizeof stage[0]);
    else
        mncore2_rrn_stage(mv->rrn, mv->prec, GROUPS, UNIT, src, out);
}

/* One unit operation. Every row of mv.def needs a case; a missing case stops the build with its
 * name. */
static void run_unit(const struct end *from, const struct end *to, uint64_t i)
{
    uint64_t data[8 * UNIT];
    const unsigned from_group = group_of(from->op), to_group = group_of(to->op);
    switch ((enum mv_mode)from->mv->mode) {
    case MV_D_C_B2: /* 3.5.8.13 */
        for (unsigned g = 0; g < GROUPS; g++) {
            get(from, g, 0, 64 * i, data, 64);
            put(to, g, 0, 64 * i, data, 64);
            put(to, g, 1, 64 * i, data, 64);
        }
        break;
    case MV_C_D_R2: /* 3.5.8.14 */
        for (unsigned g = 0; g < GROUPS; g++) {
            reduce(from, 64 * i, data, (struct l2bms){g, 1, 0, 2});
            put(to, g, 0, 64 * i, data, 64);
        }
        break;
    case MV_C_P_R2: /* 3.5.8.15 */
        reduce(from, 64 * i, data, (struct l2bms){from_group, 1, 0, 2});
        put(to, to_group, 0, 64 * i, data, 64);
        break;
    case MV_D_C_B4: /* 3.5.8.16 */
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned c = 0; c < L2B_PER_GROUP; c++)
                get(from, g, 0, 32 * i + 16 * c, data + 64 * c + 16 * g, 16);
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned c = 0; c < L2B_PER_GROUP; c++)
                put(to, g, c, 64 * i, data + 64 * c, 64);
        break;
    case MV_C_D_R4: /* 3.5.8.17 */
        for (unsigned c = 0; c < L2B_PER_GROUP; c++)
            reduce(from, 64 * i, data + 64 * c, (struct l2bms){0, GROUPS, c, 1});
        for (unsigned g = 0; g < GROUPS; g++)
            for (unsigned c = 0; c < L2B_PER_GROUP; c++)
                put(to, g, 0, 32 * i + 16 * c, data + 64 * c + 16 * g, 16);
        break;
    case MV_P_C_B: /* 3.5.8.18 */
        get(from, from_group, 0, 64 * i, data, 64);
        for (unsigned b = 0; b < L2BS; b++)
            put(to, b / 2, b % 2, 64 * i, data, 64);
        break;
    case MV_C_P_R: /* 3.5.8.19 */
        reduce(from, 64 * i, data, (struct l2bms){0, GROUPS, 0, 2});
        put(to, to_group, 0, 64 * i, data, 64);
        break;
    case MV_D_C_B: /* 3.5.8.20 */
        for (unsigned g = 0; g < GROUPS; g++)
            get(from, g, 0, 16 * i, data + 16 * g, 16);
        for (unsigned b = 0; b < L2BS; b++)
            put(to, b / 2, b % 2, 64 * i, data, 64);
        break;
    case MV_C_D_R: /* 3.5.8.21 */
        reduce(from, 64 * i, data, (struct l2bms){0, GROUPS, 0, 2});
        for (unsigned g = 0; g < GROUPS; g++)
            put(to, g, 0, 16 * i, data + 16 * g, 16);
        break;
    case MV_P_C_DIST: /* 3.5.8.22 */
        get(from, from_group, 0, 512 * i, data, 512);
        for (unsigned j = 0; j < 4; j++)
            for (unsigned b = 0; b < L2BS; b++)
                put(to, b / 2, b % 2, 64 * i + 16 * j, data + (j * 8 + b) * 16, 16);
        break;
    case MV_C_P_JOIN: /* 3.5.8.23 */
        for (unsigned j = 0; j < 4; j++)
            for (unsigned b = 0; b < L2BS; b++)
                get(from, b / 2, b % 2, 64 * i + 16 * j, data + (j * 8 + b) * 16, 16);
        put(to, to_group, 0, 512 * i, data, 512);
        break;
    case MV_P_D_DIST: /* 3.5.8.24 */
        get(from, from_group, 0, 64 * i, data, 64);
        for (unsigned g = 0; g < GROUPS; g++)
            put(to, g, 0, 16 * i, data + 16 * g, 16);
        break;
    case MV_D_P_JOIN: /* 3.5.8.25 */
        for (unsigned g = 0; g < GROUPS; g++)
            get(from, g, 0, 16 * i, data + 16 * g, 16);
        put(to, to_group, 0, 64 * i, data, 64);
        break;
    case MV_P_D:
    case MV_D_P:
    case MV_P_C:
    case MV_C_P:
    case MV_D_C:
    case MV_C_D:
    case MV_P_P:
    case MV_P_C_PAR:
    case MV_C_P_PAR:
    case MV_D_C_PAR:
    case MV_C_D_PAR: /* copies: mncore2_exec_mv_run handles them before the call */
    case MV_COUNT:
        break;
    }
}

void mncore2_exec_mv_run(struct exec *e, const struct mv *mv)
{
    const struct end from = {.e = e, .mv = mv, .op = &mv->from};
    const struct end to = {.e = e, .mv = mv, .op = &mv->to};
    switch (mv->mode) {
    case MV_P_D:
    case MV_D_P:
    case MV_P_C:
    case MV_C_P:
    case MV_D_C:
    case MV_C_D:
    case MV_P_P:
        copy(&from, &to, mv->size, false);
        break;
    case MV_P_C_PAR:
    case MV_C_P_PAR:
    case MV_D_C_PAR:
    case MV_C_D_PAR:
        copy(&from, &to, mv->size, true);
        break;
    default:
        for (uint64_t i = 0; i < mv->size / UNIT; i++)
            run_unit(&from, &to, i);
    }
}

void mncore2_exec_mv_words(struct exec *e, const struct mv_place *place, bool into, uint64_t *words,
                           size_t count)
{
    const struct mv *mv = place->mv;
    const struct end end = {.e = e, .mv = mv, .op = place->to ? &mv->to : &mv->from};
    if (into)
        put(&end, place->group, place->l2b, 0, words, count);
    else
        get(&end, place->group, place->l2b, 0, words, count);
}

void mncore2_exec_dar_addresses(const struct exec *exec, const struct mv *mv, unsigned group,
                                size_t count, uint64_t *addresses)
{
    const uint64_t entry = mv->from.indirect ? mv->from.addr : mv->to.addr;
    for (size_t i = 0; i < count; i++)
        addresses[i] = dar_address(exec, mv, entry, group % GROUPS, i);
}
