/*
 * moves: what may be moved in a Kelvin program (timing/code_moves.h).
 *
 * Places: x1..x31, v0..v63, the two accumulators. What is not in them is fixed: accesses to CSRs,
 * fences, flushes, system and log instructions, auipc, whose result depends on its place, and
 * vdwconv and adwconv, whose registers depend on a value and whose sequences must not be
 * interrupted. The program is executed once: a word that it loads or stores as data is fixed, and
 * so is an instruction that trapped; control can arrive where it arrived.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/kelvin/vector_operand.h"
#include "timing/code_moves.h"
#include "timing/kelvin/model.h"
#include "timing/kelvin/values.h"

enum { PLACE_V = CODE_SCALARS, PLACE_ACCUM = PLACE_V + KELVIN_REGISTERS, PLACE_DWACC };
/* Units of the nodes. */
enum { NODE_DBUS = 1, NODE_MUL, NODE_DIV, NODE_ALU, NODE_CONV, NODE_LDST };

struct observed {
    const struct kelvin_model *m;
    uint64_t *executed;
    bool *arrives, *fixed;
    bool cycles; /* it reads the cycle counter */
};

/* --- what an instruction does ----------------------------------------------------------------- */

static void put(uint64_t set[CODE_PLACE_WORDS], uint32_t place)
{
    set[place / 64] |= UINT64_C(1) << place % 64;
}

static void scalar_effect(const struct kelvin_cost *cost, const struct riscv_op *op,
                          struct code_effect *e)
{
    const bool returns = op->rs1 == 1 || op->rs1 == 5; /* ra, t0 */
    switch ((enum riscv_insn)op->insn) {
    case RISCV_LUI:
    case RISCV_ADDI:
        e->sums = true;
        e->sum = op->rd;
        e->of = op->insn == RISCV_LUI ? 0 : op->rs1;
        e->amount = (uint32_t)op->imm;
        break;
    case RISCV_AUIPC:
        e->fixed = true;
        break;
    case RISCV_JALR:
        e->returns = op->rd == 0 && returns;
        e->calls = op->rd != 0;
        e->computed = !e->returns && !e->calls;
        break;
    default:
        break;
    }
    e->ends = cost->class == KELVIN_BRANCH || cost->class == KELVIN_JUMP ||
              cost->class == KELVIN_JUMP_REGISTER;
    e->has_target = e->ends && op->insn != RISCV_JALR;
    e->target = cost->address + (uint32_t)op->imm;
    e->loads = cost->class == KELVIN_LOAD;
    e->stores = cost->class == KELVIN_STORE;
    e->base = op->rs1;
    e->offset = op->imm;
    e->size = cost->bytes;
}

/* Loads and stores of vector registers. An address that depends on a second register is unknown, a
 * length only makes the access shorter. */
static void access_effect(const struct kelvin_cost *cost, struct code_effect *e)
{
    static const uint32_t zero[32];
    const struct kelvin_form *form = cost->op.form;
    uint32_t x[32] = {0};
    struct kelvin_vector_work longest;
    x[cost->op.operands.at[KELVIN_T]] = UINT32_MAX >> 8;
    x[cost->op.operands.at[KELVIN_S]] = 0;
    kelvin_vector_work(&cost->op, x, &longest);
    const bool fixed_rows = longest.stride == longest.piece || longest.pieces == 1;
    const struct kelvin_runs runs = kelvin_runs(&cost->op, zero);
    e->loads = longest.load;
    e->stores = longest.store;
    e->base = cost->op.operands.at[KELVIN_S];
    e->size = fixed_rows ? longest.piece * longest.pieces : 0;
    if (cost->x_writes && !form->scalar) {
        e->sums = true;
        e->sum = e->of = cost->op.operands.at[KELVIN_S];
        e->amount = runs.base;
    }
}

static void vector_effect(const struct kelvin_cost *cost, struct code_effect *e)
{
    static const uint32_t zero[32];
    const uint8_t *at = cost->op.operands.at;
    const enum kelvin_family family = (enum kelvin_family)cost->op.form->family;
    struct kelvin_vector_work work;
    kelvin_vector_work(&cost->op, zero, &work);
    if (family == KELVIN_aconv) { /* as much as a control word can say */
        work.reads = UINT64_C(0xff) << at[KELVIN_VS] | UINT64_C(0xff) << at[KELVIN_VR];
        work.accum_reads = work.accum_writes = true;
    }
    e->fixed = !cost->op.legal || family == KELVIN_vdwconv || family == KELVIN_adwconv;
    e->reads[PLACE_V / 64] = work.reads;
    e->writes[PLACE_V / 64] = work.writes;
    if (work.accum_reads)
        put(e->reads, PLACE_ACCUM);
    if (work.accum_writes)
        put(e->writes, PLACE_ACCUM);
    if (work.dwacc_writes)
        put(e->writes, PLACE_DWACC);
    if (cost->unit == KELVIN_UNIT_LDST)
        access_effect(cost, e);
}

/* The unit that it takes, in the scheduler's view: of the two vector ALUs one that is twice as
 * fast. */
static void take_unit(const struct kelvin_model *m, const struct kelvin_cost *cost,
                      struct code_effect *e)
{
    static const uint8_t units[KELVIN_UNITS] = {
        [KELVIN_UNIT_DBUS] = NODE_DBUS, [KELVIN_UNIT_MUL] = NODE_MUL,
        [KELVIN_UNIT_DIV] = NODE_DIV,   [KELVIN_UNIT_ALU0] = NODE_ALU,
        [KELVIN_UNIT_CONV] = NODE_CONV, [KELVIN_UNIT_LDST] = NODE_LDST};
    static const struct kelvin_step half = {.quotient = 16};
    const char *rule;
    e->unit = units[cost->unit];
    e->busy = cost->class == KELVIN_DIVIDE      ? (uint32_t)kelvin_latency(m, cost, &half, &rule)
              : cost->class != KELVIN_TO_VECTOR ? 1
              : cost->in_turn                   ? cost->cycles / 2U
              : cost->cycles                    ? cost->cycles
                                                : KELVIN_WORDS;
    if (!e->busy)
        e->unit = 0;
}

static void find_effect(const void *context, uint32_t stmt, struct code_effect *e)
{
    const struct kelvin_model *m = context;
    const struct kelvin_cost *cost = &m->cost[stmt];
    struct kelvin_insn insn;
    kelvin_insn_decode(m->program->image.stmts[stmt].word, &insn);
    *e = (struct code_effect){.reads = {cost->x_reads}, .writes = {cost->x_writes}};
    if (insn.kind == KELVIN_SCALAR)
        scalar_effect(cost, &insn.scalar, e);
    else if (cost->class == KELVIN_TO_VECTOR)
        vector_effect(cost, e);
    else
        e->fixed = insn.kind == KELVIN_UNDEFINED || insn.vector.form->family > KELVIN_getvl;
    e->fixed |= cost->class == KELVIN_CSR_ACCESS || cost->class == KELVIN_SYSTEM ||
                cost->class == KELVIN_WAIT;
    take_unit(m, cost, e);
}

/* --- distances -------------------------------------------------------------------------------- */

static uint32_t vector_lag(const struct kelvin_model *m, const struct kelvin_cost *from,
                           const struct kelvin_cost *to)
{
    const uint64_t beats = (from->strip && to->strip) || !from->cycles ? 0 : from->cycles - 1U;
    const uint64_t result = from->unit == KELVIN_UNIT_LDST ? m->value[KELVIN_PARAM_load_latency] +
                                                                 m->value[KELVIN_PARAM_vload_write]
                                                           : m->value[KELVIN_PARAM_vector_latency];
    return (uint32_t)(beats + result +
                      (to->unit == KELVIN_UNIT_CONV ? m->value[KELVIN_PARAM_conv_wait] : 0));
}

static uint32_t find_lag(const void *context, uint32_t from, uint32_t to, enum code_dependence kind,
                         uint32_t place)
{
    static const struct kelvin_step half = {.quotient = 16};
    const struct kelvin_model *m = context;
    const struct kelvin_cost *earlier = &m->cost[from];
    const char *rule;
    if (place >= PLACE_ACCUM)
        return 1;
    if (kind != CODE_RAW)
        return place >= PLACE_V && kind == CODE_WAW;
    return place >= PLACE_V ? vector_lag(m, earlier, &m->cost[to])
                            : (uint32_t)kelvin_latency(m, earlier, &half, &rule);
}

/* --- what a run shows ------------------------------------------------------------------------- */

/* Words of code in [from, from + size) are data. */
static void see_data(struct observed *o, uint32_t from, uint32_t size)
{
    for (uint32_t at = from & ~UINT32_C(3); size && at - from + 3 < size + 3; at += 4) {
        const uint32_t slot = kelvin_program_slot(o->m->program, at);
        const uint32_t stmt =
            slot == UINT32_MAX ? RISCV_NO_STMT : riscv_image_stmt(&o->m->program->image, at);
        if (stmt != RISCV_NO_STMT)
            o->fixed[stmt] = true;
    }
}

static void see_access(struct observed *o, const struct kelvin_cost *cost,
                       const struct kelvin_step *step)
{
    if (cost->class == KELVIN_LOAD || cost->class == KELVIN_STORE)
        see_data(o, step->address, cost->bytes);
    for (uint32_t i = 0; cost->unit == KELVIN_UNIT_LDST && i < step->pieces; i++)
        see_data(o, step->address + i * step->stride, step->piece);
}

static void see_step(struct observed *o, const struct kelvin_step *step, bool *jumped)
{
    const struct kelvin_cost *cost = &o->m->cost[step->stmt];
    struct kelvin_insn insn;
    kelvin_insn_decode(o->m->program->image.stmts[step->stmt].word, &insn);
    o->cycles |= insn.cycles;
    o->executed[step->stmt]++;
    o->arrives[step->stmt] |= *jumped;
    *jumped = step->taken;
    if (step->taken && cost->class != KELVIN_BRANCH && !cost->last)
        o->fixed[step->stmt] = true; /* it trapped */
    see_access(o, cost, step);
}

static int observe(struct observed *o, struct kelvin_exec *exec, uint64_t most)
{
    enum { CHUNK = 256 };
    struct kelvin_step steps[CHUNK];
    const struct riscv_gets *gets = &o->m->program->gets;
    bool jumped = true;
    while (kelvin_exec_end(exec) == KELVIN_RUNS && kelvin_exec_done(exec) < most) {
        const uint64_t count = kelvin_exec_advance(exec, CHUNK, steps);
        for (uint64_t i = 0; i < count; i++)
            see_step(o, &steps[i], &jumped);
        if (!count)
            break;
    }
    for (size_t i = 0; i < gets->count; i++)
        if (gets->items[i].stmt != RISCV_NO_STMT)
            o->arrives[gets->items[i].stmt] = true;
    return 0;
}

/* --- moves ------------------------------------------------------------------------------------ */

static int find(const struct observed *o, struct moves *moves, char error[MACHINE_ERROR])
{
    const struct kelvin_program *program = o->m->program;
    struct code code = {.executed = o->executed,
                        .arrives = o->arrives,
                        .fixed = o->fixed,
                        .width = (uint32_t)o->m->value[KELVIN_PARAM_dispatch_width],
                        .entry = program->image.entry,
                        .context = o->m,
                        .effect = find_effect,
                        .lag = find_lag};
    if (o->cycles) {
        snprintf(error, MACHINE_ERROR,
                 "it reads the cycle counter: its values depend on the time of any order");
        return 1;
    }
    if (riscv_pieces_find(&code.pieces, &program->image, &program->sources[0], NULL) != 0)
        return -1;
    return code_moves_find(&code, moves, error, MACHINE_ERROR);
}

int kelvin_moves(struct kelvin_exec *exec, const struct kelvin_model *model, uint64_t most,
                 struct moves *moves, char error[MACHINE_ERROR])
{
    const size_t count = model->program->image.stmt_count + 1;
    struct observed o = {.m = model,
                         .executed = calloc(count, sizeof *o.executed),
                         .arrives = calloc(count, sizeof *o.arrives),
                         .fixed = calloc(count, sizeof *o.fixed)};
    int status = o.executed && o.arrives && o.fixed ? 0 : -1;
    if (status == 0)
        status = observe(&o, exec, most);
    if (status == 0)
        status = find(&o, moves, error);
    free(o.executed);
    free(o.arrives);
    free(o.fixed);
    return status;
}
