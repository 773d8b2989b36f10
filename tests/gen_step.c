/* A random PE step: which expressions stand together (3.6.4), and the ALU, MAU and matrix ones. */
#include "tests/gen_model.h"

#include <stdio.h>
#include <string.h>

enum types {
    TYPES_NONE,
    TYPES_INT,
    TYPES_FLOAT,
    TYPES_BOTH,
    TYPES_BFE,
    TYPES_BFN,
    TYPES_RRN,
    TYPES_DFGH,
    TYPES_DFH
};

struct row {
    const char *mnemonic;
    uint8_t group, types, inputs, wide, uns;
};

static const struct row rows[INSN_COUNT] = {
#define INSN(id, mnemonic, group, types, inputs, wide, uns, section, sentence)                     \
    {mnemonic, GROUP_##group, TYPES_##types, inputs, wide, uns},
#include "functional/mncore2/insn.def"
};

static const char letters[] = {0, 'd', 'f', 'g', 'h', 'l', 'i', 's'};

static uint8_t pick(struct gen *gen, const uint8_t *precs, unsigned count)
{
    return precs[gen_below(gen, count)];
}

static void immediate(struct gen *gen, char *expr)
{
    static const char *const reals[] = {"1.0",  "-1.0",   "0.5",     "-2.75", "1e-3",
                                        "1024", "-3.5e4", "8388608", "0",     "1.0e-8"};
    switch (gen_below(gen, 6)) {
    case 0:
        gen_append(expr, " f\"%s\"", reals[gen_below(gen, 10)]);
        break;
    case 1:
        gen_append(expr, " h\"%s\"", reals[gen_below(gen, 10)]);
        break;
    case 2:
        gen_append(expr, " i\"%d\"", (int)(int32_t)fill_integer(&gen->fill, 32));
        break;
    case 3:
        gen_append(expr, " s\"%d\"", (int)(int16_t)fill_integer(&gen->fill, 16));
        break;
    case 4:
        gen_append(expr, " ui\"0x%x\"", (unsigned)fill_integer(&gen->fill, 32));
        break;
    default:
        gen_append(expr, " us\"%u\"", (unsigned)fill_integer(&gen->fill, 16));
        break;
    }
}

/* block: a conversion of that precision, or 0 for anything. */
static void plan_alu(struct gen *gen, struct plan *plan, uint8_t wanted)
{
    static const uint8_t ints[] = {PREC_L, PREC_I, PREC_S}, floats[] = {PREC_D, PREC_F, PREC_H};
    static const uint8_t bfn[] = {PREC_D, PREC_F, PREC_G, PREC_H};
    char *expr = plan->expr[plan->count++];
    unsigned insn = INSN_ZERO + gen_below(gen, INSN_COUNT - INSN_ZERO);
    if (wanted || (gen_has(gen, GEN_MATRIX) && gen_chance(gen, 4)))
        insn = gen_chance(gen, 4) && (!wanted || wanted == PREC_H) ? INSN_BFE : INSN_BFN;
    const bool lm0 = plan->reads[PE_M] || plan->writes[PE_M] || plan->bar[PE_M];
    if (insn == INSN_IMM && lm0)
        insn = INSN_PASSA;
    const struct row *row = &rows[insn];
    uint8_t prec = PREC_NONE;
    switch (row->types) {
    case TYPES_INT:
        prec = pick(gen, ints, 3);
        break;
    case TYPES_FLOAT:
        prec = pick(gen, floats, 3);
        break;
    case TYPES_BOTH:
        prec = gen_chance(gen, 2) ? pick(gen, ints, 3) : pick(gen, floats, 3);
        break;
    case TYPES_BFN:
        prec = wanted ? wanted : pick(gen, bfn, 4);
        break;
    case TYPES_BFE:
        prec = PREC_H;
        break;
    default:
        break;
    }
    const bool whole = prec >= PREC_L;
    if (insn != INSN_IMM && row->uns && (row->uns == 1 || whole) && gen_chance(gen, 2))
        gen_append(expr, "u");
    if (prec)
        gen_append(expr, "%c", letters[prec]);
    gen_append(expr, "%s", row->mnemonic);
    plan->alu = true;
    if (insn == INSN_IMM) {
        plan->imm = true;
        if (gen_chance(gen, 4))
            gen_append(expr, "u");
        gen_plan_flush(gen, plan, expr);
        immediate(gen, expr);
        gen_plan_outputs(gen, plan, expr, 4, OUTPUT_OMR | OUTPUT_BAR);
        return;
    }
    const bool block = insn == INSN_BFN || insn == INSN_BFE;
    if (block) {
        plan->alu_block = prec;
        if (prec == PREC_H)
            gen_append(expr, "/%u", 6 + gen_below(gen, 4));
    } else {
        gen_plan_flush(gen, plan, expr);
    }
    const bool wide = row->wide && (!block || prec == PREC_H);
    const unsigned words = wide && !gen_chance(gen, 4) ? 4 : 2;
    for (unsigned i = 0; i < row->inputs; i++) {
        /* 3.6.12.19: r where half values are expected */
        const bool reduces = (prec == PREC_H || prec == PREC_S) && gen_chance(gen, 6);
        const unsigned how =
            INPUT_FORWARD | (i == 0 && !block ? INPUT_FIRST : 0) | (block ? INPUT_PLAIN : 0);
        if (!reduces ||
            !gen_plan_input(gen, plan, expr, 4,
                            how & ~(unsigned)INPUT_FORWARD & ~(unsigned)INPUT_FIRST, "r"))
            gen_plan_input(gen, plan, expr, words, how, "");
    }
    bool before[PE_MEMS];
    memcpy(before, plan->writes, sizeof before);
    gen_plan_outputs(gen, plan, expr, wide ? 4 : 2, OUTPUT_OMR | OUTPUT_BAR);
    for (unsigned mem = 0; mem < PE_MEMS; mem++)
        plan->blocks[mem] = block && plan->writes[mem] && !before[mem];
}

/* Long words of an operand of the vector unit in words; e halves it, r doubles it. */
static void addend(struct gen *gen, struct plan *plan, char *expr, uint8_t prec, unsigned how)
{
    const unsigned words = prec == PREC_H ? 4 : 2;
    if (!gen_chance(gen, 4) || !gen_plan_input(gen, plan, expr, words / 2, how, "e"))
        gen_plan_input(gen, plan, expr, words, how | INPUT_FORWARD, "");
}

static void factor(struct gen *gen, struct plan *plan, char *expr, uint8_t prec, unsigned how,
                   unsigned forward)
{
    if (prec == PREC_H) {
        if (!gen_chance(gen, 5) || !gen_plan_input(gen, plan, expr, 4, how, "r"))
            gen_plan_input(gen, plan, expr, 2, how | forward, "");
    } else {
        if (!gen_chance(gen, 4) || !gen_plan_input(gen, plan, expr, 1, how, "e"))
            gen_plan_input(gen, plan, expr, 2, how | forward, "");
    }
}

static void mau_outputs(struct gen *gen, struct plan *plan, char *expr, uint8_t prec, bool reduce)
{
    const unsigned words = prec == PREC_H ? 4 : 2;
    plan->mau = true;
    gen_plan_outputs(gen, plan, expr, reduce ? words / 2 : words, OUTPUT_OMR | OUTPUT_BAR);
}

/* second gets the text of the second input when mwrite must share it; sums: vadd or vpassa only. */
static void plan_vector(struct gen *gen, struct plan *plan, uint8_t prec, char *second, bool sums)
{
    static const uint8_t insns[] = {INSN_VFMA, INSN_VMUL, INSN_VADD, INSN_VPASSA};
    char *expr = plan->expr[plan->count++];
    const unsigned insn = insns[sums ? 2 + gen_below(gen, 2) : gen_below(gen, 4)];
    const bool reduce = prec != PREC_F && gen_chance(gen, 4);
    const bool product = insn == INSN_VFMA || insn == INSN_VMUL;
    gen_append(expr, "%c%s%s%s", letters[prec], rows[insn].mnemonic,
               prec == PREC_D && product ? gen_chance(gen, 2) ? "u" : "d" : "", reduce ? "r" : "");
    gen_plan_flush(gen, plan, expr);
    factor(gen, plan, expr, prec, INPUT_NEGATE, INPUT_FORWARD);
    if (product) {
        const size_t before = strlen(expr);
        const bool shared = second != NULL;
        factor(gen, plan, expr, prec, INPUT_NEGATE | (shared ? INPUT_PLAIN : 0),
               shared && prec == PREC_H ? 0 : INPUT_FORWARD);
        if (shared)
            snprintf(second, 80, "%s", expr + before);
    }
    if (insn == INSN_VFMA || insn == INSN_VADD)
        addend(gen, plan, expr, prec, INPUT_NEGATE);
    mau_outputs(gen, plan, expr, prec, reduce);
}

static bool plan_product(struct gen *gen, struct plan *plan, uint8_t prec, unsigned plane)
{
    static const uint16_t needed[] = {0, 0x1111, 0x5555, 0x5555, 0xffff};
    if (plan->plane[plane] || (gen->rows[plane][prec] & needed[prec]) != needed[prec])
        return false;
    char *expr = plan->expr[plan->count];
    const bool fma = gen_chance(gen, 2);
    const bool reduce = (prec == PREC_D || prec == PREC_H) && gen_chance(gen, 4);
    gen_append(expr, "%c%s%s%s", letters[prec], fma ? "mfma" : "mmul",
               prec == PREC_D ? gen_chance(gen, 2) ? "u" : "d" : "", reduce ? "r" : "");
    gen_plan_flush(gen, plan, expr);
    gen_append(expr, " $l%c", plane ? 'y' : 'x');
    if (!gen_plan_block_input(gen, plan, expr, prec, true)) {
        memset(expr, 0, sizeof plan->expr[0]);
        return false;
    }
    plan->count++;
    plan->plane[plane] = true;
    if (fma)
        addend(gen, plan, expr, prec, INPUT_NEGATE);
    mau_outputs(gen, plan, expr, prec, reduce);
    return true;
}

static unsigned free_plane(struct gen *gen, const struct plan *plan)
{
    return plan->plane[0] ? 1 : plan->plane[1] ? 0 : gen_below(gen, 2);
}

/* Is the operand, behind its blank and sign, T? */
static bool is_t(const char *source)
{
    const char *name = source + (source[1] == '-' ? 2 : 1);
    return !strcmp(name, "$t") || !strcmp(name, "$lt") || !strcmp(name, "$llt");
}

static void plan_mwrite(struct gen *gen, struct plan *plan, uint8_t prec, const char *shared)
{
    const unsigned plane = gen->script ? 1U - gen->script_plane : free_plane(gen, plan);
    if (plan->plane[plane])
        return;
    char *expr = plan->expr[plan->count++];
    char source[1024] = "";
    bool wide = false; /* h: two rows a cycle */
    gen_append(expr, "%cmwrite", letters[prec]);
    plan->rows_block = 0;
    if (shared && *shared) {
        snprintf(source, sizeof source, "%s", shared);
        wide = prec == PREC_H && is_t(source);
    } else if (gen->forward[1] && gen->aluf_block == prec && !gen_chance(gen, 4)) {
        gen_append(source, " %s$aluf", gen_chance(gen, 4) ? "-" : "");
        plan->rows_block = prec;
        wide = prec == PREC_H;
    } else if (prec == PREC_H) {
        wide = gen_chance(gen, 2);
        if (wide || !gen_chance(gen, 3) ||
            !gen_plan_input(gen, plan, source, 4, INPUT_NEGATE | INPUT_PLAIN, "r")) {
            if (!gen_plan_input(gen, plan, source, wide ? 4 : 2, INPUT_NEGATE | INPUT_PLAIN, ""))
                gen_append(source, " $t");
            /* T is always two long words */
            wide |= is_t(source);
        }
    } else if (!gen_chance(gen, 4) || !gen_plan_input(gen, plan, source, 1, INPUT_NEGATE, "e")) {
        gen_plan_input(gen, plan, source, prec != PREC_D && gen_chance(gen, 4) ? 1 : 2,
                       INPUT_NEGATE | INPUT_FORWARD | INPUT_PLAIN, "");
    }
    const unsigned count = prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
    const unsigned row = wide ? 2 * gen_below(gen, count / 2) : gen_below(gen, count);
    gen_append(expr, "%s $%s%c%u", source, wide ? "ll" : "l", plane ? 'y' : 'x', row);
    plan->plane[plane] = true;
    plan->writes_rows = true;
    plan->rows_plane = (uint8_t)plane;
    for (unsigned i = 0; i < (wide ? 8U : 4U); i++)
        plan->rows |= (uint16_t)(1U << (row + i) % count * (16 / count));
}

static void plan_mread(struct gen *gen, struct plan *plan, uint8_t prec)
{
    const unsigned plane = free_plane(gen, plan);
    const unsigned count = prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
    char *expr = plan->expr[plan->count++];
    gen_append(expr, "%cmread", letters[prec]);
    gen_plan_flush(gen, plan, expr);
    gen_append(expr, " $%s%c%u", prec == PREC_H ? "ll" : "l", plane ? 'y' : 'x',
               prec == PREC_H ? 2 * gen_below(gen, 8) : gen_below(gen, count));
    plan->plane[plane] = true;
    plan->mread = true;
    gen_plan_outputs(gen, plan, expr, prec == PREC_H ? 4 : 2, 0);
}

static void plan_mau(struct gen *gen, struct plan *plan)
{
    static const uint8_t vectors[] = {PREC_D, PREC_F, PREC_H};
    uint8_t prec = pick(gen, vectors, 3);
    if (!gen_has(gen, GEN_MATRIX)) {
        plan_vector(gen, plan, prec, NULL, false);
        return;
    }
    /* Follow a conversion: its precision is what can go on. */
    if (gen->forward[1] && gen->aluf_block && !gen_chance(gen, 4))
        prec = gen->aluf_block;
    else if (gen_chance(gen, 8))
        prec = PREC_G;
    char second[80] = "";
    bool calc = true;
    switch (gen_below(gen, 8)) {
    case 0:
    case 1: /* mwrite alone or with mread */
        plan_mwrite(gen, plan, prec, NULL);
        if (gen_chance(gen, 3))
            plan_mread(gen, plan, prec);
        break;
    case 2:
        plan_mread(gen, plan, prec);
        break;
    case 3:
    case 4: /* calc and mwrite; vfma and vmul alone need a shared second input */
        if (!plan_product(gen, plan, prec, gen_below(gen, 2))) {
            calc = prec != PREC_G;
            if (calc)
                plan_vector(gen, plan, prec, second, false);
        }
        plan_mwrite(gen, plan, prec, second);
        break;
    default:
        if (!plan_product(gen, plan, prec, gen_below(gen, 2))) {
            calc = prec != PREC_G;
            if (calc)
                plan_vector(gen, plan, prec, NULL, false);
        }
        if (!calc || gen_chance(gen, 4))
            plan_mread(gen, plan, prec);
        break;
    }
}

/* The next step of filling a matrix with blocks and multiplying by it, software-pipelined: each
 * step converts, and uses what the step before converted. */
static void plan_script(struct gen *gen, struct plan *plan)
{
    const uint8_t prec = gen->script;
    const unsigned count = prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
    plan_alu(gen, plan, prec);
    if (!gen->forward[1] || gen->aluf_block != prec)
        return;
    const unsigned plane = gen->script_plane;
    if (gen->script_row < count) {
        const bool wide = prec == PREC_H;
        gen_append(plan->expr[plan->count++], "%cmwrite %s$aluf $%s%c%u", letters[prec],
                   gen_chance(gen, 4) ? "-" : "", wide ? "ll" : "l", plane ? 'y' : 'x',
                   gen->script_row);
        plan->plane[plane] = true;
        plan->writes_rows = true;
        plan->rows_plane = (uint8_t)plane;
        plan->rows_block = prec;
        for (unsigned i = 0; i < (wide ? 8U : 4U); i++)
            plan->rows |= (uint16_t)(1U << (gen->script_row + i) % count * (16 / count));
        gen->script_row += wide ? 8 : 4;
        if (gen_chance(gen, 2) && prec != PREC_G)
            plan_vector(gen, plan, prec, NULL, true);
    } else if (plan_product(gen, plan, prec, plane)) {
        if (--gen->script_products == 0)
            gen->script = PREC_NONE;
    }
}

void gen_plan_step(struct gen *gen, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    if (gen_has(gen, GEN_MATRIX) && !gen->script && gen_chance(gen, 16)) {
        gen->script = (uint8_t)(PREC_D + gen_below(gen, 4));
        gen->script_plane = (uint8_t)gen_below(gen, 2);
        gen->script_row = 0;
        gen->script_products = 1 + gen_below(gen, 6);
    }
    if (gen->script && !gen_chance(gen, 4)) {
        plan_script(gen, plan);
        if (gen_has(gen, GEN_L1BM) && gen_chance(gen, 4))
            gen_plan_l1bm(gen, plan);
        if (gen_has(gen, GEN_L2BM) && gen_chance(gen, 6))
            gen_plan_l2bm(gen, plan);
        return;
    }
    while (plan->count == 0) {
        const unsigned first = gen_below(gen, 3);
        for (unsigned i = 0; i < 3; i++)
            switch ((first + i) % 3) {
            case 0:
                if (!gen_chance(gen, 3))
                    plan_alu(gen, plan, PREC_NONE);
                break;
            case 1:
                if (gen_chance(gen, 2))
                    plan_mau(gen, plan);
                break;
            default:
                if (gen_has(gen, GEN_L1BM) && gen_chance(gen, 4))
                    gen_plan_l1bm(gen, plan);
                break;
            }
        if (gen_has(gen, GEN_L2BM) && gen_chance(gen, 6))
            gen_plan_l2bm(gen, plan);
    }
    if (gen_has(gen, GEN_DAR) && (plan->l2b == L2B_DARS || gen_chance(gen, 8))) {
        plan->darw = true;
        gen_append(plan->expr[plan->count++], "l2bmdarw");
    }
    if (gen_chance(gen, 16)) {
        plan->noforward = true;
        gen_append(plan->expr[plan->count++], "noforward");
    }
}
