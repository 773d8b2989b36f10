/* L1BM and L2BM expressions: 3.6.8, 3.6.7. */
#include "tests/gen_model.h"

#include <stdio.h>
#include <string.h>

/* Kinds of table 3.8: equal rates on both sides make a kind; turn-backs stay in it (3.6.8.2). */
enum kind { KIND_P1, KIND_P2, KIND_M1, KIND_M2, KIND_M41, KIND_M42, KIND_D, KINDS };

static const struct {
    const char *name;
    uint32_t rate; /* L1BM side, long words a cycle; also the alignment */
    bool wide;     /* two long words on the PE side */
} kinds[KINDS] = {
    {"l1bmp", 1, false},   {"l1bmp", 2, true},   {"l1bmm", 4, false},  {"l1bmm", 8, true},
    {"l1bmm4", 16, false}, {"l1bmm4", 32, true}, {"l1bmd", 64, false},
};

static uint32_t l1_address(struct gen *gen, uint32_t align)
{
    if (gen_chance(gen, 20)) /* the end: wraps around */
        return L1BM_LONGS - align * (1 + gen_below(gen, 3));
    return align * gen_below(gen, align >= 64 ? 8 : 512 / align);
}

static const char *reduction(struct gen *gen, bool wide)
{
    static const char *const narrow[] = {"dfadd", "ffadd", "dmax",  "fmax",  "dmin",  "fmin",
                                         "liadd", "iiadd", "siadd", "lband", "iband", "sband",
                                         "land",  "iand",  "sand",  "lbor",  "ibor",  "sbor",
                                         "lor",   "ior",   "sor",   "hfadd", "hmax",  "hmin"};
    static const char *const two[] = {"ffadd", "fmax", "fmin", "lbor", "ibor", "sbor"};
    return wide ? two[gen_below(gen, 6)] : narrow[gen_below(gen, 24)];
}

static void plan_down(struct gen *gen, struct plan *plan, bool turn)
{
    const unsigned kind = turn ? (unsigned)gen->lbi_kind : gen_below(gen, KINDS);
    const bool wide = kinds[kind].wide;
    char *expr = plan->expr[plan->count++];
    gen_append(expr, "%s", kinds[kind].name);
    int mabdiff = 0;
    if (kind == KIND_D) {
        mabdiff = turn ? gen->lbi_mabdiff : gen_chance(gen, 2) ? 0 : (int)gen_below(gen, 31) - 15;
        if (mabdiff || (!turn && gen_chance(gen, 4)))
            gen_append(expr, "%+d", mabdiff);
        else
            gen_plan_flush(gen, plan, expr);
    } else {
        gen_plan_flush(gen, plan, expr);
    }
    if (turn) {
        plan->turn = true;
        gen_append(expr, " $%sbi", wide ? "ll" : "l");
    } else {
        plan->l1_read.on = true;
        plan->l1_read.rate = kinds[kind].rate;
        plan->l1_read.paired = kind == KIND_P2;
        plan->l1_read.start = kind == KIND_P2 ? 64 * gen_below(gen, 8) + gen_below(gen, 57)
                                              : l1_address(gen, kinds[kind].rate);
        gen_append(expr, " $%sb%u", wide ? "ll" : "l", plan->l1_read.start);
    }
    plan->lbf = true;
    /* 3.6.8.3: two long words go to two long words only; a base address register is shorter. */
    gen_plan_outputs(gen, plan, expr, wide || gen_chance(gen, 6) ? 4 : 2,
                     wide ? OUTPUT_EXACT : OUTPUT_BAR);
}

static void plan_up(struct gen *gen, struct plan *plan)
{
    const unsigned kind = KIND_M1 + gen_below(gen, KINDS - KIND_M1);
    const bool wide = kinds[kind].wide, four = kind == KIND_M41 || kind == KIND_M42;
    char *expr = plan->expr[plan->count++], source[1024] = "";
    int mabdiff = 0;
    if (kind == KIND_D) {
        mabdiff = gen_chance(gen, 2) ? 0 : (int)gen_below(gen, 31) - 15;
        gen_append(expr, "l1bmd");
        if (mabdiff || gen_chance(gen, 8))
            gen_append(expr, "%+d", mabdiff);
        gen_plan_input(gen, plan, source, 2, INPUT_FORWARD, "");
    } else if (gen_chance(gen, 2)) {
        gen_append(expr, "%s@%u", kinds[kind].name, gen_below(gen, four ? 4 : 16));
        gen_plan_input(gen, plan, source, wide ? 4 : 2, INPUT_FORWARD | (wide ? INPUT_PLAIN : 0),
                       "");
    } else {
        const char *op = reduction(gen, wide);
        const bool single = op[0] == 'f';
        gen_append(expr, "l1bmr%s%s", four ? "4" : "", op);
        if (single && gen_chance(gen, 3)) {
            /* 3.6.8.4, .5: e into two long words; r into one, from two or from one with e */
            const bool extends = wide || gen_chance(gen, 2);
            if (!wide)
                gen_append(expr, "r");
            if (!extends || !gen_plan_input(gen, plan, source, 2, INPUT_PLAIN, "e")) {
                if (wide || !extends)
                    gen_plan_input(gen, plan, source, 4, INPUT_FORWARD | INPUT_PLAIN, "");
                else
                    gen_plan_input(gen, plan, source, 4, INPUT_PLAIN, "");
            }
        } else {
            gen_plan_input(gen, plan, source, wide ? 4 : 2, INPUT_FORWARD | INPUT_PLAIN, "");
        }
    }
    gen_append(expr, "%s", source);
    plan->from_pe = true;
    plan->kind = (int)kind;
    plan->mabdiff = mabdiff;
    if (gen_chance(gen, 4)) {
        gen_append(expr, " $%sbi", wide ? "ll" : "l");
        return;
    }
    plan->l1_write.on = true;
    plan->l1_write.rate = kinds[kind].rate;
    plan->l1_write.start = l1_address(gen, kinds[kind].rate);
    gen_append(expr, " $%sb%u", wide ? "ll" : "l", plan->l1_write.start);
}

void gen_plan_l1bm(struct gen *gen, struct plan *plan)
{
    const bool turn = gen->lbi_kind >= 0 && !gen_chance(gen, 4);
    if (turn)
        plan_down(gen, plan, true);
    if (turn ? gen_chance(gen, 2) : gen_chance(gen, 2))
        plan_up(gen, plan);
    else if (!turn)
        plan_down(gen, plan, false);
}

/* An L1B set (3.6.7.1) as text behind @, and as bits. all_but_seven: l2bmi's immode is never 7. */
static uint8_t l1b_set(struct gen *gen, char *text, size_t size, bool all_but_seven,
                       unsigned *immode)
{
    const unsigned mode = gen_below(gen, all_but_seven ? 7 : 8), first = gen_below(gen, 8);
    uint8_t set = 0;
    for (unsigned b = 0; b < 8; b++)
        if ((b & ~mode & 7U) == (first & ~mode & 7U))
            set |= (uint8_t)(1U << b);
    *immode = mode;
    if (mode == 0 && gen_chance(gen, 2)) {
        snprintf(text, size, "@%u", first);
    } else if (gen_chance(gen, 2)) {
        snprintf(text, size, "@%u/%u", first, mode);
    } else {
        size_t used = (size_t)snprintf(text, size, "@[");
        const char *separator = "";
        for (unsigned b = 0; b < 8; b++)
            if (set >> b & 1) {
                used += (size_t)snprintf(text + used, size - used, "%s%u", separator, b);
                separator = ",";
            }
        snprintf(text + used, size - used, "]");
    }
    return set;
}

static bool spans_meet(const struct span *a, const struct span *b)
{
    if (!a->on || !b->on)
        return false;
    const uint32_t a_length = a->paired ? 8 : 4 * a->rate, b_length = b->paired ? 8 : 4 * b->rate;
    return (b->start + L1BM_LONGS - a->start) % L1BM_LONGS < a_length ||
           (a->start + L1BM_LONGS - b->start) % L1BM_LONGS < b_length;
}

static const char *any_reduction(struct gen *gen)
{
    return reduction(gen, false);
}

void gen_plan_l2bm(struct gen *gen, struct plan *plan)
{
    static const char *const down[] = {"l2bmb", "l2bmb2", "l2bmd"};
    static const uint32_t down_c[] = {16, 64, 64}, down_b[] = {16, 16, 8};
    struct plan trial = *plan;
    char *expr = trial.expr[trial.count++], set[32] = "";
    unsigned immode = 0;
    const unsigned choice = gen_below(gen, 10);
    uint32_t c_rate, b_rate;
    trial.l1b_read = trial.l1b_written = 0xff;
    trial.l2b_l1.on = true;
    if (choice < 4) {
        const unsigned which = gen_below(gen, 3);
        c_rate = down_c[which];
        b_rate = down_b[which];
        trial.l2b = L2B_DOWN;
        if (gen_chance(gen, 2))
            trial.l1b_written = l1b_set(gen, set, sizeof set, false, &immode);
        gen_append(expr, "%s%s", down[which], set);
    } else if (choice < 8) {
        trial.l2b = L2B_UP;
        c_rate = b_rate = 16;
        switch (gen_below(gen, 4)) {
        case 0: {
            const unsigned l1b = gen_below(gen, 8);
            trial.single = true;
            gen_append(expr, "l2bm@%u", l1b);
            trial.l1b_read = (uint8_t)(1U << l1b);
            break;
        }
        case 1:
            if (gen_chance(gen, 2))
                trial.l1b_read = l1b_set(gen, set, sizeof set, false, &immode);
            gen_append(expr, "l2bmr%s%s", any_reduction(gen), set);
            break;
        case 2:
            c_rate = 64;
            gen_append(expr, "l2bmr2%s", any_reduction(gen));
            break;
        default:
            c_rate = 64;
            b_rate = 8;
            gen_append(expr, "l2bmd");
            break;
        }
    } else if (choice == 8 || !gen_has(gen, GEN_DAR)) {
        trial.l2b = L2B_MULTI;
        c_rate = b_rate = 16;
        trial.l1b_read = l1b_set(gen, set, sizeof set, true, &immode);
        trial.l1b_written = 0;
        for (unsigned from = 0; from < 8; from++)
            for (unsigned to = 0; to < 8; to++)
                if ((trial.l1b_read >> from & 1) && to != from && (to & immode) == (from & immode))
                    trial.l1b_written |= (uint8_t)(1U << to);
        gen_append(expr, "l2bmi%s", set);
    } else {
        trial.l2b = L2B_DARS;
        c_rate = 64;
        b_rate = 0;
        trial.l2b_l1.on = false;
        gen_append(expr, "l2bmdars");
    }
    trial.l2b_l1.rate = b_rate;
    trial.c_length = trial.l2b == L2B_MULTI ? 0 : 4 * c_rate;
    trial.c_start = c_rate * gen_below(gen, 1024 / c_rate);
    if (gen_chance(gen, 20))
        trial.c_start = L2BM_LONGS - c_rate * (1 + gen_below(gen, 3));
    if (trial.l2b == L2B_DARS && !gen_chance(gen, 6))
        trial.c_start = GEN_DAR_SOURCE;
    trial.c_set = 0xff;
    if (b_rate)
        trial.l2b_l1.start = l1_address(gen, b_rate);
    switch (trial.l2b) {
    case L2B_DOWN:
        gen_append(expr, " $lc%u $lb%u", trial.c_start, trial.l2b_l1.start);
        break;
    case L2B_UP:
        gen_append(expr, " $lb%u $lc%u", trial.l2b_l1.start, trial.c_start);
        break;
    case L2B_MULTI:
        trial.l2b_l1_to = trial.l2b_l1;
        trial.l2b_l1_to.start = l1_address(gen, b_rate);
        gen_append(expr, " $lb%u $lb%u", trial.l2b_l1.start, trial.l2b_l1_to.start);
        break;
    default: {
        const unsigned l2b = gen_below(gen, 2);
        trial.c_set = l2b ? 0xaa : 0x55;
        gen_append(expr, " $lc%u@.%u $dar%u", trial.c_start, l2b, gen_dar_entry(gen));
        break;
    }
    }
    /* Both sides of L1BM in one step: different addresses, so that no order matters. */
    if (spans_meet(&trial.l2b_l1, &trial.l1_read) || spans_meet(&trial.l2b_l1, &trial.l1_write) ||
        spans_meet(&trial.l2b_l1_to, &trial.l1_read) ||
        spans_meet(&trial.l2b_l1_to, &trial.l1_write))
        return;
    *plan = trial;
}
