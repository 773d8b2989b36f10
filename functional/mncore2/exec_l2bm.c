/* L2BM expressions (manual 3.6.7). Data between L2BM and L1BM are computed from the old contents
 * and stored at the end of the step. All addresses wrap. */
#include <string.h>

#include "functional/mncore2/arith.h"
#include "functional/mncore2/state.h"

/* --- L2BM -> L1BM: L1B b of an L2B receives `longs` long words in every cycle --- */

static void collect_down(struct exec *e, const struct expr *expr)
{
    const size_t addr = expr->in[0].addr[0];
    const unsigned longs = expr->insn == INSN_L2BMD ? 8 : 16;
    const unsigned rate = expr->insn == INSN_L2BMB ? 16 : 64;
    for (unsigned l1b = 0; l1b < L1BS; l1b++) {
        const unsigned b = l1b % L1B_PER_L2B;
        const unsigned offset = expr->insn == INSN_L2BMB    ? 0
                                : expr->insn == INSN_L2BMB2 ? 16 * (b / 2)
                                                            : 8 * b;
        if (!(expr->l1bset >> b & 1))
            continue;
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            mncore2_state_copy_out(e->down[l1b] + cycle * longs, e->l2bm[l1b / L1B_PER_L2B],
                                   L2BM_LONGS, addr + cycle * rate + offset, longs);
    }
}

/* 3.6.7.9; bit b of the result: another L1B writes L1B b. */
static unsigned multicast_set(const struct expr *expr, unsigned source[L1B_PER_L2B])
{
    unsigned written = 0;
    for (unsigned from = 0; from < L1B_PER_L2B; from++) {
        if (!(expr->l1bset >> from & 1))
            continue;
        for (unsigned to = 0; to < L1B_PER_L2B; to++)
            if (to != from && (to & expr->immode) == (from & expr->immode)) {
                written |= 1u << to;
                source[to] = from;
            }
    }
    return written;
}

static void collect_multicast(struct exec *e, const struct expr *expr)
{
    unsigned source[L1B_PER_L2B] = {0};
    const unsigned written = multicast_set(expr, source);
    for (unsigned l1b = 0; l1b < L1BS; l1b++) {
        const unsigned b = l1b % L1B_PER_L2B;
        if (written >> b & 1)
            mncore2_state_copy_out(e->down[l1b], e->l1bm[l1b - b + source[b]], L1BM_LONGS,
                                   expr->in[0].addr[0], CYCLES * 16);
    }
}

static void store_down(struct exec *e, const struct expr *expr)
{
    unsigned source[L1B_PER_L2B];
    const unsigned written = expr->insn == INSN_L2BMI ? multicast_set(expr, source) : expr->l1bset;
    const size_t longs = CYCLES * (expr->insn == INSN_L2BMD ? 8 : 16);
    for (unsigned l1b = 0; l1b < L1BS; l1b++)
        if (written >> l1b % L1B_PER_L2B & 1)
            mncore2_state_copy_in(e->l1bm[l1b], L1BM_LONGS, expr_out(expr, 0)->addr[0],
                                  e->down[l1b], longs);
}

/* --- L1BM -> L2BM --- */

static unsigned up_rate(const struct expr *expr)
{
    return expr->insn == INSN_L2BM || expr->insn == INSN_L2BMR ? 16 : 64;
}

static void reduce(struct exec *e, const struct expr *expr, unsigned l2b)
{
    enum { LONGS = CYCLES * 16 };
    uint64_t sent[L1B_PER_L2B][LONGS], result[LONGS];
    const uint64_t *src[L1B_PER_L2B];
    const uint64_t unit = mncore2_rrn_unit(expr->rrn, expr->prec);
    for (unsigned b = 0; b < L1B_PER_L2B; b++) {
        src[b] = sent[b];
        if (expr->insn == INSN_L2BMR && !(expr->l1bset >> b & 1))
            for (unsigned i = 0; i < LONGS; i++)
                sent[b][i] = unit;
        else
            mncore2_state_copy_out(sent[b], e->l1bm[l2b * L1B_PER_L2B + b], L1BM_LONGS,
                                   expr->in[0].addr[0], LONGS);
    }
    if (expr->insn == INSN_L2BMR) {
        mncore2_rrn_stage(expr->rrn, expr->prec, L1B_PER_L2B, LONGS, src, e->out[l2b]);
        return;
    }
    for (unsigned pair = 0; pair < L1B_PER_L2B / 2; pair++) {
        mncore2_rrn_stage(expr->rrn, expr->prec, 2, LONGS, src + 2 * pair, result);
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            memcpy(e->out[l2b] + cycle * 64 + pair * 16, result + cycle * 16, 16 * sizeof *result);
    }
}

static void collect_up(struct exec *e, const struct expr *expr)
{
    const size_t addr = expr->in[0].addr[0];
    for (unsigned l2b = 0; l2b < L2BS; l2b++) {
        const uint64_t(*l1bm)[L1BM_LONGS] =
            (const uint64_t(*)[L1BM_LONGS])(e->l1bm + l2b * L1B_PER_L2B);
        switch (expr->insn) {
        case INSN_L2BM: {
            unsigned b = 0;
            while (b < L1B_PER_L2B - 1 && !(expr->l1bset >> b & 1))
                b++;
            mncore2_state_copy_out(e->out[l2b], l1bm[b], L1BM_LONGS, addr, CYCLES * 16);
            break;
        }
        case INSN_L2BMD_JOIN:
            for (unsigned cycle = 0; cycle < CYCLES; cycle++)
                for (unsigned b = 0; b < L1B_PER_L2B; b++)
                    mncore2_state_copy_out(e->out[l2b] + cycle * 64 + b * 8, l1bm[b], L1BM_LONGS,
                                           addr + cycle * 8, 8);
            break;
        default:
            reduce(e, expr, l2b);
        }
    }
}

/* --- DAR (3.6.7.10) --- */

static void store_darbuf(struct exec *e, const struct expr *expr)
{
    for (unsigned group = 0; group < GROUPS; group++)
        for (unsigned i = 0; i < DARBUF_ENTRIES / 2; i++) {
            const uint64_t data = e->out[group][i];
            e->darbuf[group][2 * i] = (uint32_t)(data >> 32);
            e->darbuf[group][2 * i + 1] = (uint32_t)data;
        }
    e->dar_write = expr_out(expr, 0)->addr[0] % DAR_ENTRIES;
    e->darbuf_read = 0;
}

/* In the step of l2bmdars, too, the first word can be transferred: its buffer is filled first. */
void mncore2_exec_l2bm_darw(struct exec *e)
{
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned group = 0; group < GROUPS; group++)
            e->dar[group][e->dar_write] = e->darbuf[group][e->darbuf_read];
        e->dar_write = (e->dar_write + 1) % DAR_ENTRIES;
        e->darbuf_read = (e->darbuf_read + 1) % DARBUF_ENTRIES;
    }
}

void mncore2_exec_l2bm_collect(struct exec *e, const struct expr *expr)
{
    switch (expr->insn) {
    case INSN_L2BMB:
    case INSN_L2BMB2:
    case INSN_L2BMD:
        collect_down(e, expr);
        break;
    case INSN_L2BMI:
        collect_multicast(e, expr);
        break;
    case INSN_L2BMDARS:
        for (unsigned group = 0; group < GROUPS; group++)
            mncore2_state_copy_out(e->out[group],
                                   e->l2bm[group * L2B_PER_GROUP + expr->in[0].l2b % 2], L2BM_LONGS,
                                   expr->in[0].addr[0], CYCLES * 64);
        break;
    default:
        collect_up(e, expr);
    }
}

void mncore2_exec_l2bm_store(struct exec *e, const struct expr *expr)
{
    switch (expr->insn) {
    case INSN_L2BMB:
    case INSN_L2BMB2:
    case INSN_L2BMD:
    case INSN_L2BMI:
        store_down(e, expr);
        break;
    case INSN_L2BMDARS:
        store_darbuf(e, expr);
        break;
    default:
        for (unsigned l2b = 0; l2b < L2BS; l2b++)
            mncore2_state_copy_in(e->l2bm[l2b], L2BM_LONGS, expr_out(expr, 0)->addr[0], e->out[l2b],
                                  CYCLES * up_rate(expr));
    }
}
