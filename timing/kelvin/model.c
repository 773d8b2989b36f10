/* model: costs, units and caches. */
#include "timing/kelvin/model.h"

#include <stdlib.h>
#include <string.h>

const struct param_row kelvin_params[KELVIN_PARAMS] = {
#define PARAM(name, type, sentence) {#name, PARAM_##type, sentence},
#include "timing/kelvin/param.def"
};

/* --- cost of a statement ---------------------------------------------------------------------- */

static void scalar_cost(const struct riscv_op *op, struct kelvin_cost *cost)
{
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    if (riscv_reads_rs1(insn))
        cost->x_reads |= UINT32_C(1) << op->rs1;
    if (riscv_reads_rs2(insn))
        cost->x_reads |= UINT32_C(1) << op->rs2;
    if (riscv_writes_rd(insn))
        cost->x_writes |= UINT32_C(1) << op->rd;
    cost->class = riscv_is_multiply(insn) ? KELVIN_MULTIPLY
                  : riscv_is_divide(insn) ? KELVIN_DIVIDE
                  : riscv_is_load(insn)   ? KELVIN_LOAD
                  : riscv_is_store(insn)  ? KELVIN_STORE
                  : riscv_is_branch(insn) ? KELVIN_BRANCH
                  : riscv_is_csr(insn)    ? KELVIN_CSR_ACCESS
                                          : KELVIN_PLAIN;
    cost->unit = cost->class == KELVIN_MULTIPLY                              ? KELVIN_UNIT_MUL
                 : cost->class == KELVIN_DIVIDE                              ? KELVIN_UNIT_DIV
                 : cost->class == KELVIN_LOAD || cost->class == KELVIN_STORE ? KELVIN_UNIT_DBUS
                                                                             : KELVIN_UNIT_CORE;
    if (cost->unit == KELVIN_UNIT_DBUS) /* funct3 holds the size */
        cost->bytes = (uint8_t)(1U << (riscv_rows[insn].match >> 12 & 3));
    cost->backward = riscv_is_branch(insn) && op->imm < 0;
    switch (insn) {
    case RISCV_JAL:
        cost->class = KELVIN_JUMP;
        break;
    case RISCV_JALR:
        cost->class = KELVIN_JUMP_REGISTER;
        break;
    case RISCV_FENCE:
    case RISCV_FENCE_I:
    case RISCV_EBREAK:
        cost->class = KELVIN_WAIT;
        cost->flush = insn == RISCV_FENCE_I ? KELVIN_FLUSH_CODE : KELVIN_FLUSH_NOTHING;
        break;
    case RISCV_ECALL:
    case RISCV_MRET:
        cost->class = KELVIN_SYSTEM;
        break;
    default:
        break;
    }
}

enum placing { PLACE_ALU, PLACE_BOTH, PLACE_CONV, PLACE_LDST, PLACE_CORE };
enum joining { JOINT_NO, JOINT_SCALAR, JOINT_STRIP };

static void place(enum kelvin_family family, enum placing *unit, enum joining *joint)
{
    switch (family) {
#define COST(name, where, how)                                                                     \
    case KELVIN_##name:                                                                            \
        *unit = PLACE_##where;                                                                     \
        *joint = JOINT_##how;                                                                      \
        break;
#include "timing/kelvin/cost.def"
    case KELVIN_FAMILIES:
        break;
    }
}

static void vector_cost(const struct kelvin_model *m, const struct kelvin_vop *op,
                        struct kelvin_cost *cost)
{
    static const uint8_t units[] = {[PLACE_ALU] = KELVIN_UNIT_ALU0,
                                    [PLACE_BOTH] = KELVIN_UNIT_ALU0,
                                    [PLACE_CONV] = KELVIN_UNIT_CONV,
                                    [PLACE_LDST] = KELVIN_UNIT_LDST,
                                    [PLACE_CORE] = KELVIN_UNIT_CORE};
    static const uint32_t zero[32];
    const enum kelvin_family family = (enum kelvin_family)op->form->family;
    enum placing unit = PLACE_CORE;
    enum joining joint = JOINT_NO;
    struct kelvin_vector_work work = {0};
    place(family, &unit, &joint);
    kelvin_vector_work(op, zero, &work);
    *cost = (struct kelvin_cost){.class = KELVIN_TO_VECTOR,
                                 .unit = units[unit],
                                 .x_reads = work.x_reads,
                                 .x_writes = work.x_writes,
                                 .v_reads = work.reads,
                                 .v_writes = work.writes,
                                 .cycles = op->form->m ? KELVIN_STRIPS : 1,
                                 .strip = op->form->m,
                                 .both = unit == PLACE_BOTH,
                                 .in_turn = unit == PLACE_ALU,
                                 .op = *op};
    if (op->form->m && (joint == JOINT_STRIP || (joint == JOINT_SCALAR && op->form->scalar))) {
        cost->both = true;
        cost->in_turn = cost->strip = false;
        cost->cycles = 1;
    }
    cost->wide = family == KELVIN_aconv || family == KELVIN_vdwconv || family == KELVIN_adwconv;
    if (family == KELVIN_aconv)
        cost->cycles = 0;
    if (family == KELVIN_acset || family == KELVIN_actr)
        cost->cycles = (uint8_t)m->value[KELVIN_PARAM_conv_set];
    if (unit != PLACE_CORE)
        return;
    /* The core treats flog to klog and getvl as arithmetic; flushes wait as fences do. */
    cost->class = family == KELVIN_mpause || family == KELVIN_flushall || family == KELVIN_flushat
                      ? KELVIN_WAIT
                  : family >= KELVIN_eexit && family <= KELVIN_ectxsw ? KELVIN_SYSTEM
                                                                      : KELVIN_PLAIN;
    cost->flush = family == KELVIN_flushall  ? KELVIN_FLUSH_ALL
                  : family == KELVIN_flushat ? KELVIN_FLUSH_LINE
                                             : KELVIN_FLUSH_NOTHING;
    if (family >= KELVIN_flog)
        cost->x_reads |= UINT32_C(1) << (op->operands.at[KELVIN_S] & 31);
}

static void make_cost(struct kelvin_model *m, uint32_t stmt)
{
    const struct riscv_stmt *from = &m->program->image.stmts[stmt];
    struct kelvin_cost *cost = &m->cost[stmt];
    struct kelvin_insn insn;
    kelvin_insn_decode(from->word, &insn);
    *cost = (struct kelvin_cost){.class = KELVIN_SYSTEM, .unit = KELVIN_UNIT_CORE};
    if (insn.kind == KELVIN_SCALAR)
        scalar_cost(&insn.scalar, cost);
    else if (insn.kind != KELVIN_UNDEFINED)
        vector_cost(m, &insn.vector, cost);
    cost->address = from->address;
    cost->x_reads &= ~UINT32_C(1);
    cost->x_writes &= ~UINT32_C(1);
    cost->first = cost->class == KELVIN_CSR_ACCESS || cost->class == KELVIN_WAIT;
    cost->last = cost->class == KELVIN_JUMP || cost->class == KELVIN_JUMP_REGISTER ||
                 cost->class == KELVIN_SYSTEM || cost->class == KELVIN_CSR_ACCESS ||
                 cost->class == KELVIN_WAIT;
}

/* --- creating and freeing --------------------------------------------------------------------- */

static int make_queues(struct kelvin_model *m)
{
    const uint64_t *v = m->value;
    const uint64_t sizes[KELVIN_QUEUES] = {v[KELVIN_PARAM_queue_alu], v[KELVIN_PARAM_queue_alu],
                                           v[KELVIN_PARAM_queue_conv], v[KELVIN_PARAM_queue_ldst]};
    if (fifo_init(&m->fifo, v[KELVIN_PARAM_vector_fifo] + v[KELVIN_PARAM_vector_guard],
                  v[KELVIN_PARAM_vector_delay], 1) != 0)
        return -1;
    for (size_t i = 0; i < KELVIN_QUEUES; i++)
        if (fifo_init(&m->queues[i], sizes[i], 1, 1) != 0)
            return -1;
    return 0;
}

static int make_records(struct kelvin_model *m)
{
    m->streams[0] = (struct path_stream){.unit = KELVIN_UNIT_CORE, .quantum = 1};
    for (uint32_t i = 0; i < KELVIN_QUEUES; i++)
        m->streams[1 + i] = (struct path_stream){.unit = KELVIN_UNIT_ALU0 + i, .quantum = 1};
    const struct path_config config = {.streams = m->streams,
                                       .stream_count = 1 + KELVIN_QUEUES,
                                       .stmt_count = m->program->image.stmt_count,
                                       .remembered = KELVIN_REMEMBERED,
                                       .places = 1,
                                       .no_slack = true,
                                       .context = m};
    return account_init(&m->base.account, KELVIN_UNITS, m->base.sink) ||
                   path_init(&m->base.path, &config)
               ? -1
               : 0;
}

int kelvin_model_init(struct machine_model *model)
{
    struct kelvin_model *m = (struct kelvin_model *)model;
    const struct model_options *options = &model->options;
    m->program = &model->run->program->program;
    model->counters = m->counters;
    const size_t stmts = m->program->image.stmt_count;
    for (size_t i = 0; i < KELVIN_PARAMS; i++)
        m->value[i] = (uint64_t)config_real(options->config, i, options->documented);
    if (!m->value[KELVIN_PARAM_caches]) /* no further level */
        m->value[KELVIN_PARAM_memory_latency] = m->value[KELVIN_PARAM_memory_interval] = 0;
    for (size_t i = 0; i < KELVIN_UNITS; i++)
        m->holders[i] = NO_PRODUCER;
    m->fetched.by = m->redirected.by = m->blocked.by = m->room.by = m->last = NO_PRODUCER;
    m->cost = calloc(stmts + 1, sizeof *m->cost);
    if (!m->cost || kernel_init(&model->kernel, 3, model->kernel.run_ahead) != 0 ||
        resource_init(&m->ports, &model->kernel, 1, NULL, m) != 0 ||
        scoreboard_init(&m->x, 32) != 0 || scoreboard_init(&m->v, KELVIN_REGISTERS) != 0 ||
        kelvin_caches_init(m) != 0 || make_queues(m) != 0 || (model->sink && make_records(m) != 0))
        return -1;
    for (uint32_t i = 0; i < stmts; i++)
        make_cost(m, i);
    kelvin_core_start(m);
    kelvin_vector_start(m);
    return 0;
}

uint64_t kelvin_model_total(const struct machine_model *model)
{
    const struct kelvin_model *m = (const struct kelvin_model *)model;
    uint64_t total = model->finish;
    for (unsigned u = 0; model->options.alone && u < KELVIN_UNITS; u++)
        total = later(total, m->work[u]);
    return total;
}

void kelvin_model_free(struct machine_model *model)
{
    struct kelvin_model *m = (struct kelvin_model *)model;
    kelvin_exec_free(m->copy);
    if (!m->borrowed)
        free(m->steps);
    free(m->cost);
    resource_free(&m->ports);
    scoreboard_free(&m->x);
    scoreboard_free(&m->v);
    cache_free(&m->l0);
    cache_free(&m->l1i);
    cache_free(&m->l1d);
    fifo_free(&m->fifo);
    for (size_t i = 0; i < KELVIN_QUEUES; i++)
        fifo_free(&m->queues[i]);
}
