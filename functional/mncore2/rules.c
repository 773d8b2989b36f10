/* rules: which expressions may share a step (manual 3.6.4). Two rules are checked while parsing:
 * one expression per group, and masks of one step agree (parse_step.c). */
#include <string.h>

#include "functional/mncore2/parse.h"

struct use {
    const struct operand *operand;
    struct text_place at;
};

struct uses {
    struct use items[GROUP_COUNT * (MAX_IN + MAX_OUT)];
    size_t count;
};

static void finding(struct parser *parser, const struct use *use, const char *message,
                    const struct use *other)
{
    parse_error(parser, parse_text(parser, use->at.column), use->at.length, "3.6.4", message,
                mncore2_mem_name[use->operand->mem], other->at.column);
}

/* The same words in every cycle; the run-time part of the address must be equal, too. */
static bool same_region(const struct operand *a, const struct operand *b)
{
    if (a->words != b->words || a->j != b->j || (a->flags & OPERAND_T) != (b->flags & OPERAND_T))
        return false;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        if (a->addr[cycle] != b->addr[cycle])
            return false;
    return true;
}

static const struct use *find(const struct uses *uses, uint8_t mem)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i].operand->mem == mem)
            return &uses->items[i];
    return NULL;
}

/* "Several expressions read one PE operand: the region is the same in every cycle." One expression
 * with two inputs also has only one read port. */
static void check_reads(struct parser *parser, const struct uses *reads)
{
    for (size_t i = 1; i < reads->count; i++) {
        const struct use *use = &reads->items[i];
        if ((MEM_BIT(use->operand->mem) & MEMS_PE) == 0)
            continue;
        for (size_t j = 0; j < i; j++) {
            const struct use *other = &reads->items[j];
            if (other->operand->mem != use->operand->mem ||
                same_region(use->operand, other->operand))
                continue;
            finding(parser, use,
                    "%s is read at another place or length than in column %u of the same step\n"
                    "read the same words in every cycle, or use another step or memory",
                    other);
            break;
        }
    }
}

static void check_writes(struct parser *parser, const struct uses *writes)
{
    for (size_t i = 1; i < writes->count; i++) {
        const struct use *use = &writes->items[i];
        if ((MEM_BIT(use->operand->mem) & (MEMS_PE | MEMS_BAR | MEM_BIT(MEM_OMR))) == 0)
            continue;
        for (size_t j = 0; j < i; j++) {
            if (writes->items[j].operand->mem != use->operand->mem)
                continue;
            finding(parser, use,
                    "%s is written twice in one step; the first output is in column %u\n"
                    "use another step or another memory",
                    &writes->items[j]);
            break;
        }
    }
}

/* "LM0 is read and written: the region is the same in every cycle. Likewise LM1." */
static void check_lm(struct parser *parser, const struct uses *reads, const struct uses *writes)
{
    static const uint8_t lms[] = {MEM_LM0, MEM_LM1};
    for (size_t i = 0; i < 2; i++) {
        const struct use *read = find(reads, lms[i]), *write = find(writes, lms[i]);
        if (read == NULL || write == NULL || same_region(read->operand, write->operand))
            continue;
        finding(
            parser, write,
            "%s is written at another place or length than it is read in column %u\n"
            "it has one port: use the same words in every cycle, another step or another memory",
            read);
    }
}

static void check_imm(struct parser *parser, const struct scratch *scratch,
                      const struct uses *reads, const struct uses *writes)
{
    const struct expr *alu = step_expr(&scratch->step, GROUP_ALU);
    if (alu == NULL || alu->insn != INSN_IMM)
        return;
    const struct use *lm0 = find(reads, MEM_LM0);
    if (lm0 == NULL)
        lm0 = find(writes, MEM_LM0);
    if (lm0 != NULL)
        parse_error(parser, parse_text(parser, lm0->at.column), lm0->at.length, "3.6.4",
                    "LM0 cannot be accessed in the step of an imm, which is in column %u\n"
                    "the value takes the bits of LM0's address; use LM1 or another step",
                    scratch->at[GROUP_ALU]);
}

/* $x and $y each appear once. */
static void check_matrix(struct parser *parser, const struct uses *uses)
{
    static const uint8_t planes[] = {MEM_X, MEM_Y};
    for (size_t i = 0; i < 2; i++) {
        const struct use *first = NULL;
        for (size_t k = 0; k < uses->count; k++) {
            const struct use *use = &uses->items[k];
            if (use->operand->mem != planes[i])
                continue;
            if (first != NULL) {
                finding(parser, use,
                        "%s is used twice in one step; the first use stands in column %u\n"
                        "use the other plane or another step",
                        first);
                break;
            }
            first = use;
        }
    }
}

/* The text of a group's opcode. */
static const char *opcode_text(const struct parser *parser, const struct scratch *scratch,
                               unsigned group)
{
    return parse_text(parser, scratch->at[group]);
}

static void check_mau(struct parser *parser, const struct scratch *scratch)
{
    static const uint8_t units[] = {GROUP_MAU_CALC, GROUP_MAU_MWRITE, GROUP_MAU_MREAD};
    const struct step *step = &scratch->step;
    const uint32_t *at = scratch->at;
    unsigned present[3];
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (step_expr(step, units[i]) != NULL)
            present[count++] = units[i];
    if (count == 3) {
        unsigned last = present[0];
        for (size_t i = 1; i < 3; i++)
            if (at[present[i]] > at[last])
                last = present[i];
        parse_error(parser, opcode_text(parser, scratch, last), scratch->mark_length[last], "3.6.4",
                    "of products, matrix writes and transposed reads at most two go in one step\n"
                    "move this one to another step");
    }
    for (size_t i = 1; i < count; i++) {
        const struct expr *a = step_expr(step, present[0]), *b = step_expr(step, present[i]);
        if (a->prec == b->prec)
            continue;
        const unsigned later = at[present[0]] > at[present[i]] ? present[0] : present[i];
        const unsigned earlier = later == present[0] ? present[i] : present[0];
        parse_error(
            parser, opcode_text(parser, scratch, later), scratch->mark_length[later], "3.6.4",
            "the MAU works in precision %c here, but %c in column %u of the same step\n"
            "use one precision%s",
            mncore2_prec_letter[step_expr(step, later)->prec],
            mncore2_prec_letter[step_expr(step, earlier)->prec], at[earlier],
            (a->prec == PREC_F || a->prec == PREC_G) && (b->prec == PREC_F || b->prec == PREC_G)
                ? "; matrix writes and reads in f and g do the same"
                : "");
        break;
    }
    const struct expr *calc = step_expr(step, GROUP_MAU_CALC);
    const struct expr *write = step_expr(step, GROUP_MAU_MWRITE);
    if (calc == NULL || write == NULL || (calc->insn != INSN_VFMA && calc->insn != INSN_VMUL))
        return;
    const uint16_t modifiers = OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE;
    const struct operand *second = &calc->in[1], *input = &write->in[0];
    if (second->mem == input->mem && (second->flags & modifiers) == (input->flags & modifiers))
        return;
    const struct text_place there = *scratch_place(scratch, calc, second);
    const struct text_place here = *scratch_place(scratch, write, input);
    parse_error(
        parser, parse_text(parser, here.column), here.length, "3.6.4",
        "a matrix write in the step of a vector product must take the product's second input "
        "(column %u), with the same -, e and r\n"
        "write %.*s, or use another step",
        there.column, parse_quote(there.length), parse_text(parser, there.column));
}

/* Both would drive the single path from L1BM to the PE; the group rule alone does not catch it. */
static void check_l1bm(struct parser *parser, const struct scratch *scratch)
{
    const struct expr *plain = step_expr(&scratch->step, GROUP_L1BM);
    if (plain == NULL || step_expr(&scratch->step, GROUP_L1BM_TURN) == NULL)
        return;
    if (plain->insn == INSN_L1BMP || plain->insn == INSN_L1BMM || plain->insn == INSN_L1BMM4 ||
        plain->insn == INSN_L1BMD) {
        const unsigned later =
            scratch->at[GROUP_L1BM] > scratch->at[GROUP_L1BM_TURN] ? GROUP_L1BM : GROUP_L1BM_TURN;
        parse_error(parser, opcode_text(parser, scratch, later), scratch->mark_length[later],
                    "3.6.4",
                    "two transfers from L1BM to PE in one step\n"
                    "a turnaround can share a step with a transfer from PE to L1BM");
    }
}

static void check_alone(struct parser *parser, const struct scratch *scratch)
{
    unsigned others = 0, last = 0;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        if (scratch->at[group] == 0 || group == GROUP_WAIT)
            continue;
        if (group != GROUP_NOP) {
            others++;
            if (last == 0 || scratch->at[group] > scratch->at[last])
                last = group;
        }
    }
    if (scratch->at[GROUP_NOP] != 0 && others > 0)
        parse_error(parser, parse_text(parser, scratch->at[GROUP_NOP]),
                    scratch->mark_length[GROUP_NOP], "3.6.4",
                    "nop goes with wait only; column %u has another expression\nremove the nop",
                    scratch->at[last]);
    if (scratch->at[GROUP_WAIT] != 0 && others == 0 && scratch->at[GROUP_NOP] == 0)
        parse_error(parser, parse_text(parser, scratch->at[GROUP_WAIT]),
                    scratch->mark_length[GROUP_WAIT], "3.6.13",
                    "wait needs another statement in its step\nwrite nop; wait i%02x",
                    scratch->step.wait ? scratch->step.wait : 1u);
}

static void insert(struct uses *uses, const struct operand *operand, struct text_place at)
{
    /* Sorted by column, so that findings name the later place. */
    size_t k = uses->count++;
    for (; k > 0 && uses->items[k - 1].at.column > at.column; k--)
        uses->items[k] = uses->items[k - 1];
    uses->items[k] = (struct use){operand, at};
}

void mncore2_rules_check(struct parser *parser, struct scratch *scratch)
{
    const struct step *step = &scratch->step;
    struct uses reads, writes, matrices;
    reads.count = writes.count = matrices.count = 0;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step_expr(step, group);
        if (expr == NULL)
            continue;
        for (unsigned i = 0; i < (unsigned)expr->in_count + expr->out_count; i++) {
            const struct operand *operand = &expr->in[i];
            const struct text_place at = *scratch_place(scratch, expr, operand);
            insert(i < expr->in_count ? &reads : &writes, operand, at);
            if ((MEM_BIT(operand->mem) & MEMS_MATRIX) != 0)
                insert(&matrices, operand, at);
        }
    }
    check_alone(parser, scratch);
    check_reads(parser, &reads);
    check_writes(parser, &writes);
    check_lm(parser, &reads, &writes);
    check_imm(parser, scratch, &reads, &writes);
    check_matrix(parser, &matrices);
    check_mau(parser, scratch);
    check_l1bm(parser, scratch);
}
