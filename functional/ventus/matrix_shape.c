/* matrix_shape: shapes and types of mma and mma64, by their words. */
#include "functional/ventus/matrix.h"

#include "functional/ventus/number.h"
#include "functional/ventus/state.h"

struct ventus_matrix ventus_matrix(const struct ventus_op *op)
{
    static const struct {
        uint8_t bits, format, shapes[3][3]; /* m, n, k */
    } rows[VENTUS_ELEMENTS] = {
        [VENTUS_ELEMENT_F32] = {32, VENTUS_F32, {{8, 8, 8}, {16, 8, 8}, {16, 8, 16}}},
        [VENTUS_ELEMENT_F16] = {16, VENTUS_F16, {{8, 8, 8}, {16, 8, 8}, {16, 8, 16}}},
        [VENTUS_ELEMENT_BF16] = {16, VENTUS_BF16, {{8, 8, 8}, {16, 8, 8}, {16, 8, 16}}},
        [VENTUS_ELEMENT_E4M3] = {8, VENTUS_E4M3, {{16, 8, 32}}},
        [VENTUS_ELEMENT_E5M2] = {8, VENTUS_E5M2, {{16, 8, 32}}},
        [VENTUS_ELEMENT_I8] = {8, 0, {{8, 8, 16}, {16, 16, 16}}},
        [VENTUS_ELEMENT_I4] = {4, 0, {{8, 8, 32}, {16, 8, 32}, {16, 8, 64}}},
        [VENTUS_ELEMENT_B1] = {1, 0, {{8, 8, 128}}},
        [VENTUS_ELEMENT_E3M2] = {8, VENTUS_E3M2, {{16, 8, 32}}},
        [VENTUS_ELEMENT_E2M3] = {8, VENTUS_E2M3, {{16, 8, 32}}},
        [VENTUS_ELEMENT_E2M1] = {4, VENTUS_E2M1, {{16, 8, 64}}},
        [VENTUS_ELEMENT_E3M0] = {4, VENTUS_E3M0, {{16, 8, 64}}},
    };
    static const uint8_t roundings[] = {VENTUS_RNE, VENTUS_RTZ, VENTUS_RDN, VENTUS_RUP};
    const uint64_t w = (uint64_t)op->high << 32 | op->word;
    const bool is_long = op->form != FORM_MMA;
    const uint8_t element = (uint8_t)(is_long ? w >> 60 : op->word >> 29);
    const uint8_t *shape = rows[element].shapes[(is_long ? w >> 57 : w >> 26) & 7];
    const bool single = element != VENTUS_ELEMENT_F16 || (is_long ? w >> 38 : w >> 25) & 1;
    struct ventus_matrix matrix = {.element = element,
                                   .m = shape[0],
                                   .n = shape[1],
                                   .k = shape[2],
                                   .bits = rows[element].bits,
                                   .sum_bits = single ? 32 : 16,
                                   .wraps = true};
    if (is_long) {
        matrix.a_columns = w >> 40 & 1;
        matrix.b_rows = w >> 39 & 1;
        matrix.group = w >> 17 & 1;
        matrix.a_local = matrix.group && !(w >> 16 & 1);
        matrix.wraps = w >> 18 & 1;
        matrix.rounding = roundings[w >> 18 & 3];
    }
    return matrix;
}

uint32_t ventus_matrix_passes(const struct ventus_op *op)
{
    if (op->body != BODY_MMA)
        return 1;
    const struct ventus_matrix x = ventus_matrix(op);
    return x.m * x.n * x.k * x.bits / (128 * 32);
}

static uint32_t registers(uint32_t elements, uint32_t bits)
{
    return (elements * bits + 32 * VENTUS_LANES - 1) / (32 * VENTUS_LANES);
}

struct ventus_matrix_registers ventus_matrix_registers(const struct ventus_matrix *x)
{
    return (struct ventus_matrix_registers){x->a_local ? 1 : registers(x->m * x->k, x->bits),
                                            x->group ? 1 : registers(x->k * x->n, x->bits),
                                            registers(x->m * x->n, x->sum_bits)};
}
