#include "functional/kelvin/vector_operand.h"

#include <stdio.h>

enum { LENGTHS = 1, STRIDES = 2, POSTS = 4 }; /* bits of form->step of vld, vst, vstq */

struct kelvin_shape kelvin_shape(enum kelvin_family family)
{
    switch (family) {
    case KELVIN_vaddw:
    case KELVIN_vsubw:
    case KELVIN_vmulw:
        return (struct kelvin_shape){2, 1, -1};
    case KELVIN_vacc:
        return (struct kelvin_shape){2, 2, -1};
    case KELVIN_vmvp:
    case KELVIN_vevnodd:
    case KELVIN_vzip:
        return (struct kelvin_shape){2, 1, 0};
    case KELVIN_vsrans:
    case KELVIN_vsransu:
        return (struct kelvin_shape){1, 2, 1};
    case KELVIN_vsraqs:
    case KELVIN_vsraqsu:
        return (struct kelvin_shape){1, 4, 2};
    case KELVIN_acset:
    case KELVIN_actr:
    case KELVIN_aconv:
        return (struct kelvin_shape){0, KELVIN_WORDS, 0};
    case KELVIN_adwinit:
        return (struct kelvin_shape){0, KELVIN_STRIPS, 0};
    case KELVIN_vcget:
        return (struct kelvin_shape){KELVIN_WORDS, 0, 0};
    case KELVIN_vdwconv:
        return (struct kelvin_shape){KELVIN_STRIPS, 1, 0};
    case KELVIN_adwconv:
        return (struct kelvin_shape){0, 1, 0};
    default:
        return (struct kelvin_shape){1, 1, 0};
    }
}

static bool has(const struct kelvin_form *form, enum kelvin_operand operand)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->operands[i] == operand)
            return true;
    return false;
}

const char *kelvin_vector_illegal(const struct kelvin_vop *op)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    const struct kelvin_shape shape = kelvin_shape(form->family);
    const unsigned strips = kelvin_strips(form);
    if (form->family == KELVIN_vmulw && form->size == 0)
        return "vmulw has no .b: there are no lanes of four bits";
    if (form->m && (at[KELVIN_VD] % 4 || at[KELVIN_VS] % 4 || at[KELVIN_VT] % 4))
        return "vector registers of a .m instruction are multiples of 4";
    if ((has(form, KELVIN_VD) && at[KELVIN_VD] + shape.d * strips > KELVIN_REGISTERS) ||
        (has(form, KELVIN_VS) && at[KELVIN_VS] + shape.a * strips > KELVIN_REGISTERS) ||
        at[KELVIN_VR] + (form->family == KELVIN_aconv ? 1 : 3) > KELVIN_REGISTERS)
        return "the registers of an operand end at v63";
    switch (form->family) {
    case KELVIN_aconv:
    case KELVIN_actr:
        if (at[KELVIN_VS] % 16)
            return "vs1 is v0, v16, v32 or v48";
        /* fall through */
    case KELVIN_acset:
    case KELVIN_vcget:
        if (at[KELVIN_VD] != KELVIN_ACCUMULATOR_REGISTER)
            return "vd is v48";
    }
    return NULL;
}

/* True if [a, a + a_count) and [b, b + b_count) overlap. */
static bool meet(unsigned a, unsigned a_count, unsigned b, unsigned b_count)
{
    return a < b + b_count && b < a + a_count;
}

bool kelvin_vector_doubtful(const struct kelvin_vop *op, char *text, size_t size)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    const unsigned strips = kelvin_strips(form);
    const bool vector = has(form, KELVIN_VT);
    switch (form->family) {
    case KELVIN_vsliden:
    case KELVIN_vslidevn:
    case KELVIN_vslidehn:
    case KELVIN_vslidep:
    case KELVIN_vslidevp:
    case KELVIN_vslidehp:
        if (at[KELVIN_VD] != at[KELVIN_VS] && !(vector && at[KELVIN_VD] == at[KELVIN_VT]))
            return false;
        snprintf(
            text, size,
            "v%u is the destination of this slide and also a source: the reference forbids it, "
            "and does not say what happens\nslide into other registers",
            at[KELVIN_VD]);
        return true;
    case KELVIN_vzip:
        for (unsigned i = 0; i < 2; i++) {
            const unsigned source = at[i ? KELVIN_VT : KELVIN_VS], first = at[KELVIN_VD];
            if ((i && !vector) || !meet(first, 2 * strips, source, strips))
                continue;
            snprintf(text, size,
                     "v%u to v%u, which this writes, hold a source, v%u%s: the reference forbids "
                     "it, and does not say what happens\nwrite other registers",
                     first, first + 2 * strips - 1, source,
                     strips > 1 ? " and the following ones" : "");
            return true;
        }
        return false;
    default:
        return false;
    }
}

const uint8_t kelvin_control_bases[16][3] = {
    {0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}, {6, 7, 8}, {1, 0, 2},
    {1, 2, 0}, {3, 4, 0}, {5, 6, 0}, {7, 8, 0}, {2, 0, 1}, {4, 0, 1}, {6, 0, 1}, {8, 0, 1},
};

/* A signed nine-bit number. */
static int16_t bias(uint32_t word)
{
    return (int16_t)((int32_t)((word & 0x1ff) ^ 0x100) - 0x100);
}

struct kelvin_control kelvin_control(uint32_t word)
{
    return (struct kelvin_control){
        .mode = word & 3,
        .start = word >> 2 & 31,
        .stop = word >> 7 & 31,
        .sparsity = word >> 2 & 3,
        .base = word >> 4 & 15,
        .sign = {word >> 21 & 1, word >> 31},
        .bias = {bias(word >> 12), bias(word >> 22)},
    };
}

bool kelvin_control_legal(const struct kelvin_vop *op, const struct kelvin_control *control)
{
    const uint8_t *at = op->operands.at;
    if (control->mode != 0)
        return false;
    if (op->form->family == KELVIN_aconv)
        return control->start <= control->stop && control->stop < KELVIN_WORDS &&
               at[KELVIN_VR] + control->stop - control->start < KELVIN_REGISTERS;
    const uint8_t *base = kelvin_control_bases[control->base];
    for (unsigned i = 0; i < 3; i++)
        if (at[KELVIN_VS] + base[i] >= KELVIN_REGISTERS)
            return false;
    return control->sparsity < 3;
}

struct kelvin_runs kelvin_runs(const struct kelvin_vop *op, const uint32_t x[32])
{
    const struct kelvin_form *form = op->form;
    const uint32_t base = x[op->operands.at[KELVIN_S]];
    const uint32_t amount = form->scalar ? x[op->operands.at[KELVIN_T]] : 0;
    const uint32_t bytes = amount << form->size; /* in lanes, or from row to row of lanes */
    const uint32_t strips = kelvin_strips(form);
    struct kelvin_runs runs = {
        .address = base,
        .stride = KELVIN_BYTES,
        .piece = KELVIN_BYTES,
        .last = KELVIN_BYTES,
        .pieces = strips,
        .post = form->step & POSTS,
    };
    if (form->family == KELVIN_vstq) {
        runs.piece = runs.last = KELVIN_BYTES / 4;
        runs.pieces = 4 * strips;
    }
    if (form->step & STRIDES)
        runs.stride = bytes;
    if (form->step & LENGTHS) { /* the length counts over all registers, wherever their rows are */
        const uint32_t most = KELVIN_BYTES * strips >> form->size;
        const uint32_t length = (amount < most ? amount : most) << form->size;
        runs.pieces = (length + KELVIN_BYTES - 1) / KELVIN_BYTES;
        runs.last = length - (runs.pieces ? runs.pieces - 1 : 0) * KELVIN_BYTES;
        runs.base = base + length;
    } else if (form->step & STRIDES) {
        runs.base = base + bytes * runs.pieces;
    } else { /* .p.x advances by the registers, .p.xx by xs2 lanes */
        runs.base = base + (form->scalar ? bytes : KELVIN_BYTES * strips);
    }
    if ((form->step & LENGTHS) && (form->step & STRIDES)) /* .tp: the next column of registers */
        runs.base = base + KELVIN_BYTES;
    return runs;
}
