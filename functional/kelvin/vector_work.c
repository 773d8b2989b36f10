/* Registers and memory that an op reads and writes. */
#include "functional/kelvin/vector_operand.h"

static uint64_t registers(unsigned from, unsigned count)
{
    return ((UINT64_C(1) << count) - 1) << from;
}

static uint32_t scalar(unsigned number)
{
    return UINT32_C(1) << number & ~UINT32_C(1);
}

static void memory_work(const struct kelvin_vop *op, const uint32_t x[32],
                        struct kelvin_vector_work *work)
{
    const struct kelvin_runs runs = kelvin_runs(op, x);
    const uint64_t d = registers(op->operands.at[KELVIN_VD], kelvin_strips(op->form));
    work->load = op->form->family == KELVIN_vld;
    work->store = !work->load;
    *(work->load ? &work->writes : &work->reads) = d;
    work->address = runs.address;
    work->stride = runs.stride;
    work->piece = runs.piece;
    work->last = runs.last;
    work->pieces = runs.pieces;
    work->x_writes = runs.post ? scalar(op->operands.at[KELVIN_S]) : 0;
}

static void convolution_work(const struct kelvin_vop *op, const uint32_t x[32],
                             struct kelvin_vector_work *work)
{
    const uint8_t *at = op->operands.at;
    const struct kelvin_control control = kelvin_control(x[at[KELVIN_T]]);
    if (!kelvin_control_legal(op, &control))
        return;
    if (op->form->family == KELVIN_aconv) {
        work->reads = registers(at[KELVIN_VS], KELVIN_WORDS) |
                      registers(at[KELVIN_VR], control.stop - control.start + 1);
        work->accum_reads = work->accum_writes = true;
        return;
    }
    work->reads = registers(at[KELVIN_VR], 3);
    for (unsigned i = 0; i < (control.sparsity == 2 ? 2 : 3); i++)
        work->reads |= registers(at[KELVIN_VS] + kelvin_control_bases[control.base][i], 1);
    work->dwacc_reads = work->dwacc_writes = true;
    if (op->form->family == KELVIN_vdwconv)
        work->writes = registers(at[KELVIN_VD], KELVIN_STRIPS);
}

static void register_work(const struct kelvin_vop *op, struct kelvin_vector_work *work)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    const struct kelvin_shape shape = kelvin_shape(form->family);
    const unsigned strips = kelvin_strips(form);
    work->writes = registers(at[KELVIN_VD], shape.d * strips);
    for (unsigned i = 0; i < form->count; i++)
        if (form->operands[i] == KELVIN_VS)
            work->reads |= form->family == KELVIN_vslidehp
                               ? registers(at[KELVIN_VS] + KELVIN_STRIPS - 1, 1)
                               : registers(at[KELVIN_VS], shape.a * strips);
        else if (form->operands[i] == KELVIN_VT)
            work->reads |= registers(at[KELVIN_VT], form->family == KELVIN_vslidehn ? 1 : strips);
    switch (form->family) {
    case KELVIN_vadd3:
    case KELVIN_vmacc:
    case KELVIN_vmadd:
    case KELVIN_vsel:
        work->reads |= registers(at[KELVIN_VD], strips);
        break;
    case KELVIN_acset:
    case KELVIN_actr:
        work->accum_writes = true;
        break;
    case KELVIN_vcget:
        work->accum_reads = work->accum_writes = true;
        break;
    case KELVIN_adwinit:
        work->dwacc_writes = true;
        break;
    default:
        break;
    }
}

void kelvin_vector_work(const struct kelvin_vop *op, const uint32_t x[32],
                        struct kelvin_vector_work *work)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    *work = (struct kelvin_vector_work){0};
    for (unsigned i = 0; i < form->count; i++)
        if (form->operands[i] == KELVIN_S || form->operands[i] == KELVIN_T)
            work->x_reads |= scalar(at[form->operands[i]]);
    if (!op->legal)
        return;
    switch (form->family) {
    case KELVIN_vld:
    case KELVIN_vst:
    case KELVIN_vstq:
        memory_work(op, x, work);
        break;
    case KELVIN_aconv:
    case KELVIN_vdwconv:
    case KELVIN_adwconv:
        convolution_work(op, x, work);
        break;
    default:
        if (form->family < KELVIN_getmaxvl)
            register_work(op, work);
        else if (form->family <= KELVIN_getvl)
            work->x_writes = scalar(at[KELVIN_D]);
        break;
    }
}
