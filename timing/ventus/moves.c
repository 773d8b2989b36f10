/*
 * moves: what may be moved in a Ventus program (timing/code_moves.h).
 *
 * Places: x1..x63, v0..v255 (a group of two registers if the program sets m2 anywhere), vtype and
 * rpc. A prefix stays with its instruction. Fixed are barriers, fences, atomic accesses, copies,
 * mma64, which may load its operands, the F registers, auipc, whose result depends on its place,
 * and control registers but those that a warp has from its start.
 *
 * Stores keep their order, since other warps may see them. Addresses in vector registers are those
 * of many threads: two accesses of them that may meet keep their order, but for private memory by
 * one register, in which threads never meet.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/riscv/elf.h"
#include "timing/code_moves.h"
#include "timing/ventus/model.h"

enum { PLACE_V = CODE_SCALARS, PLACE_VTYPE = PLACE_V + VENTUS_VREGS, PLACE_RPC };

struct observed {
    const struct ventus_model *m;
    const struct riscv_image *image;
    uint64_t *executed;
    bool *arrives, *fixed;
    uint32_t next; /* where the last warp is */
    bool groups;   /* of two vector registers */
};

/* --- what an instruction does ----------------------------------------------------------------- */

static const struct ventus_op *op_of(const struct observed *o, uint32_t stmt)
{
    return &o->m->launch->ops[(o->image->stmts[stmt].address - o->m->launch->code) / 4];
}

static bool follows(const struct riscv_image *image, uint32_t stmt)
{
    return stmt && image->stmts[stmt - 1].address + 4 == image->stmts[stmt].address;
}

/* A prefix and its instruction, the two words of a long one. */
static uint32_t together(const struct riscv_image *image, uint32_t stmt)
{
    struct ventus_op op;
    const bool more = stmt + 1 < image->stmt_count && follows(image, stmt + 1);
    ventus_decode(image->stmts[stmt].word, more ? &image->stmts[stmt + 1].word : NULL, &op);
    return op.insn != VENTUS_NO_INSN && (ventus_is_prefix(&op) || ventus_size(op.word) == 8) ? 2
                                                                                             : 1;
}

static void put(uint64_t set[CODE_PLACE_WORDS], uint32_t place)
{
    set[place / 64] |= UINT64_C(1) << place % 64;
}

/* Control registers that do not change. */
static bool is_constant(const struct ventus_op *op)
{
    enum { TID = 0x800, GIDZ = 0x80a, VLENB = 0xc22, MHARTID = 0xf14 };
    const struct riscv_op access = {.insn = (uint8_t)op->insn, .rs1 = op->rs1};
    const uint32_t csr = (uint32_t)op->imm & 0xfff;
    return !riscv_writes_csr(&access) &&
           ((csr >= TID && csr <= GIDZ) || csr == VLENB || csr == MHARTID);
}

static void base_effect(const struct ventus_op *op, uint32_t address, struct code_effect *e)
{
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const bool returns = op->rs1 == 1 || op->rs1 == 5; /* ra, t0 */
    if (insn == RISCV_LUI || insn == RISCV_ADDI) {
        e->sums = true;
        e->sum = op->rd;
        e->of = insn == RISCV_LUI ? 0 : op->rs1;
        e->amount = (uint32_t)op->imm;
    }
    e->ends = ventus_is_jump(op);
    e->has_target = e->ends && insn != RISCV_JALR;
    e->target = address + (uint32_t)op->imm;
    e->returns = insn == RISCV_JALR && op->rd == 0 && returns;
    e->calls = insn == RISCV_JALR && op->rd != 0;
    e->computed = insn == RISCV_JALR && !e->returns && !e->calls;
    e->fixed = insn == RISCV_AUIPC || (insn >= RISCV_FENCE && insn <= RISCV_EBREAK) ||
               (riscv_is_csr(insn) && !is_constant(op));
    if (!riscv_is_load(insn) && !riscv_is_store(insn))
        return;
    e->loads = riscv_is_load(insn);
    e->stores = !e->loads;
    e->base = op->rs1;
    e->offset = op->imm;
    e->size = 1U << (riscv_rows[insn].match >> 12 & 3);
}

/* Addresses by one register are compared, but not in groups: their second register gives the same
 * thread a second address. */
static void access_effect(const struct observed *o, const struct ventus_op *op,
                          const struct ventus_prefix *prefix, struct code_effect *e)
{
    const bool private = op->form == FORM_PLOAD || op->form == FORM_PSTORE;
    e->stores = op->body >= BODY_STORE_B && op->body <= BODY_STORE_W;
    e->loads = !e->stores;
    if (!private || prefix->memory || o->groups)
        return;
    e->base = (uint16_t)(PLACE_V + op->rs1);
    e->offset = op->imm;
    e->size = 4;
}

static void vector_effect(const struct observed *o, const struct ventus_op *op,
                          const struct ventus_prefix *prefix, struct code_effect *e)
{
    const uint8_t form = op->form;
    if (form == FORM_VBRANCH || form == FORM_JOIN)
        e->ends = true;
    if (form == FORM_VBRANCH)
        put(e->reads, PLACE_RPC);
    if (form == FORM_SETRPC)
        put(e->writes, PLACE_RPC);
    put(form >= FORM_VSETVLI ? e->writes : e->reads, PLACE_VTYPE);
    e->fixed = form == FORM_ENDPRG || form == FORM_BARRIER || form == FORM_DMA_BARRIER ||
               (form >= FORM_DMA && form <= FORM_DMA_TENSOR) || form == FORM_MMA64 ||
               form == FORM_MMA64I;
    if (form >= FORM_VLOAD && form <= FORM_VSX && !e->fixed)
        access_effect(o, op, prefix, e);
    for (unsigned word = PLACE_V / 64; o->groups && word < PLACE_VTYPE / 64; word++) {
        const uint64_t carried[2] = {e->reads[word] >> 63, e->writes[word] >> 63};
        e->reads[word] |= e->reads[word] << 1;
        e->writes[word] |= e->writes[word] << 1;
        if (word + 1 < PLACE_VTYPE / 64) {
            e->reads[word + 1] |= carried[0];
            e->writes[word + 1] |= carried[1];
        }
    }
}

static void find_effect(const void *context, uint32_t stmt, struct code_effect *e)
{
    const struct observed *o = context;
    const struct ventus_op *op = op_of(o, stmt);
    const size_t index = (size_t)(op - o->m->launch->ops);
    const bool inside = op->insn == VENTUS_NO_INSN && index && ventus_size(op[-1].word) == 8 &&
                        op[-1].insn != VENTUS_NO_INSN;
    const struct ventus_prefix none = {.set = false};
    const struct ventus_prefix prefix = index ? ventus_prefix_of(op - 1) : none;
    struct ventus_op whole = *op;
    *e = (struct code_effect){.fixed = op->insn == VENTUS_NO_INSN && !inside};
    if (op->insn == VENTUS_NO_INSN || ventus_is_prefix(op))
        return;
    if (!ventus_extend(&whole, &prefix)) {
        e->fixed = true;
        return;
    }
    const struct ventus_cost cost = ventus_cost_of(o->m, index);
    memcpy(e->reads, cost.reads, sizeof cost.reads);
    memcpy(e->writes, cost.writes, sizeof cost.writes);
    e->unit = 1U + cost.unit;
    e->busy = cost.interval;
    if (op->form == FORM_RISCV)
        base_effect(&whole, o->image->stmts[stmt].address, e);
    else if (ventus_is_vector(op))
        vector_effect(o, &whole, &prefix, e);
    else
        e->fixed = ventus_is_access(op) || op->form == FORM_FMVWX || op->form == FORM_FMVXW;
    if (op->form == FORM_VBRANCH || op->form == FORM_JOIN) {
        e->has_target = true;
        e->target = o->image->stmts[stmt].address + (uint32_t)op->imm;
    }
    if (prefix.memory && !ventus_is_vector(op))
        e->size = 0;
    e->in_order = e->stores;
}

static uint32_t find_lag(const void *context, uint32_t from, uint32_t to, enum code_dependence kind,
                         uint32_t place)
{
    const struct observed *o = context;
    const struct ventus_cost cost =
        ventus_cost_of(o->m, (size_t)(op_of(o, from) - o->m->launch->ops));
    (void)to;
    (void)place;
    return kind == CODE_WAR ? 1 : 1 + cost.latency + (cost.interval - 1);
}

/* --- what a run shows ------------------------------------------------------------------------- */

static void see_step(void *context, const struct ventus_warp *warp,
                     const struct ventus_effect *effect)
{
    struct observed *o = context;
    const uint32_t stmt = riscv_image_stmt(o->image, effect->pc);
    const struct ventus_launch *launch = o->m->launch;
    (void)warp;
    if (stmt == RISCV_NO_STMT)
        return;
    o->executed[stmt]++;
    if (stmt + 1 < o->image->stmt_count && ventus_size(effect->op->word) == 8)
        o->executed[stmt + 1]++; /* its second word */
    if (effect->next != effect->pc + ventus_size(effect->op->word)) {
        const uint32_t target = riscv_image_stmt(o->image, effect->next);
        if (target != RISCV_NO_STMT)
            o->arrives[target] = true;
    }
    for (uint32_t i = 0; i < effect->access.count; i++) {
        const uint32_t at = effect->access.address[i] - launch->code;
        if (at / 4 < launch->op_count) {
            const uint32_t data = riscv_image_stmt(o->image, launch->code + (at & ~UINT32_C(3)));
            if (data != RISCV_NO_STMT)
                o->fixed[data] = true;
        }
    }
}

static void see_program(struct observed *o, const struct riscv_gets *gets)
{
    for (size_t i = 0; i < gets->count; i++)
        if (gets->items[i].stmt != RISCV_NO_STMT)
            o->arrives[gets->items[i].stmt] = true;
    for (size_t i = 0; i < o->m->launch->op_count; i++) {
        const struct ventus_op *op = &o->m->launch->ops[i];
        o->groups |= op->insn != VENTUS_NO_INSN && op->form >= FORM_VSETVLI &&
                     (op->form == FORM_VSETVL || (op->imm & 7) != 0);
    }
}

static int observe(struct observed *o, struct ventus_run *run, char error[MACHINE_ERROR])
{
    enum { CHUNK = 1 << 20 };
    int more;
    run->observe = see_step;
    run->context = o;
    see_program(o, &run->program->gets);
    while ((more = ventus_run_advance(run, CHUNK, error)) > 0)
        continue;
    run->observe = NULL;
    return more < 0 ? 1 : 0;
}

/* --- moves ------------------------------------------------------------------------------------ */

static const char *refuse(const struct ventus_program *program)
{
    return program->kind == VENTUS_CASE
               ? "the code of a NAME.metadata is bytes in NAME.data: takt print writes a text of it"
           : program->kind == VENTUS_ELF && !riscv_is_elf(&program->sources[0])
               ? "the order is that of the ELF file: name that instead of its NAME.yaml"
               : NULL;
}

static int find(const struct observed *o, const struct ventus_program *program, struct moves *moves,
                char error[MACHINE_ERROR])
{
    struct code code = {.executed = o->executed,
                        .arrives = o->arrives,
                        .fixed = o->fixed,
                        .width = 1,
                        .entry = o->m->launch->start,
                        .context = o,
                        .effect = find_effect,
                        .lag = find_lag};
    if (riscv_pieces_find(&code.pieces, o->image, &program->sources[0], together) != 0)
        return -1;
    return code_moves_find(&code, moves, error, MACHINE_ERROR);
}

int ventus_moves(struct ventus_run *run, const struct ventus_model *model, struct moves *moves,
                 char error[MACHINE_ERROR])
{
    const struct ventus_program *program = run->program;
    const size_t count = program->image.stmt_count + 1;
    const char *why = refuse(program);
    struct observed o = {.m = model, .image = &program->image};
    if (why) {
        snprintf(error, MACHINE_ERROR, "%s", why);
        return 1;
    }
    o.executed = calloc(count, sizeof *o.executed);
    o.arrives = calloc(count, sizeof *o.arrives);
    o.fixed = calloc(count, sizeof *o.fixed);
    int status = o.executed && o.arrives && o.fixed ? 0 : -1;
    if (status == 0)
        status = observe(&o, run, error);
    if (status == 0)
        status = find(&o, program, moves, error);
    free(o.executed);
    free(o.arrives);
    free(o.fixed);
    return status;
}
