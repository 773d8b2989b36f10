/* parse_mau: products, matrix register writes and transposed reads (manual 3.6.9 to 3.6.11). */
#include "functional/mncore2/parse.h"

/* The modifiers -, e, r that an input of the MAU accepts (3.6.9.22 to 3.6.9.24). */
static uint16_t mau_flags(const struct expr *expr, unsigned index)
{
    const bool half = expr->prec == PREC_H;
    switch (expr->insn) {
    case INSN_MFMA:
    case INSN_MMUL:
        /* matrix, block float vector, addend of normal single or double precision */
        return index == 0 ? 0 : index == 1 ? OPERAND_NEGATE : OPERAND_NEGATE | OPERAND_EXTEND;
    case INSN_VFMA:
        return index == 2 || !half ? OPERAND_NEGATE | OPERAND_EXTEND
                                   : OPERAND_NEGATE | OPERAND_REDUCE;
    case INSN_VADD:
        /* The second input is the addend, which is never half precision (3.6.9.1). */
        return index == 1 || !half ? OPERAND_NEGATE | OPERAND_EXTEND
                                   : OPERAND_NEGATE | OPERAND_REDUCE;
    default: /* vmul, vpassa, mwrite */
        return half ? OPERAND_NEGATE | OPERAND_REDUCE : OPERAND_NEGATE | OPERAND_EXTEND;
    }
}

void mncore2_parse_mau(struct reading *reading)
{
    static const char *const names[] = {"the first input", "the second input", "the third input"};
    struct expr *expr = reading->expr;
    const bool product = expr->insn == INSN_MFMA || expr->insn == INSN_MMUL;
    for (unsigned i = 0; i < mncore2_insns[expr->insn].inputs; i++) {
        const bool matrix = product && i == 0;
        if (!mncore2_reading_in(reading, matrix ? MEMS_MATRIX : MEMS_IN,
                                matrix ? "the matrix input" : names[i]))
            continue;
        const struct operand *operand = &expr->in[i];
        mncore2_reading_flags(reading, operand, mau_flags(expr, i),
                              matrix                 ? "\ninvert or round it when it is written"
                              : product && i == 1    ? "\na block float vector is taken as it is"
                              : expr->prec == PREC_H ? "\nhalf inputs take r, single ones e"
                                                     : "\nsingle and double inputs take e");
        mncore2_reading_lengths(reading, operand);
        if (matrix && operand->words != 2) {
            parse_error(reading->parser, reading_text(reading, operand),
                        reading_length(reading, operand), "3.6.1.14",
                        "a product's matrix is named as a long word\nwrite $l%c",
                        operand->mem == MEM_X ? 'x' : 'y');
            reading->bad = true;
        }
    }
    mncore2_reading_outs(reading, MEMS_OUT_CALC, "an output");
}

static unsigned matrix_rows(uint8_t prec)
{
    return prec == PREC_D ? 4 : prec == PREC_H ? 16 : 8;
}

/* The first row or column of an operand of mwrite or mread (3.6.1.14). */
static void check_matrix(struct reading *reading, struct operand *operand, const char *line)
{
    struct parser *parser = reading->parser;
    const struct expr *expr = reading->expr;
    const char *at = reading_text(reading, operand);
    const size_t length = reading_length(reading, operand);
    const unsigned rows = matrix_rows(expr->prec);
    const unsigned each = operand->words == 4 ? 2 : 1;
    uint32_t base = reading->base;
    if (operand->words == 4 && expr->prec != PREC_H) {
        parse_error(parser, at, reading_length(reading, operand), "3.6.1.14",
                    "two long words exist for half precision only\nwrite $l%c",
                    operand->mem == MEM_X ? 'x' : 'y');
        reading->bad = true;
    } else if (operand->words == 2 && expr->insn == INSN_MREAD && expr->prec == PREC_H) {
        parse_error(parser, at, reading_length(reading, operand), "3.6.11.3",
                    "hmread always reads two columns a cycle\nwrite $ll%c",
                    operand->mem == MEM_X ? 'x' : 'y');
        reading->bad = true;
    } else if (base % each != 0) {
        parse_error(parser, at, reading_length(reading, operand), "3.6.1.14",
                    "%s %s is odd, two are accessed a cycle\nnearest aligned address %s", line,
                    mncore2_parse_like(at, length, base).text,
                    mncore2_parse_like(at, length, mncore2_parse_nearest(base, 2, rows)).text);
        reading->bad = true;
    }
    if (base >= rows) {
        parse_warning(parser, at, length, "3.6.1.14", "address-wraps",
                      "%s %s is beyond the %u %ss of this precision and wraps around\nwrite %s",
                      line, mncore2_parse_like(at, length, base).text, rows, line,
                      mncore2_parse_like(at, length, base % rows).text);
        base %= rows;
    }
    for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        operand->addr[cycle] = (uint16_t)((base + cycle * each) % rows);
}

void mncore2_parse_mwrite(struct reading *reading)
{
    struct expr *expr = reading->expr;
    if (mncore2_reading_in(reading, MEMS_IN, "the input")) {
        mncore2_reading_flags(reading, &expr->in[0], mau_flags(expr, 0),
                              expr->prec == PREC_H ? "\nhmwrite takes r" : "\nhere e is possible");
        mncore2_reading_lengths(reading, &expr->in[0]);
    }
    if (!mncore2_reading_out_one(reading, MEMS_MATRIX, "a matrix register with a row"))
        return;
    check_matrix(reading, expr_out_of(expr, 0), "row");
    const struct operand *in = &expr->in[0];
    /* 3.6.10.3: both sides have the same length. T and forwarding have no fixed length; r
     * halves. */
    if (expr->prec != PREC_H || in->mem == MEM_NONE || in->mem == MEM_T ||
        (MEM_BIT(in->mem) & MEMS_FORWARD) != 0 || in->words < 2)
        return;
    const bool reduced = (in->flags & OPERAND_REDUCE) != 0;
    const unsigned words = reduced ? in->words / 2u : in->words;
    if (words < 2 || words == expr_out(expr, 0)->words)
        return;
    const struct operand *out = expr_out_of(expr, 0);
    parse_error(reading->parser, reading_text(reading, out), reading_length(reading, out),
                "3.6.10.3", "the matrix register's length differs from the input's%s\nwrite $%s%c",
                reduced ? " after r" : "", words == 4 ? "ll" : "l", out->mem == MEM_X ? 'x' : 'y');
    reading->bad = true;
}

void mncore2_parse_mread(struct reading *reading)
{
    struct expr *expr = reading->expr;
    if (mncore2_reading_in(reading, MEMS_MATRIX, "a matrix register with a column")) {
        mncore2_reading_flags(reading, &expr->in[0], 0, "\nbits are copied as they are");
        check_matrix(reading, &expr->in[0], "column");
    }
    mncore2_reading_outs(reading, MEMS_OUT_MOVE, "an output of a transposed read");
}
