/* brute_step: what a step of the brute-force model uses on the PE side and in L1BM and L2BM. */
#include "tests/brute/brute_state.h"

#include <string.h>

/* An access: of a unit, in some cycles of the step, each of so much; later: a write, cycles until
 * it lands, 0: at once. */
struct use {
    const char *unit, *operation; /* NULL: no memory */
    unsigned amount, cycles;
    uint64_t later;
};

static void record(struct brute *brute, const struct use *use, uint64_t t)
{
    struct brute_use one = {use->unit, use->operation, use->amount, !use->later};
    brute_access(brute, &one, t);
    one.operation = "land";
    one.holds = true;
    if (use->later)
        brute_access(brute, &one, t + use->later);
}

/* Marks cycles of t .. t + 3, so much later for what lands in an SRAM. */
static void busy(struct brute *brute, const struct use *use)
{
    /* Where a write lands in L2BM is in no document (README 1). */
    const bool counts = !brute->options->documented || strncmp(use->unit, "l2bm", 4) != 0;
    for (unsigned i = 0; i < 4; i++)
        if (use->cycles >> i & 1) {
            const uint64_t at = brute->now + i + use->later;
            if (use->operation)
                record(brute, use, brute->now + i);
            brute_mark(brute, use->unit, at, 1);
            if (use->later && counts)
                brute->landed_all = brute_greatest(brute->landed_all, at + 1);
        }
}

static void busy_operand(struct brute *brute, const struct step *step,
                         const struct operand *operand, bool write)
{
    static const char *const reads[] = {"lm0", "lm1", "grf0.r", "grf1.r", "t.r"};
    static const char *const writes[] = {"lm0", "lm1", "grf0.w", "grf1.w", "t.w"};
    unsigned cycles = 15;
    if (write && (operand->flags & OPERAND_MASKED) && step->mask_entry >= 16) {
        cycles = 0;
        for (unsigned i = 0; i < 4; i++)
            if (step->mask_entry >> (3 - i) & 1)
                cycles |= 1u << i;
        /* 3.6.2: a mask of one long word does not touch the second one. */
        if (!step->mask_wide && operand->words == 4)
            cycles = 15;
    }
    if (operand->mem >= MEM_LM0 && operand->mem <= MEM_T) {
        const unsigned memory = operand->mem - (unsigned)MEM_LM0;
        const uint64_t later = memory < 2 ? brute->numbers.lm_lands : brute->numbers.registers_land;
        busy(brute, &(struct use){write ? writes[memory] : reads[memory], write ? "write" : "read",
                                  operand->words, cycles, write ? later : 0});
    }
    if (operand->flags & OPERAND_T) /* 3.6.1.6: two long words, of which one is used */
        busy(brute, &(struct use){"t.r", "read", 4, 15, 0});
    if (operand->mem == MEM_X || operand->mem == MEM_Y) /* 3.6.10: a row is four long words */
        busy(brute, &(struct use){operand->mem == MEM_X ? "matx" : "maty", write ? "write" : "read",
                                  write ? operand->words > 2 ? 2 : 1 : 0, 15, 0});
}

/* 3.6.7.2 to .10: long words a cycle of each L2BM, and of each L1BM. */
static unsigned l2bm_rate(const struct expr *expr, bool l1bm)
{
    switch (expr->insn) {
    case INSN_L2BMB:
    case INSN_L2BM:
    case INSN_L2BMR:
    case INSN_L2BMI:
        return 16;
    case INSN_L2BMB2:
    case INSN_L2BMR2:
        return l1bm ? 16 : 64;
    case INSN_L2BMDARS:
        return 64;
    default: /* l2bmd, both ways */
        return l1bm ? 8 : 64;
    }
}

/* Table 3.8: long words a cycle of each L1BM. */
static unsigned l1bm_rate(const struct expr *expr, const struct operand *operand)
{
    const unsigned wide = operand->words == 4 ? 2 : 1;
    switch (expr->insn) {
    case INSN_L1BMP:
        return wide;
    case INSN_L1BMM:
    case INSN_L1BMM_AT:
    case INSN_L1BMR:
        return 4 * wide;
    case INSN_L1BMM4:
    case INSN_L1BMM4_AT:
    case INSN_L1BMR4:
        return 16 * wide;
    default:
        return 64;
    }
}

static void busy_l2bm(struct brute *brute, const struct expr *expr)
{
    char name[BRUTE_NAME];
    for (int side = 0; side < 2; side++) {
        const struct operand *operand = side ? expr_out(expr, 0) : &expr->in[0];
        if (operand->mem == MEM_L2BM)
            for (int b = 0; b < 2; b++) {
                if (expr->insn == INSN_L2BMDARS && operand->l2b != b)
                    continue;
                snprintf(name, sizeof name, "l2bm%d.pe", b);
                busy(brute, &(struct use){name, side ? "write" : "read", l2bm_rate(expr, false), 15,
                                          side ? brute->numbers.l2bm_lands : 0});
            }
        /* One of the eight L1B, and l2bmr, give 16 long words a cycle, the others 64 (3.6.7). */
        const unsigned each = expr->insn == INSN_L2BM || expr->insn == INSN_L2BMR ? 16 : 64;
        for (unsigned k = 0; k < 4 * each && side && operand->mem == MEM_L2BM; k++)
            brute->landed[(operand->addr[0] + k) % L2BM_LONGS] =
                brute->now + brute->numbers.l2bm_lands + k / each + 1;
        if (operand->mem != MEM_L1BM)
            continue;
        for (int l = 0; l < 8; l++) {
            bool taken = expr->insn == INSN_L2BMR2 || expr->insn == INSN_L2BMD_JOIN ||
                         (expr->l1bset >> l & 1);
            if (expr->insn == INSN_L2BMI && side) {
                taken = false;
                for (int from = 0; from < 8; from++)
                    taken |= (expr->l1bset >> from & 1) && from != l &&
                             (from & expr->immode) == (l & expr->immode);
            }
            if (!taken)
                continue;
            snprintf(name, sizeof name, "l1bm%d.l2b", l);
            const uint64_t later = expr->insn == INSN_L2BMI ? brute->numbers.multicast_lands
                                                            : brute->numbers.load_lands;
            busy(brute, &(struct use){name, side ? "write" : "read", l2bm_rate(expr, true), 15,
                                      side ? later : 0});
        }
    }
    if (expr->insn == INSN_L2BMDARS)
        busy(brute, &(struct use){"darbuf", "write", 128, 15, 0});
}

void brute_step_busy(struct brute *brute, const struct step *step)
{
    for (unsigned g = 0; g < GROUP_COUNT; g++) {
        const struct expr *expr = step_expr(step, g);
        if (!expr)
            continue;
        if (expr->group == GROUP_L2BM) {
            busy_l2bm(brute, expr);
            continue;
        }
        if (expr->group == GROUP_ALU)
            busy(brute, &(struct use){"alu", NULL, 0, 15, 0});
        if (expr->group == GROUP_MAU_CALC)
            busy(brute, &(struct use){"mau", NULL, 0, 15, 0});
        for (int i = 0; i < expr->in_count; i++) {
            busy_operand(brute, step, &expr->in[i], false);
            if (expr->in[i].mem == MEM_L1BM)
                busy(brute, &(struct use){"l1bm.pe", "read", l1bm_rate(expr, &expr->in[i]), 15, 0});
        }
        for (unsigned o = 0; o < expr->out_count; o++) {
            busy_operand(brute, step, expr_out(expr, o), true);
            if (expr_out(expr, o)->mem == MEM_L1BM)
                busy(brute, &(struct use){"l1bm.pe", "write", l1bm_rate(expr, expr_out(expr, o)),
                                          15, brute->numbers.store_lands});
        }
    }
    const struct expr *l2bm = step_expr(step, GROUP_L2BM);
    if (l2bm && l2bm->insn == INSN_L2BMDARS)
        brute->dar_next = expr_out(l2bm, 0)->addr[0] % 1024;
    if (step->darw && brute->exec)
        brute_transfer_replace_entries(brute);
    if (step->darw) {
        busy(brute, &(struct use){"darbuf", "read", 1, 15, 0});
        busy(brute, &(struct use){"dar", "write", 1, 15, 0});
    }
}
