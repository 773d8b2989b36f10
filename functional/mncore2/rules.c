/* rules: what expressions may stand in one step (manual 3.6.4). Two of its rules are checked while
 * reading: one expression a group, and masks of one step agree (parse_step.c). */
#include "functional/mncore2/parse.h"

struct uses {
    const struct operand *items[GROUP_COUNT * (MAX_IN + MAX_OUT)];
    size_t count;
};

static void finding(struct parser *parser, const struct operand *operand, const char *message,
                    const struct operand *other)
{
    parse_error(parser, parse_text(parser, operand->column), operand->length, "3.6.4", message,
                mem_name[operand->mem], other->column);
}

/* The same words in every cycle; what comes on top at run time must be the same too. */
static bool same_region(const struct operand *a, const struct operand *b)
{
    if (a->words != b->words || a->j != b->j || (a->flags & OPERAND_T) != (b->flags & OPERAND_T))
        return false;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        if (a->addr[cycle] != b->addr[cycle])
            return false;
    return true;
}

static const struct operand *find(const struct uses *uses, uint8_t mem)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->items[i]->mem == mem)
            return uses->items[i];
    return NULL;
}

/* "Several expressions read one PE operand: the region is the same in every cycle." One expression
 * with two inputs has just one read port as well. */
static void check_reads(struct parser *parser, const struct uses *reads)
{
    for (size_t i = 1; i < reads->count; i++) {
        const struct operand *operand = reads->items[i];
        if ((MEM_BIT(operand->mem) & MEMS_PE) == 0)
            continue;
        for (size_t j = 0; j < i; j++) {
            const struct operand *other = reads->items[j];
            if (other->mem != operand->mem || same_region(operand, other))
                continue;
            finding(parser, operand,
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
        const struct operand *operand = writes->items[i];
        if ((MEM_BIT(operand->mem) & (MEMS_PE | MEMS_BAR | MEM_BIT(MEM_OMR))) == 0)
            continue;
        for (size_t j = 0; j < i; j++) {
            if (writes->items[j]->mem != operand->mem)
                continue;
            finding(parser, operand,
                    "%s is written twice in one step; the first output stands in column %u\n"
                    "use another step or another memory",
                    writes->items[j]);
            break;
        }
    }
}

/* "LM0 is read and written: the region is the same in every cycle. Likewise LM1." */
static void check_lm(struct parser *parser, const struct uses *reads, const struct uses *writes)
{
    static const uint8_t lms[] = {MEM_LM0, MEM_LM1};
    for (size_t i = 0; i < 2; i++) {
        const struct operand *read = find(reads, lms[i]), *write = find(writes, lms[i]);
        if (read == NULL || write == NULL || same_region(read, write))
            continue;
        finding(
            parser, write,
            "%s is written at another place or length than it is read in column %u\n"
            "it has one port: use the same words in every cycle, another step or another memory",
            read);
    }
}

static void check_imm(struct parser *parser, const struct expr *alu, const struct uses *reads,
                      const struct uses *writes)
{
    if (alu == NULL || alu->insn != INSN_IMM)
        return;
    const struct operand *lm0 = find(reads, MEM_LM0);
    if (lm0 == NULL)
        lm0 = find(writes, MEM_LM0);
    if (lm0 != NULL)
        parse_error(parser, parse_text(parser, lm0->column), lm0->length, "3.6.4",
                    "LM0 cannot be accessed in the step of an imm, which stands in column %u\n"
                    "the value takes the bits of LM0's address; use LM1 or another step",
                    alu->column);
}

/* $x and $y each appear once. */
static void check_matrix(struct parser *parser, const struct uses *uses)
{
    static const uint8_t planes[] = {MEM_X, MEM_Y};
    for (size_t i = 0; i < 2; i++) {
        const struct operand *first = NULL;
        for (size_t k = 0; k < uses->count; k++) {
            const struct operand *operand = uses->items[k];
            if (operand->mem != planes[i])
                continue;
            if (first != NULL) {
                finding(parser, operand,
                        "%s is used twice in one step; the first use stands in column %u\n"
                        "use the other plane or another step",
                        first);
                break;
            }
            first = operand;
        }
    }
}

static void check_mau(struct parser *parser, const struct step *step)
{
    const struct expr *const units[] = {step->expr[GROUP_MAU_CALC], step->expr[GROUP_MAU_MWRITE],
                                        step->expr[GROUP_MAU_MREAD]};
    const struct expr *present[3];
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (units[i] != NULL)
            present[count++] = units[i];
    if (count == 3) {
        const struct expr *last = present[0];
        for (size_t i = 1; i < 3; i++)
            if (present[i]->column > last->column)
                last = present[i];
        parse_error(parser, parse_text(parser, last->column), last->length, "3.6.4",
                    "of products, matrix writes and transposed reads at most two go in one step\n"
                    "move this one to another step");
    }
    for (size_t i = 1; i < count; i++) {
        const struct expr *a = present[0], *b = present[i];
        if (a->prec == b->prec)
            continue;
        const struct expr *later = a->column > b->column ? a : b;
        const struct expr *earlier = later == a ? b : a;
        parse_error(parser, parse_text(parser, later->column), later->length, "3.6.4",
                    "the MAU works in precision %c here, but %c in column %u of the same step\n"
                    "use one precision%s",
                    prec_letter[later->prec], prec_letter[earlier->prec], earlier->column,
                    (a->prec == PREC_F || a->prec == PREC_G) &&
                            (b->prec == PREC_F || b->prec == PREC_G)
                        ? "; matrix writes and reads in f and g do the same"
                        : "");
        break;
    }
    const struct expr *calc = units[0], *write = units[1];
    if (calc == NULL || write == NULL || (calc->insn != INSN_VFMA && calc->insn != INSN_VMUL))
        return;
    const uint16_t modifiers = OPERAND_NEGATE | OPERAND_EXTEND | OPERAND_REDUCE;
    const struct operand *second = &calc->in[1], *input = &write->in[0];
    if (second->mem == input->mem && (second->flags & modifiers) == (input->flags & modifiers))
        return;
    parse_error(parser, parse_text(parser, input->column), input->length, "3.6.4",
                "a matrix write beside a vector product must take the product's second input "
                "(column %u), with the same -, e and r\n"
                "write %.*s, or use another step",
                second->column, parse_quote(second->length), parse_text(parser, second->column));
}

/* Both would drive the one path from L1BM to the PE; the group rule alone does not see it. */
static void check_l1bm(struct parser *parser, const struct step *step)
{
    const struct expr *plain = step->expr[GROUP_L1BM], *turn = step->expr[GROUP_L1BM_TURN];
    if (plain == NULL || turn == NULL)
        return;
    if (plain->insn == INSN_L1BMP || plain->insn == INSN_L1BMM || plain->insn == INSN_L1BMM4 ||
        plain->insn == INSN_L1BMD) {
        const struct expr *later = plain->column > turn->column ? plain : turn;
        parse_error(parser, parse_text(parser, later->column), later->length, "3.6.4",
                    "two transfers from L1BM to PE in one step\n"
                    "a turnaround goes beside a transfer from PE to L1BM");
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
                    "wait cannot stand alone\nwrite nop; wait i%02x", scratch->step.wait);
}

static void insert(struct uses *uses, const struct operand *operand)
{
    /* In the order of columns, so that findings name the later place. */
    size_t at = uses->count++;
    for (; at > 0 && uses->items[at - 1]->column > operand->column; at--)
        uses->items[at] = uses->items[at - 1];
    uses->items[at] = operand;
}

void rules_check(struct parser *parser, struct scratch *scratch)
{
    const struct step *step = &scratch->step;
    struct uses reads, writes, matrices;
    reads.count = writes.count = matrices.count = 0;
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        const struct expr *expr = step->expr[group];
        if (expr == NULL)
            continue;
        for (unsigned i = 0; i < expr->in_count; i++) {
            insert(&reads, &expr->in[i]);
            if ((MEM_BIT(expr->in[i].mem) & MEMS_MATRIX) != 0)
                insert(&matrices, &expr->in[i]);
        }
        for (unsigned i = 0; i < expr->out_count; i++) {
            insert(&writes, &expr->out[i]);
            if ((MEM_BIT(expr->out[i].mem) & MEMS_MATRIX) != 0)
                insert(&matrices, &expr->out[i]);
        }
    }
    check_alone(parser, scratch);
    check_reads(parser, &reads);
    check_writes(parser, &writes);
    check_lm(parser, &reads, &writes);
    check_imm(parser, step->expr[GROUP_ALU], &reads, &writes);
    check_matrix(parser, &matrices);
    check_mau(parser, step);
    check_l1bm(parser, step);
}
