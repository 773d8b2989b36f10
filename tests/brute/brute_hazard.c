#include "tests/brute/brute_hazard.h"

#include <stdlib.h>
#include <string.h>

#define NEVER (-1000000)

/* Who wrote an address of L1BM last. */
enum { BY_MULTICAST, BY_L2BM, BY_PE, WRITERS };

struct brute_hazard {
    int64_t lm[2], bar[2];          /* step of the last write */
    int64_t grf[2][512], t[4];      /* cycle of the last write of each word, each slot */
    int64_t l1bm[WRITERS][8][8192]; /* cycle of the last write of each address of each L1BM */
    int64_t l1b_step[WRITERS][8];   /* step of the last write of each L1BM */
    int64_t l2bm_step, l2bm[32768]; /* step of the last L1BM to L2BM; of l2bm@ to each address */
    bool zero[16][4];               /* mask entries: known to be 0 in a cycle */
};

struct brute_hazard *brute_hazard_new(void)
{
    struct brute_hazard *hazard = malloc(sizeof *hazard);
    if (!hazard)
        return NULL;
    int64_t *all = &hazard->lm[0];
    for (size_t i = 0; i < offsetof(struct brute_hazard, zero) / sizeof *all; i++)
        all[i] = NEVER;
    memset(hazard->zero, 0, sizeof hazard->zero);
    return hazard;
}

void brute_hazard_free(struct brute_hazard *hazard)
{
    free(hazard);
}

void brute_hazard_set_mask(struct brute_hazard *hazard)
{
    memset(hazard->zero, 0, sizeof hazard->zero);
}

/* --- what an L1BM or L2BM expression touches -------------------------------------------------- */

static bool is_l1bm(const struct operand *operand)
{
    return operand->mem == MEM_L1BM;
}

/* PE side of L1BM: does cycle i touch address a? Table 3.8 and the pseudocode of 3.6.8.6 and on. */
static bool pe_side(const struct expr *expr, const struct operand *operand, int i, unsigned a)
{
    const unsigned first = operand->addr[0];
    const bool wide = operand->words == 4;
    unsigned rate;
    switch (expr->insn) {
    case INSN_L1BMP:
        if (a == (first + (unsigned)i) % 8192)
            return true;
        return wide && a == (first + (unsigned)i + 4) % 8192;
    case INSN_L1BMM:
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
        rate = wide ? 8 : 4;
        break;
    case INSN_L1BMM4:
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
        rate = wide ? 32 : 16;
        break;
    default:
        rate = 64;
        break;
    }
    return (a + 8192 - first) % 8192 / rate == (unsigned)i;
}

/* Long words a cycle of an L2BM expression on its L1BM and L2BM sides. */
static unsigned l1bm_rate(const struct expr *expr)
{
    return expr->insn == INSN_L2BMD || expr->insn == INSN_L2BMD_JOIN ? 8 : 16;
}

static unsigned l2bm_rate(const struct expr *expr)
{
    switch (expr->insn) {
    case INSN_L2BMB:
    case INSN_L2BM:
    case INSN_L2BMR:
        return 16;
    default:
        return 64;
    }
}

static bool up(const struct expr *expr) /* L1BM to L2BM */
{
    return expr->insn == INSN_L2BM || expr->insn == INSN_L2BMR || expr->insn == INSN_L2BMR2 ||
           expr->insn == INSN_L2BMD_JOIN;
}

static bool down(const struct expr *expr) /* L2BM to L1BM */
{
    return expr->insn == INSN_L2BMB || expr->insn == INSN_L2BMB2 || expr->insn == INSN_L2BMD;
}

static bool member(const struct expr *expr, int l1b)
{
    if (expr->insn == INSN_L2BMR2 || expr->insn == INSN_L2BMD_JOIN)
        return true;
    return expr->l1bset >> l1b & 1;
}

/* 3.6.7.9 */
static bool multicast_writes(const struct expr *expr, int l1b)
{
    for (int from = 0; from < 8; from++)
        if ((expr->l1bset >> from & 1) && from != l1b &&
            (from & expr->immode) == (l1b & expr->immode))
            return true;
    return false;
}

/* --- PE operands ------------------------------------------------------------------------------ */

/* Does the operand's mask let it write in cycle i? */
static bool writes_in(const struct brute_hazard *hazard, const struct step *step,
                      const struct operand *operand, int i)
{
    if (!(operand->flags & OPERAND_MASKED) || step->mask_entry == 0)
        return true;
    if (step->mask_entry >= 16)
        return step->mask_entry >> (3 - i) & 1;
    return !hazard->zero[step->mask_entry][i];
}

static bool lm_of(const struct operand *operand, int lm)
{
    return operand->mem == (lm ? MEM_LM1 : MEM_LM0);
}

/* Reading one operand in a step at t: are all its values there, are its ports free? */
static bool input_ready(const struct brute_hazard *hazard, const struct operand *operand, int64_t t)
{
    for (int lm = 0; lm < 2; lm++) {
        if (!lm_of(operand, lm))
            continue;
        if (t - hazard->lm[lm] < 4 * 3 || t - hazard->bar[lm] < 4 * 2)
            return false;
    }
    for (int i = 0; i < 4; i++) {
        if (operand->mem == MEM_GRF0 || operand->mem == MEM_GRF1)
            for (unsigned w = 0; w < operand->words; w++)
                if (t + i - hazard->grf[operand->mem == MEM_GRF1][(operand->addr[i] + w) % 512] < 7)
                    return false;
        if (operand->mem == MEM_T || (operand->flags & OPERAND_T))
            if (t + i - hazard->t[i] < 7)
                return false;
    }
    return true;
}

/* An output needs its base address and, T-indirect, T. */
static bool output_ready(const struct brute_hazard *hazard, const struct operand *operand,
                         int64_t t)
{
    for (int lm = 0; lm < 2; lm++)
        if (lm_of(operand, lm) && t - hazard->bar[lm] < 4 * 2)
            return false;
    if (operand->flags & OPERAND_T)
        for (int i = 0; i < 4; i++)
            if (t + i - hazard->t[i] < 7)
                return false;
    return true;
}

/* --- L1BM and L2BM ---------------------------------------------------------------------------- */

static bool l1bm_to_pe_ready(const struct brute_hazard *hazard, const struct expr *expr, int64_t t)
{
    const struct operand *operand = &expr->in[0];
    for (int l1b = 0; l1b < 8; l1b++)
        if (t - hazard->l1b_step[BY_PE][l1b] < 4 * 3) /* 3.6.3.8 */
            return false;
    for (int i = 0; i < 4; i++)
        for (unsigned a = 0; a < 8192; a++) {
            if (!pe_side(expr, operand, i, a))
                continue;
            for (int l1b = 0; l1b < 8; l1b++) {
                if (t + i - hazard->l1bm[BY_MULTICAST][l1b][a] < 11) /* 3.6.3.5 */
                    return false;
                if (t + i - hazard->l1bm[BY_L2BM][l1b][a] < 7) /* 3.6.3.6 */
                    return false;
            }
        }
    return true;
}

static bool l1bm_to_l2bm_ready(const struct brute_hazard *hazard, const struct expr *expr,
                               int64_t t)
{
    for (int l1b = 0; l1b < 8; l1b++) {
        if (!member(expr, l1b))
            continue;
        if (t - hazard->l1b_step[BY_L2BM][l1b] < 4 * 3) /* 3.6.3.3 */
            return false;
        if (t - hazard->l1b_step[BY_MULTICAST][l1b] < 4 * 4) /* 3.6.3.4 */
            return false;
        const unsigned rate = l1bm_rate(expr);
        for (int i = 0; i < 4; i++)
            for (unsigned k = 0; k < rate; k++) {
                const unsigned a = (expr->in[0].addr[0] + rate * (unsigned)i + k) % 8192;
                if (t + i - hazard->l1bm[BY_PE][l1b][a] < 11) /* 3.6.3.7 */
                    return false;
            }
    }
    return true;
}

static bool expr_legal(const struct brute_hazard *hazard, const struct expr *expr, int64_t t)
{
    for (int i = 0; i < expr->in_count; i++)
        if (!input_ready(hazard, &expr->in[i], t))
            return false;
    for (unsigned i = 0; i < expr->out_count; i++)
        if (!output_ready(hazard, expr_out(expr, i), t))
            return false;
    if (expr->group == GROUP_L1BM && expr->in_count && is_l1bm(&expr->in[0]))
        return l1bm_to_pe_ready(hazard, expr, t);
    if (expr->group != GROUP_L2BM)
        return true;
    if (down(expr) || expr->insn == INSN_L2BMDARS)
        return t - hazard->l2bm_step >= 4 * 4; /* 3.6.3.2 */
    return l1bm_to_l2bm_ready(hazard, expr, t);
}

bool brute_hazard_step_legal(const struct brute_hazard *hazard, const struct step *step, int64_t t)
{
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        if (step_expr(step, g) && !expr_legal(hazard, step_expr(step, g), t))
            return false;
    return true;
}

bool brute_hazard_mv_legal(const struct brute_hazard *hazard, const struct mv *mv, int64_t t)
{
    if (mv->from.mem != MEM_L2BM)
        return true;
    for (uint64_t i = 0; i < mv->size && i < 32768; i++)
        if (t - hazard->l2bm[(mv->from.addr + i) % 32768] < 4 * 2) /* 3.6.3.1 */
            return false;
    return true;
}

/* --- issue ------------------------------------------------------------------------------------ */

static void issue_l2bm(struct brute_hazard *hazard, const struct expr *expr, int64_t t)
{
    if (up(expr)) {
        const unsigned length = 4 * l2bm_rate(expr);
        hazard->l2bm_step = t;
        for (unsigned k = 0; k < length && expr->insn == INSN_L2BM; k++)
            hazard->l2bm[(expr_out(expr, 0)->addr[0] + k) % 32768] = t;
        return;
    }
    const bool multicast = expr->insn == INSN_L2BMI;
    if (!down(expr) && !multicast)
        return;
    const int by = multicast ? BY_MULTICAST : BY_L2BM;
    const unsigned rate = l1bm_rate(expr);
    for (int l1b = 0; l1b < 8; l1b++) {
        if (multicast ? !multicast_writes(expr, l1b) : !member(expr, l1b))
            continue;
        hazard->l1b_step[by][l1b] = t;
        for (int i = 0; i < 4; i++)
            for (unsigned k = 0; k < rate; k++)
                hazard
                    ->l1bm[by][l1b][(expr_out(expr, 0)->addr[0] + rate * (unsigned)i + k) % 8192] =
                    t + i;
    }
}

static void issue_output(struct brute_hazard *hazard, const struct step *step,
                         const struct expr *expr, const struct operand *operand, int64_t t)
{
    if (operand->mem == MEM_LM0 || operand->mem == MEM_LM1)
        hazard->lm[operand->mem == MEM_LM1] = t;
    if (operand->mem == MEM_BAR0 || operand->mem == MEM_BAR1)
        hazard->bar[operand->mem == MEM_BAR1] = t;
    for (int i = 0; i < 4; i++) {
        const bool written = writes_in(hazard, step, operand, i);
        if (operand->mem == MEM_GRF0 || operand->mem == MEM_GRF1)
            for (unsigned w = 0; w < operand->words; w++)
                /* 3.6.2: a mask of one long word does not touch the second one. */
                if (written || (!step->mask_wide && w >= 2))
                    hazard->grf[operand->mem == MEM_GRF1][(operand->addr[i] + w) % 512] = t + i;
        if (operand->mem == MEM_T && (written || !step->mask_wide))
            hazard->t[i] = t + i;
    }
    if (!is_l1bm(operand) || expr->group == GROUP_L2BM)
        return;
    for (int l1b = 0; l1b < 8; l1b++) {
        hazard->l1b_step[BY_PE][l1b] = t;
        for (int i = 0; i < 4; i++)
            for (unsigned a = 0; a < 8192; a++)
                if (pe_side(expr, operand, i, a))
                    hazard->l1bm[BY_PE][l1b][a] = t + i;
    }
}

void brute_hazard_issue(struct brute_hazard *hazard, const struct step *step, int64_t t)
{
    bool zero[16][4];
    memcpy(zero, hazard->zero, sizeof zero);
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct expr *expr = step_expr(step, g);
        if (!expr)
            continue;
        if (expr->group == GROUP_L2BM)
            issue_l2bm(hazard, expr, t);
        for (unsigned o = 0; o < expr->out_count; o++) {
            issue_output(hazard, step, expr, expr_out(expr, o), t);
            if (expr_out(expr, o)->mem == MEM_OMR) /* 3.6.2: the flag AND the mask is written */
                for (int i = 0; i < 4; i++)
                    zero[expr_out(expr, o)->addr[0] % 16][i] =
                        !writes_in(hazard, step, expr_out(expr, o), i);
        }
    }
    memcpy(hazard->zero, zero, sizeof zero);
}
