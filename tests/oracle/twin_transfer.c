/* Transfers of the twin board, one function per pseudo code of the manual: 3.6.8, 3.6.7, 3.5.8. */
#include <string.h>

#include "tests/oracle/twin.h"

/* --- 3.6.8: L1BM ------------------------------------------------------------------------------ */

/* Read the L1BM side of a cycle: n consecutive long words from addr. */
static void l1bm_get(const struct twin *board, unsigned l1b, uint32_t addr, unsigned n,
                     uint64_t *data)
{
    for (unsigned i = 0; i < n; i++)
        data[i] = board->l1bm[l1b][(addr + i) % L1BM_LONGS];
}

static void to_pe(struct twin *board, const struct expr *expr, bool turn)
{
    const bool wide = expr->in[0].words == 4;
    const uint32_t addr = expr->in[0].addr[0];
    for (unsigned l1b = 0; l1b < L1BS; l1b++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++)
            for (unsigned mab = 0; mab < 16; mab++)
                for (unsigned pe = 0; pe < 4; pe++) {
                    unsigned rate, first, second, target = mab;
                    switch (expr->insn) {
                    case INSN_L1BMP: /* 3.6.8.6, .7 */
                        rate = 1;
                        first = 0;
                        second = 4;
                        break;
                    case INSN_L1BMM: /* 3.6.8.8, .9 */
                        rate = wide ? 8 : 4;
                        first = pe;
                        second = pe + 4;
                        break;
                    case INSN_L1BMM4: /* 3.6.8.14, .15 */
                        rate = wide ? 32 : 16;
                        first = (wide ? 8 : 4) * (mab >> 2) + pe;
                        second = first + 4;
                        break;
                    default: /* 3.6.8.20 */
                        rate = 64;
                        first = mab * 4 + pe;
                        second = 0;
                        target = (mab + 16U + (unsigned)expr->mabdiff) % 16;
                        break;
                    }
                    uint64_t *out = board->result[expr->group][l1b * 64 + target * 4 + pe][cycle];
                    const uint32_t at = addr + cycle * rate;
                    if (turn) {
                        out[0] = board->lbi[l1b][cycle][first];
                        out[1] = wide ? board->lbi[l1b][cycle][second] : 0;
                    } else {
                        l1bm_get(board, l1b, at + first, 1, &out[0]);
                        out[1] = 0;
                        if (wide)
                            l1bm_get(board, l1b, at + second, 1, &out[1]);
                    }
                }
}

/* One PE's bus towards L1BM; e extends four halves to four singles (3.6.8.4). */
static void read_up(const struct twin *board, const struct expr *expr, unsigned pe, unsigned cycle,
                    bool extend, uint64_t bus[2])
{
    twin_read(board, &expr->in[0], expr->prec, pe, cycle, bus);
    if (!extend)
        return;
    const uint64_t halves = bus[0];
    bus[0] = bus[1] = 0;
    for (unsigned i = 0; i < 4; i++)
        bus[i / 2] |= oracle_place(
            oracle_convert(&oracle_half, &oracle_single, oracle_element(halves, 16, i), NULL), 32,
            i % 2);
}

/* The reduction of one PE position over n MABs. Half precision is single with e and r (4.2). */
static void reduced(const struct twin *board, const struct expr *expr, unsigned first_pe,
                    unsigned n, unsigned cycle, uint64_t out[2])
{
    const bool real = expr->rrn == RRN_FADD || expr->rrn == RRN_MAX || expr->rrn == RRN_MIN;
    const bool half = real && expr->prec == PREC_H;
    const bool extend = half || (expr->in[0].flags & OPERAND_EXTEND);
    const bool reduce = half || expr->reduce;
    uint64_t in[2][16], made[2], care;
    for (unsigned mab = 0; mab < n; mab++) {
        uint64_t bus[2];
        read_up(board, expr, first_pe + 4 * mab, cycle, extend, bus);
        in[0][mab] = bus[0];
        in[1][mab] = bus[1];
    }
    for (unsigned i = 0; i < 2; i++)
        made[i] = oracle_rrn_l1bm(expr->rrn, half ? PREC_F : expr->prec, reduce, n, in[i], &care);
    out[0] = made[0];
    out[1] = made[1];
    if (reduce) { /* 3.6.8.5: a PE's halves stay together, so that e after r is the identity */
        out[0] = made[0] << 32 | made[1];
        out[1] = 0;
    }
}

static void from_pe(struct twin *board, const struct expr *expr)
{
    const struct operand *to = expr_out(expr, 0);
    const bool wide = to->words == 4, sram = to->mem == MEM_L1BM;
    for (unsigned l1b = 0; l1b < L1BS; l1b++)
        for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
            uint64_t data[64] = {0}, turned[64];
            const unsigned pe0 = l1b * 64;
            unsigned quads = 1, rate;
            for (unsigned pe = 0; pe < 4; pe++) {
                uint64_t bus[2];
                switch (expr->insn) {
                case INSN_L1BMD_JOIN: /* 3.6.8.21 */
                    for (unsigned mab = 0; mab < 16; mab++) {
                        const unsigned there = (mab + 16U + (unsigned)expr->mabdiff) % 16;
                        twin_read(board, &expr->in[0], expr->prec, pe0 + 4 * mab + pe, cycle, bus);
                        turned[mab * 4 + pe] = bus[0];
                        data[there * 4 + pe] = bus[0];
                    }
                    continue;
                case INSN_L1BMM_AT: /* 3.6.8.10, .11 */
                case INSN_L1BMR:    /* 3.6.8.12, .13 */
                    quads = 1;
                    break;
                default: /* 3.6.8.16 to .19 */
                    quads = 4;
                    break;
                }
                for (unsigned quad = 0; quad < quads; quad++) {
                    if (expr->insn == INSN_L1BMR)
                        reduced(board, expr, pe0 + pe, 16, cycle, bus);
                    else if (expr->insn == INSN_L1BMR4)
                        reduced(board, expr, pe0 + 16 * quad + pe, 4, cycle, bus);
                    else
                        twin_read(board, &expr->in[0], expr->prec,
                                  pe0 + 16 * quad + 4U * expr->mab + pe, cycle, bus);
                    data[(wide ? 8 : 4) * quad + pe] = bus[0];
                    if (wide)
                        data[8 * quad + 4 + pe] = bus[1];
                }
            }
            if (expr->insn == INSN_L1BMD_JOIN)
                rate = 64;
            else
                rate = (wide ? 8 : 4) * quads;
            memcpy(board->lbi_next[l1b][cycle], expr->insn == INSN_L1BMD_JOIN ? turned : data,
                   sizeof data);
            if (sram)
                for (unsigned i = 0; i < rate; i++)
                    board->l1bm[l1b][(to->addr[0] + cycle * rate + i) % L1BM_LONGS] = data[i];
        }
}

void twin_l1bm(struct twin *board, const struct expr *expr, bool turn)
{
    switch (expr->insn) {
    case INSN_L1BMP:
    case INSN_L1BMM:
    case INSN_L1BMM4:
    case INSN_L1BMD:
        to_pe(board, expr, turn);
        break;
    default:
        from_pe(board, expr);
        break;
    }
}

/* --- 3.6.7: L2BM ------------------------------------------------------------------------------ */

static uint64_t *l1(struct twin *board, unsigned l2b, unsigned l1b, uint32_t addr)
{
    return &board->l1bm[8 * l2b + l1b][addr % L1BM_LONGS];
}

static uint64_t *l2(struct twin *board, unsigned l2b, uint32_t addr)
{
    return &board->l2bm[l2b][addr % L2BM_LONGS];
}

static void one_l2b(struct twin *board, const struct expr *expr, unsigned l2b, uint32_t cycle)
{
    const uint32_t from = expr->in[0].addr[0], to = expr_out(expr, 0)->addr[0];
    uint64_t in[8];
    for (unsigned b = 0; b < 8; b++) {
        const bool in_set = expr->l1bset >> b & 1;
        switch (expr->insn) {
        case INSN_L2BMB: /* 3.6.7.2 */
            for (unsigned i = 0; i < 16 && in_set; i++)
                *l1(board, l2b, b, to + cycle * 16 + i) = *l2(board, l2b, from + cycle * 16 + i);
            break;
        case INSN_L2BMB2: /* 3.6.7.3 */
            for (unsigned i = 0; i < 16 && in_set; i++)
                *l1(board, l2b, b, to + cycle * 16 + i) =
                    *l2(board, l2b, from + cycle * 64 + 16 * (b / 2) + i);
            break;
        case INSN_L2BMD: /* 3.6.7.4 */
            for (unsigned i = 0; i < 8 && in_set; i++)
                *l1(board, l2b, b, to + cycle * 8 + i) =
                    *l2(board, l2b, from + cycle * 64 + 8 * b + i);
            break;
        case INSN_L2BM: /* 3.6.7.5 */
            for (unsigned i = 0; i < 16 && in_set; i++)
                *l2(board, l2b, to + cycle * 16 + i) = *l1(board, l2b, b, from + cycle * 16 + i);
            break;
        case INSN_L2BMD_JOIN: /* 3.6.7.8 */
            for (unsigned i = 0; i < 8; i++)
                *l2(board, l2b, to + cycle * 64 + 8 * b + i) =
                    *l1(board, l2b, b, from + cycle * 8 + i);
            break;
        default:
            break;
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        if (expr->insn == INSN_L2BMR) { /* 3.6.7.6: the others contribute the identity element */
            for (unsigned b = 0; b < 8; b++)
                in[b] = expr->l1bset >> b & 1 ? *l1(board, l2b, b, from + cycle * 16 + i)
                                              : oracle_rrn_unit(expr->rrn, expr->prec);
            *l2(board, l2b, to + cycle * 16 + i) = oracle_rrn_stage(expr->rrn, expr->prec, 8, in);
        } else if (expr->insn == INSN_L2BMR2) { /* 3.6.7.7 */
            for (unsigned pair = 0; pair < 4; pair++) {
                in[0] = *l1(board, l2b, 2 * pair, from + cycle * 16 + i);
                in[1] = *l1(board, l2b, 2 * pair + 1, from + cycle * 16 + i);
                *l2(board, l2b, to + cycle * 64 + 16 * pair + i) =
                    oracle_rrn_stage(expr->rrn, expr->prec, 2, in);
            }
        }
    }
}

/* 3.6.7.9; all four cycles are read before any is written. */
static void multicast(struct twin *board, const struct expr *expr, unsigned l2b)
{
    const uint32_t from = expr->in[0].addr[0], to = expr_out(expr, 0)->addr[0];
    uint64_t data[8][64];
    for (unsigned b = 0; b < 8; b++)
        for (unsigned i = 0; i < 64; i++)
            data[b][i] = *l1(board, l2b, b, from + i);
    for (unsigned b = 0; b < 8; b++)
        for (unsigned d = 0; d < 8; d++)
            if ((expr->l1bset >> b & 1) && d != b && (d & expr->immode) == (b & expr->immode))
                for (unsigned i = 0; i < 64; i++)
                    *l1(board, l2b, d, to + i) = data[b][i];
}

void twin_l2bm(struct twin *board, const struct expr *expr)
{
    if (expr->insn == INSN_L2BMDARS) { /* 3.6.7.10 */
        const uint32_t from = expr->in[0].addr[0];
        board->darw = expr_out(expr, 0)->addr[0];
        board->darbuf_read = 0;
        for (unsigned group = 0; group < GROUPS; group++)
            for (uint32_t i = 0; i < 256; i++) {
                const uint64_t word = *l2(board, 2 * group + expr->in[0].l2b, from + i);
                board->darbuf[group][2 * i] = (uint32_t)(word >> 32);
                board->darbuf[group][2 * i + 1] = (uint32_t)word;
            }
        return;
    }
    for (unsigned l2b = 0; l2b < L2BS; l2b++) {
        if (expr->insn == INSN_L2BMI)
            multicast(board, expr, l2b);
        else
            for (uint32_t cycle = 0; cycle < CYCLES; cycle++)
                one_l2b(board, expr, l2b, cycle);
    }
}

void twin_darw(struct twin *board)
{
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned group = 0; group < GROUPS; group++)
            board->dar[group][board->darw] = board->darbuf[group][board->darbuf_read];
        board->darw = (board->darw + 1) % DAR_ENTRIES;
        board->darbuf_read = (board->darbuf_read + 1) % DARBUF_ENTRIES;
    }
}

/* --- 3.5.8: MV -------------------------------------------------------------------------------- */

/* Long word `offset` of an operand in one memory; DRAM may go through DAR (3.5.6). */
static uint64_t *mv_at(struct twin *board, const struct mv *mv, const struct mv_operand *operand,
                       unsigned group, unsigned l2b, uint64_t offset)
{
    const uint64_t at = operand->addr + offset;
    if (operand->mem == MEM_PDM)
        return &board->pdm[group][at % PDM_LONGS];
    if (operand->mem == MEM_L2BM)
        return &board->l2bm[2 * group + l2b][at % L2BM_LONGS];
    if (!operand->indirect)
        return &board->dram[group][at % DRAM_LONGS];
    const uint64_t i = offset / 16, n = mv->nd;
    const uint64_t entry = n ? operand->addr + i / n : operand->addr;
    const uint64_t unit = board->dar[group][entry % DAR_ENTRIES] + (n ? i % n : i);
    return &board->dram[group][(16 * unit + offset % 16) % DRAM_LONGS];
}

void twin_mv(struct twin *board, const struct mv *mv)
{
    const struct mv_operand *from = &mv->from, *to = &mv->to;
#define FROM(g, c, o) mv_at(board, mv, from, (unsigned)(g), (unsigned)(c), o)
#define TO(g, c, o)   mv_at(board, mv, to, (unsigned)(g), (unsigned)(c), o)
    const uint64_t units = mv->size / 64;
    uint64_t in[8];
    for (uint64_t u = 0; u < units; u++)
        for (uint64_t i = 0; i < 64; i++) {
            const uint64_t o = 64 * u + i; /* the plain modes */
            switch (mv->mode) {
            case MV_P_D:
            case MV_D_P:
            case MV_P_C:
            case MV_C_P:
            case MV_D_C:
            case MV_C_D:
            case MV_P_P:
                *TO(to->group, to->l2b, o) = *FROM(from->group, from->l2b, o);
                break;
            case MV_P_C_PAR:
            case MV_C_P_PAR:
            case MV_D_C_PAR:
            case MV_C_D_PAR:
                for (unsigned g = 0; g < GROUPS; g++)
                    *TO(g, to->l2b, o) = *FROM(g, from->l2b, o);
                break;
            case MV_D_C_B2:
                for (unsigned g = 0; g < GROUPS; g++)
                    *TO(g, 0, o) = *TO(g, 1, o) = *FROM(g, 0, o);
                break;
            case MV_C_D_R2:
            case MV_C_P_R2:
                for (unsigned g = 0; g < GROUPS; g++) {
                    if (mv->mode == MV_C_P_R2 && g != (unsigned)to->group)
                        continue;
                    in[0] = *FROM(g, 0, o);
                    in[1] = *FROM(g, 1, o);
                    *TO(g, 0, o) = oracle_rrn_stage(mv->rrn, mv->prec, 2, in);
                }
                break;
            case MV_D_C_B4: /* 16 of each group's 32, the halves to L2B 0 and 1 */
                for (unsigned c = 0; c < 2; c++)
                    for (unsigned g = 0; g < GROUPS; g++)
                        *TO(g, c, o) = *FROM(i / 16, 0, 32 * u + 16 * c + i % 16);
                break;
            case MV_C_D_R4:
                for (unsigned c = 0; c < 2; c++) {
                    for (unsigned g = 0; g < GROUPS; g++)
                        in[g] = *FROM(g, c, o);
                    *TO(i / 16, 0, 32 * u + 16 * c + i % 16) =
                        oracle_rrn_stage(mv->rrn, mv->prec, 4, in);
                }
                break;
            case MV_P_C_B:
                for (unsigned b = 0; b < L2BS; b++)
                    *TO(b / 2, b % 2, o) = *FROM(from->group, 0, o);
                break;
            case MV_C_P_R:
            /* 4.2.1: two stages, first two in a group, then four over the groups */
            case MV_C_D_R: {
                uint64_t stage[4];
                for (unsigned g = 0; g < GROUPS; g++) {
                    in[0] = *FROM(g, 0, o);
                    in[1] = *FROM(g, 1, o);
                    stage[g] = oracle_rrn_stage(mv->rrn, mv->prec, 2, in);
                }
                const uint64_t all = oracle_rrn_stage(mv->rrn, mv->prec, 4, stage);
                if (mv->mode == MV_C_P_R)
                    *TO(to->group, 0, o) = all;
                else
                    *TO(i / 16, 0, 16 * u + i % 16) = all;
                break;
            }
            case MV_D_C_B:
                for (unsigned b = 0; b < L2BS; b++)
                    *TO(b / 2, b % 2, o) = *FROM(i / 16, 0, 16 * u + i % 16);
                break;
            case MV_P_C_DIST: /* 16 long words to each L2B in turn */
                for (unsigned b = 0; b < L2BS; b++)
                    *TO(b / 2, b % 2, o) =
                        *FROM(from->group, 0, 512 * u + (i / 16 * 8 + b) * 16 + i % 16);
                break;
            case MV_C_P_JOIN:
                for (unsigned b = 0; b < L2BS; b++)
                    *TO(to->group, 0, 512 * u + (i / 16 * 8 + b) * 16 + i % 16) =
                        *FROM(b / 2, b % 2, o);
                break;
            case MV_P_D_DIST:
                *TO(i / 16, 0, 16 * u + i % 16) = *FROM(from->group, 0, o);
                break;
            default: /* MV_D_P_JOIN */
                *TO(to->group, 0, o) = *FROM(i / 16, 0, 16 * u + i % 16);
                break;
            }
        }
#undef FROM
#undef TO
}
