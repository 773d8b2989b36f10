/* cost: which registers an instruction reads, which unit it takes, and for how long. */
#include <string.h>

#include "functional/ventus/matrix.h"
#include "timing/ventus/model.h"

static void fill_places(const struct span *spans, size_t count, uint64_t places[VENTUS_PLACE_WORDS])
{
    for (size_t i = 0; i < count; i++) {
        if (spans[i].space == VENTUS_SPACE_X) {
            places[0] |= spans[i].set;
            continue;
        }
        for (uint32_t k = 0; k < spans[i].count; k++) {
            const uint32_t place = VENTUS_XREGS + (spans[i].first + k) % VENTUS_VREGS;
            places[place / 64] |= UINT64_C(1) << place % 64;
        }
    }
}

/* --- operands --------------------------------------------------------------------------------- */

static void add_operand(struct ventus_cost *cost, bool vector, uint32_t reg, uint8_t slot)
{
    if (cost->operand_count < VENTUS_OPERANDS)
        cost->operands[cost->operand_count++] =
            (struct ventus_operand_read){.reg = (uint16_t)reg, .slot = slot, .vector = vector};
}

/* Scalar registers: x0 counts, and one that is named twice counts twice. */
static void add_scalars(struct ventus_cost *cost, const struct ventus_op *op,
                        const struct ventus_prefix *prefix)
{
    if (op->insn == VENTUS_NO_INSN)
        return;
    if (op->form == FORM_RISCV) {
        if (riscv_reads_rs1((enum riscv_insn)op->insn))
            add_operand(cost, false, op->rs1 | (uint32_t)prefix->rs1 << 5, 0);
        if (riscv_reads_rs2((enum riscv_insn)op->insn))
            add_operand(cost, false, op->rs2 | (uint32_t)prefix->rs2 << 5, 1);
        return;
    }
    const char *at = ventus_operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        const uint32_t count = o.pair ? 2 : 1;
        for (uint32_t i = 0; i < count; i++)
            if (o.letter == 'x')
                add_operand(cost, false, (op->rs1 | (uint32_t)prefix->rs1 << 5) + i, 0);
            else if (o.letter == 'y')
                add_operand(cost, false, (op->rs2 | (uint32_t)prefix->rs2 << 5) + i, 1);
            else if (o.letter == 'z')
                add_operand(cost, false, (op->rs3 | (uint32_t)prefix->rs3 << 5) + i, 2);
            else if (o.letter == 'd')
                add_operand(cost, false, (op->rd | (uint32_t)prefix->rd << 5) + i, 2);
    }
}

/* Vector registers: each of a group is a read. */
static void add_vectors(struct ventus_cost *cost, const struct ventus_op *op,
                        const struct ventus_prefix *prefix, const struct work *work)
{
    const uint32_t rs1 = op->rs1 | (uint32_t)prefix->rs1 << 5;
    const uint32_t rs2 = op->rs2 | (uint32_t)prefix->rs2 << 5;
    bool first = false, second = false;
    for (size_t i = 0; i < work->read_count; i++) {
        const struct span *span = &work->reads[i];
        uint8_t slot = 2;
        if (span->space != VENTUS_SPACE_V)
            continue;
        if (span->first == rs2 && !second && op->form != FORM_VLOAD && op->form != FORM_MVV) {
            slot = 1;
            second = true;
        } else if (span->first == rs1 && !first) {
            slot = 0;
            first = true;
        } else if (op->masked && i + 1 == work->read_count) {
            slot = 3;
        }
        for (uint32_t k = 0; k < span->count; k++)
            add_operand(cost, true, span->first + k, slot);
    }
}

uint32_t ventus_bank_reads(const struct ventus_model *m, const struct ventus_cost *cost)
{
    uint32_t taken[2][VENTUS_BANKS] = {{0}}, most = 0;
    for (uint32_t i = 0; i < cost->operand_count; i++) {
        const struct ventus_operand_read *o = &cost->operands[i];
        const uint32_t count = ++taken[o->vector][o->reg % m->value[VENTUS_PARAM_register_banks]];
        most = count > most ? count : most;
    }
    return most;
}

/* --- units ------------------------------------------------------------------------------------ */

static bool is_fused(uint8_t body)
{
    return (body >= BODY_FMADD && body <= BODY_FNMADD) ||
           (body >= BODY_VFMADD && body <= BODY_VFNMSAC);
}

/* Floats: comparisons and signs, multiply-adds, or the rest. */
static void float_cost(const struct ventus_model *m, const struct ventus_op *op,
                       struct ventus_cost *cost)
{
    const uint8_t body = op->body;
    const bool fused = is_fused(body);
    const bool compares = (body >= BODY_VFMIN && body <= BODY_VFMAX) ||
                          (body >= BODY_VFSGNJ && body <= BODY_VFSGNJX) ||
                          (body >= BODY_VMFEQ && body <= BODY_VMFGE) ||
                          (body >= BODY_FSGNJ && body <= BODY_FEQ) || body == BODY_VFCLASS;
    cost->flops = fused ? 2 : 1;
    if (fused) {
        cost->latency = (uint32_t)m->value[VENTUS_PARAM_fma_latency];
        cost->rule = "fma_latency";
    } else if (compares) {
        cost->latency = (uint32_t)m->value[VENTUS_PARAM_compare_latency];
        cost->rule = "compare_latency";
    }
}

static bool divides_integers(const struct ventus_op *op)
{
    return op->form == FORM_RISCV || (op->body >= BODY_VDIVU && op->body <= BODY_VREM);
}

/* Whether rows of the newer chip's RTL show when such a result is there. */
static bool is_seen(const struct ventus_op *op)
{
    static const uint8_t bodies[] = {BODY_VADD,  BODY_VSUB,  BODY_VRSUB, BODY_VAND,   BODY_VOR,
                                     BODY_VXOR,  BODY_VSLL,  BODY_VSRL,  BODY_VSRA,   BODY_VID,
                                     BODY_VMV,   BODY_VFADD, BODY_VFSUB, BODY_VFRSUB, BODY_VFMIN,
                                     BODY_VFMAX, BODY_VFTTA};
    return op->form == FORM_RISCV || is_fused(op->body) || divides_integers(op) ||
           memchr(bodies, op->body, sizeof bodies);
}

struct ventus_cost ventus_cost_of(const struct ventus_model *m, size_t stmt)
{
    const struct ventus_op *op = &m->launch->ops[stmt];
    const struct ventus_prefix none = {.set = false};
    const struct ventus_prefix prefix = stmt ? ventus_prefix_of(&m->launch->ops[stmt - 1]) : none;
    struct ventus_cost cost = {.interval = 1,
                               .jump = ventus_is_jump(op),
                               .vector = ventus_is_vector(op),
                               .prefix = op->insn != VENTUS_NO_INSN && ventus_is_prefix(op)};
    struct ventus_work_storage storage;
    struct work work;
    ventus_work(op, &prefix, &storage, &work);
    fill_places(work.reads, work.read_count, cost.reads);
    fill_places(work.writes, work.write_count, cost.writes);
    add_scalars(&cost, op, &prefix);
    add_vectors(&cost, op, &prefix, &work);
    switch (ventus_class_of(op)) {
#define COST(class, unit_, name)                                                                   \
    case VENTUS_##class:                                                                           \
        cost.unit = VENTUS_UNIT_##unit_;                                                           \
        cost.latency = (uint32_t)m->value[VENTUS_PARAM_##name];                                    \
        cost.rule = #name;                                                                         \
        break;
#include "timing/ventus/cost.def"
    case VENTUS_CLASSES:
        break;
    }
    if (op->form == FORM_VBRANCH || op->form == FORM_JOIN) {
        cost.latency = (uint32_t)m->value[VENTUS_PARAM_simt_latency];
        cost.rule = "simt_latency";
    }
    if (cost.unit == VENTUS_UNIT_FPU)
        float_cost(m, op, &cost);
    else if (cost.unit == VENTUS_UNIT_SFU)
        cost.flops = !divides_integers(op);
    cost.memory = cost.unit == VENTUS_UNIT_LSU;
    if (cost.unit != VENTUS_UNIT_ISSUE && !cost.memory && !is_seen(op))
        cost.latency += (uint32_t)m->value[VENTUS_PARAM_unseen_latency];
    if (op->insn == VENTUS_ENDPRG || op->form == FORM_BARRIER || op->form == FORM_JOIN ||
        ventus_class_of(op) == VENTUS_CSR)
        cost.vector = false;
    else if (op->two && ventus_takes_vtype(op) && !cost.memory && op->body != BODY_VMV_XS)
        cost.interval = 2; /* a pass for each register of a group */
    if (cost.unit == VENTUS_UNIT_TENSOR)
        cost.interval = (uint32_t)m->value[VENTUS_PARAM_tensor_interval] * ventus_matrix_passes(op);
    return cost;
}

/* --- divisions -------------------------------------------------------------------------------- */

/* Bits of a quotient, without zeros in front. */
static uint32_t bits_of(uint32_t dividend, uint32_t divisor, bool is_signed)
{
    const uint32_t a = is_signed && dividend >> 31 ? 0 - dividend : dividend;
    const uint32_t b = is_signed && divisor >> 31 ? 0 - divisor : divisor;
    return !b || a < b ? 0 : (uint32_t)(__builtin_clz(b) - __builtin_clz(a)) + 1;
}

/* At least one, whatever the threads. */
static uint32_t sfu_lanes(const struct ventus_model *m)
{
    const uint32_t by_launch = m->launch->threads / (uint32_t)m->value[VENTUS_PARAM_sfu_threads];
    const uint32_t lanes = (uint32_t)m->value[VENTUS_PARAM_sfu_lanes];
    return lanes ? lanes : by_launch ? by_launch : 1;
}

static uint32_t vector_divide(const struct ventus_model *m, const struct ventus_op *op,
                              const struct ventus_warp *w)
{
    const uint32_t lanes = sfu_lanes(m), threads = m->launch->threads;
    const uint32_t rs1 = op->rs1 | (uint32_t)w->prefix.rs1 << 5;
    const uint32_t rs2 = op->rs2 | (uint32_t)w->prefix.rs2 << 5;
    const bool is_signed = op->body == BODY_VDIV || op->body == BODY_VREM;
    uint32_t cycles = 0;
    for (uint32_t g = 0; g <= (w->vtype & 1); g++)
        for (uint32_t first = 0; first < threads; first += lanes) {
            uint32_t most = 0;
            for (uint32_t lane = first; lane < first + lanes && lane < threads; lane++) {
                const uint32_t by = op->form == FORM_VX ? w->x[rs1 % VENTUS_XREGS]
                                                        : w->v[(rs1 + g) % VENTUS_VREGS][lane];
                const uint32_t of = w->v[(rs2 + g) % VENTUS_VREGS][lane];
                const uint32_t bits = bits_of(of, by, is_signed);
                most = w->active >> lane & 1 && bits > most ? bits : most;
            }
            cycles += (uint32_t)m->value[VENTUS_PARAM_sfu_pass] + most;
        }
    return cycles;
}

uint32_t ventus_interval(const struct ventus_model *m, const struct ventus_cost *cost,
                         const struct ventus_op *op, const struct ventus_warp *w)
{
    const uint32_t pass = (uint32_t)m->value[VENTUS_PARAM_sfu_pass];
    const uint32_t lanes = sfu_lanes(m);
    if (cost->unit != VENTUS_UNIT_SFU)
        return cost->interval;
    if (w && op->form == FORM_RISCV)
        return pass + bits_of(w->x[(op->rs1 | w->prefix.rs1 << 5) % VENTUS_XREGS],
                              w->x[(op->rs2 | w->prefix.rs2 << 5) % VENTUS_XREGS],
                              op->insn == RISCV_DIV || op->insn == RISCV_REM);
    const bool whole = divides_integers(op);
    if (w && whole)
        return vector_divide(m, op, w);
    const uint32_t groups = w && w->vtype & 1 ? 2 : 1;
    const uint32_t passes =
        ventus_is_vector(op) ? (m->launch->threads + lanes - 1) / lanes * groups : 1;
    return passes * (pass + (whole ? 0 : (uint32_t)m->value[VENTUS_PARAM_float_bits]));
}
