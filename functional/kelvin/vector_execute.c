/* Executes each op; the bodies by lanes are in vector_lanes.h. */
#include <stdatomic.h>
#include <string.h>

#include "functional/kelvin/vector_bodies.h"
#include "functional/kelvin/vector_operand.h"

static _Atomic(const struct kelvin_bodies *) selected;

static const struct kelvin_bodies *best(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return &kelvin_bodies_avx2;
#endif
    return &kelvin_bodies_plain;
}

bool kelvin_vector_select(const char *name)
{
    const struct kelvin_bodies *fastest = best();
    const struct kelvin_bodies *bodies = name == NULL || strcmp(name, fastest->name) == 0 ? fastest
                                         : strcmp(name, kelvin_bodies_plain.name) == 0
                                             ? &kelvin_bodies_plain
                                             : NULL;
    if (bodies)
        atomic_store_explicit(&selected, bodies, memory_order_release);
    return bodies != NULL;
}

static const struct kelvin_bodies *the_bodies(void)
{
    const struct kelvin_bodies *bodies = atomic_load_explicit(&selected, memory_order_acquire);
    if (bodies == NULL) {
        bodies = best();
        atomic_store_explicit(&selected, bodies, memory_order_release);
    }
    return bodies;
}

/* The low bits of a scalar, copied to all lanes of 1 << size bytes. */
static union kelvin_register broadcast(uint32_t value, unsigned size)
{
    const uint32_t word = size == 0   ? (value & 0xff) * 0x01010101u
                          : size == 1 ? (value & 0xffff) * 0x00010001u
                                      : value;
    union kelvin_register all;
    for (unsigned i = 0; i < KELVIN_WORDS; i++)
        all.w[i] = word;
    return all;
}

static void on_registers(struct kelvin_vector_state *state, const uint32_t x[32],
                         const struct kelvin_vop *op, kelvin_body *body)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    union kelvin_register scalar;
    struct kelvin_strip strip = {
        .d = &state->v[at[KELVIN_VD]],
        .a = &state->v[at[KELVIN_VS]],
        .b = &state->v[at[KELVIN_VT]],
        .strips = kelvin_strips(form),
        .b_next = 1,
        .slide = (form->step + 1u) << form->size,
    };
    if (form->scalar) {
        const int size = form->size + kelvin_shape(form->family).scalar;
        scalar = broadcast(x[at[KELVIN_T]], (unsigned)size);
        strip.b = &scalar;
        strip.b_next = 0;
    }
    body(&strip);
}

/* --- memory --- */

static bool runs_exist(const struct riscv_memory *memory, const struct kelvin_runs *runs)
{
    for (uint32_t i = 0; i < runs->pieces; i++)
        if (!riscv_memory_has(memory, runs->address + i * runs->stride,
                              i + 1 < runs->pieces ? runs->piece : runs->last))
            return false;
    return true;
}

static enum kelvin_fault load(struct kelvin_vector_state *state, uint32_t x[32],
                              const struct riscv_memory *memory, const struct kelvin_vop *op)
{
    const struct kelvin_runs runs = kelvin_runs(op, x);
    if (!runs_exist(memory, &runs))
        return KELVIN_FAULT_LOAD;
    union kelvin_register *d = &state->v[op->operands.at[KELVIN_VD]];
    for (uint32_t i = 0; i < kelvin_strips(op->form); i++) {
        const uint32_t count = i + 1 < runs.pieces    ? KELVIN_BYTES
                               : i + 1 == runs.pieces ? runs.last
                                                      : 0;
        memset(d[i].b + count, 0, KELVIN_BYTES - count);
        riscv_memory_read(memory, runs.address + i * runs.stride, d[i].b, count);
    }
    if (runs.post && op->operands.at[KELVIN_S])
        x[op->operands.at[KELVIN_S]] = runs.base;
    return KELVIN_FAULT_NONE;
}

static enum kelvin_fault store(const struct kelvin_vector_state *state, uint32_t x[32],
                               struct riscv_memory *memory, const struct kelvin_vop *op)
{
    const struct kelvin_runs runs = kelvin_runs(op, x);
    if (!runs_exist(memory, &runs))
        return KELVIN_FAULT_STORE;
    const uint8_t *d = state->v[op->operands.at[KELVIN_VD]].b;
    for (uint32_t i = 0; i < runs.pieces; i++)
        riscv_memory_write(memory, runs.address + i * runs.stride, d + i * runs.piece,
                           i + 1 < runs.pieces ? runs.piece : runs.last);
    if (runs.post && op->operands.at[KELVIN_S])
        x[op->operands.at[KELVIN_S]] = runs.base;
    return KELVIN_FAULT_NONE;
}

/* --- convolutions --- */

static void extend_by(struct kelvin_products *p, const struct kelvin_control *control)
{
    for (unsigned i = 0; i < 2; i++) {
        p->sign[i] = control->sign[i];
        p->bias[i] = control->bias[i];
    }
}

static void convolve(struct kelvin_vector_state *state, const struct kelvin_control *control,
                     const struct kelvin_vop *op)
{
    struct kelvin_products p = {.start = control->start,
                                .count = control->stop - control->start + 1,
                                .narrow = &state->v[op->operands.at[KELVIN_VS]],
                                .wide = &state->v[op->operands.at[KELVIN_VR]]};
    extend_by(&p, control);
    the_bodies()->aconv(state->accum, &p);
}

/* KELVIN_BYTES bytes starting at byte `at` of two consecutive registers. */
static union kelvin_register part(const union kelvin_register *low,
                                  const union kelvin_register *high, unsigned at)
{
    const union kelvin_register both[2] = {*low, *high};
    union kelvin_register bytes;
    memcpy(&bytes, both[0].b + at, sizeof bytes);
    return bytes;
}

static void convolve_depthwise(struct kelvin_vector_state *state,
                               const struct kelvin_control *control, const struct kelvin_vop *op)
{
    const union kelvin_register *v = &state->v[op->operands.at[KELVIN_VS]];
    const uint8_t *base = kelvin_control_bases[control->base];
    const union kelvin_register previous = v[base[0]], current = v[base[1]], next = v[base[2]];
    union kelvin_register a[3] = {previous, current, next};
    enum { WORD = 4 };            /* words per step of n */
    if (control->sparsity == 1) { /* n - 1, n, n + 1 */
        a[0] = part(&previous, &current, KELVIN_BYTES - WORD);
        a[2] = part(&current, &next, WORD);
    } else if (control->sparsity == 2) { /* n, n + 1, n + 2 */
        a[1] = part(&previous, &current, WORD);
        a[2] = part(&previous, &current, 2 * WORD);
    }
    struct kelvin_products p = {.narrow = a, .wide = &state->v[op->operands.at[KELVIN_VR]]};
    extend_by(&p, control);
    the_bodies()->dwconv(state->dwacc, &p);
    if (op->form->family == KELVIN_vdwconv)
        memcpy(&state->v[op->operands.at[KELVIN_VD]], state->dwacc, sizeof state->dwacc);
}

/* Column j of the sources becomes row j. */
static void transpose(struct kelvin_vector_state *state, const union kelvin_register *from)
{
    for (unsigned i = 0; i < KELVIN_WORDS; i++)
        for (unsigned j = 0; j < KELVIN_WORDS; j++)
            state->accum[j].w[i] = from[i].w[j];
}

/* --- lengths --- */

static void get_length(uint32_t x[32], const struct kelvin_vop *op)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    uint32_t length = KELVIN_BYTES * kelvin_strips(form) >> form->size;
    if (form->family == KELVIN_getvl) {
        if (x[at[KELVIN_S]] < length)
            length = x[at[KELVIN_S]];
        if (form->scalar && at[KELVIN_T] && x[at[KELVIN_T]] < length)
            length = x[at[KELVIN_T]];
    }
    if (at[KELVIN_D])
        x[at[KELVIN_D]] = length;
}

enum kelvin_fault kelvin_vector_execute(struct kelvin_vector_state *state, uint32_t x[32],
                                        struct riscv_memory *memory, const struct kelvin_vop *op)
{
    const struct kelvin_form *form = op->form;
    const uint8_t *at = op->operands.at;
    if (!op->legal)
        return KELVIN_FAULT_OPERANDS;
    kelvin_body *body = the_bodies()->lanes[form->family][form->step & 3][form->size];
    if (body) {
        on_registers(state, x, op, body);
        return KELVIN_FAULT_NONE;
    }
    switch (form->family) {
    case KELVIN_vld:
        return load(state, x, memory, op);
    case KELVIN_vst:
    case KELVIN_vstq:
        return store(state, x, memory, op);
    case KELVIN_aconv:
    case KELVIN_vdwconv:
    case KELVIN_adwconv: {
        const struct kelvin_control control = kelvin_control(x[at[KELVIN_T]]);
        if (!kelvin_control_legal(op, &control))
            return KELVIN_FAULT_CONTROL;
        if (form->family == KELVIN_aconv)
            convolve(state, &control, op);
        else
            convolve_depthwise(state, &control, op);
        break;
    }
    case KELVIN_vcget:
        memcpy(&state->v[KELVIN_ACCUMULATOR_REGISTER], state->accum, sizeof state->accum);
        memset(state->accum, 0, sizeof state->accum);
        break;
    case KELVIN_acset:
        memcpy(state->accum, &state->v[at[KELVIN_VS]], sizeof state->accum);
        break;
    case KELVIN_actr:
        transpose(state, &state->v[at[KELVIN_VS]]);
        break;
    case KELVIN_adwinit:
        memcpy(state->dwacc, &state->v[at[KELVIN_VS]], sizeof state->dwacc);
        break;
    case KELVIN_getmaxvl:
    case KELVIN_getvl:
        get_length(x, op);
        break;
    default:
        break;
    }
    return KELVIN_FAULT_NONE;
}
