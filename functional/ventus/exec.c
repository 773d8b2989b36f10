#include "functional/ventus/exec.h"

#include <stdarg.h>
#include <string.h>

#include "functional/ventus/work.h"

int ventus_fault(struct ventus_exec *exec, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(exec->error, sizeof exec->error, format, arguments);
    va_end(arguments);
    return 1;
}

static uint32_t all_lanes(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

void ventus_group_start(const struct ventus_exec *exec, struct ventus_group *group, uint32_t number,
                        uint32_t slot)
{
    const struct ventus_launch *launch = exec->launch;
    const uint32_t threads = launch->threads * launch->warps;
    struct ventus_warp *warps = group->warps;
    *group = (struct ventus_group){.x = number % launch->grid[0],
                                   .y = number / launch->grid[0] % launch->grid[1],
                                   .z = number / launch->grid[0] / launch->grid[1],
                                   .slot = slot,
                                   .local = VENTUS_LOCAL_BASE + slot * launch->local,
                                   .private_base =
                                       launch->private_base + number * threads * launch->private,
                                   .count = launch->warps,
                                   .warps = warps};
    memset(warps, 0, launch->warps * sizeof *warps);
    for (uint32_t w = 0; w < launch->warps; w++) {
        warps[w].pc = launch->start;
        warps[w].active = all_lanes(launch->threads);
        warps[w].vl = launch->threads;
        warps[w].vtype = 0xd0;
        warps[w].mstatus = UINT32_C(0x80000600); /* vector state dirty */
        warps[w].reserved = UINT32_MAX;
        warps[w].x_known = 1;
        warps[w].number = w;
        warps[w].group = group;
    }
}

/* --- control registers ------------------------------------------------------------------------ */

enum {
    CSR_FFLAGS = 1,
    CSR_FRM = 2,
    CSR_FCSR = 3,
    CSR_VSTART = 8,
    CSR_VXSAT = 9,
    CSR_VXRM = 10,
    CSR_VCSR = 15,
    CSR_MSTATUS = 0x300,
    CSR_MTVEC = 0x305,
    CSR_TID = 0x800,
    CSR_NUMW,
    CSR_NUMT,
    CSR_KNL,
    CSR_WGID,
    CSR_WID,
    CSR_LDS,
    CSR_PDS,
    CSR_GIDX,
    CSR_GIDY,
    CSR_GIDZ,
    CSR_PRINT,
    CSR_RPC,
    CSR_VL = 0xc20,
    CSR_VTYPE = 0xc21,
    CSR_VLENB = 0xc22,
    CSR_MHARTID = 0xf14
};

static int read_csr(struct ventus_exec *exec, const struct ventus_warp *w, uint32_t csr,
                    uint32_t *value)
{
    const struct ventus_launch *launch = exec->launch;
    switch (csr) {
    case CSR_FFLAGS:
        *value = w->fcsr.flags;
        return 0;
    case CSR_FRM:
        *value = w->fcsr.rounding;
        return 0;
    case CSR_FCSR:
        *value = (uint32_t)w->fcsr.rounding << 5 | w->fcsr.flags;
        return 0;
    case CSR_VSTART:
        *value = w->vstart;
        return 0;
    case CSR_VXSAT:
        *value = w->vxsat;
        return 0;
    case CSR_VXRM:
        *value = w->vxrm;
        return 0;
    case CSR_VCSR:
        *value = w->vxrm << 1 | w->vxsat;
        return 0;
    case CSR_MSTATUS:
        *value = w->mstatus;
        return 0;
    case CSR_MTVEC:
        *value = w->mtvec;
        return 0;
    case CSR_TID:
        *value = w->number * launch->threads;
        return 0;
    case CSR_NUMW:
        *value = launch->warps;
        return 0;
    case CSR_NUMT:
        *value = launch->threads;
        return 0;
    case CSR_KNL:
        *value = launch->metadata;
        return 0;
    case CSR_WGID:
        *value = w->group->slot;
        return 0;
    case CSR_WID:
        *value = w->number;
        return 0;
    case CSR_LDS:
        *value = w->group->local;
        return 0;
    case CSR_PDS:
        *value = w->group->private_base + w->number * launch->threads * 4;
        return 0;
    case CSR_GIDX:
        *value = w->group->x;
        return 0;
    case CSR_GIDY:
        *value = w->group->y;
        return 0;
    case CSR_GIDZ:
        *value = w->group->z;
        return 0;
    case CSR_PRINT:
        *value = w->print;
        return 0;
    case CSR_RPC:
        *value = w->rpc;
        return 0;
    case CSR_VL:
        *value = w->vl;
        return 0;
    case CSR_VTYPE:
        *value = w->vtype;
        return 0;
    case CSR_VLENB:
        *value = 4 * launch->threads;
        return 0;
    case CSR_MHARTID:
        *value = w->number;
        return 0;
    default:
        return ventus_fault(exec, "there is no control register 0x%03x", csr);
    }
}

static int write_csr(struct ventus_exec *exec, struct ventus_warp *w, uint32_t csr, uint32_t value)
{
    const uint32_t fields[] = {3u << 9, 3u << 13}; /* VS and FS: what is written makes them dirty */
    switch (csr) {
    case CSR_FFLAGS:
        w->fcsr.flags = value & 31;
        break;
    case CSR_FRM:
        w->fcsr.rounding = value & 7;
        break;
    case CSR_FCSR:
        w->fcsr.flags = value & 31;
        w->fcsr.rounding = value >> 5 & 7;
        break;
    case CSR_VSTART:
        w->vstart = value;
        break;
    case CSR_VXSAT:
        w->vxsat = value & 1;
        break;
    case CSR_VXRM:
        w->vxrm = value & 3;
        break;
    case CSR_VCSR:
        w->vxsat = value & 1;
        w->vxrm = value >> 1 & 3;
        break;
    case CSR_MSTATUS:
        w->mstatus = value & ~UINT32_C(0x80000000);
        for (int i = 0; i < 2; i++)
            if (w->mstatus & fields[i])
                w->mstatus |= fields[i] | UINT32_C(0x80000000);
        break;
    case CSR_MTVEC:
        w->mtvec = value & ~UINT32_C(2);
        break;
    case CSR_PRINT:
        w->print = value;
        break;
    case CSR_RPC:
        w->rpc = value;
        break;
    default:
        return ventus_fault(exec, "control register 0x%03x cannot be written", csr);
    }
    ventus_note(exec, csr, VENTUS_KEY_CSR);
    return 0;
}

static int step_csr(struct ventus_exec *exec, struct ventus_warp *w, const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const uint32_t csr = (uint32_t)op->imm & 0xfff;
    const bool immediate = op->insn >= RISCV_CSRRWI;
    const uint32_t operand = immediate ? op->rs1 : w->x[e->rs1];
    const bool whole = op->insn == RISCV_CSRRW || op->insn == RISCV_CSRRWI;
    const bool clear = op->insn == RISCV_CSRRC || op->insn == RISCV_CSRRCI;
    uint32_t old = 0;
    if (read_csr(exec, w, csr, &old) != 0)
        return 1;
    if ((whole || op->rs1) && write_csr(exec, w, csr,
                                        whole   ? operand
                                        : clear ? old & ~operand
                                                : old | operand) != 0)
        return 1;
    ventus_write_x(exec, w, e->rd, old);
    return 0;
}

/* --- configuration ---------------------------------------------------------------------------- */

/* Lanes of 32 bits, one or two registers a group. */
static void set_vector(struct ventus_exec *exec, struct ventus_warp *w,
                       const struct ventus_effect *e, uint32_t type, uint32_t wanted, bool most)
{
    const bool known = (type & ~UINT32_C(0xc0)) == 0x10 || (type & ~UINT32_C(0xc0)) == 0x11;
    const uint32_t room = exec->launch->threads << (type & 1);
    w->vtype = known ? type : UINT32_C(0x80000000);
    w->vl = !known ? 0 : most || wanted > room ? room : wanted;
    w->vstart = 0;
    ventus_note(exec, CSR_MSTATUS, VENTUS_KEY_CSR);
    ventus_note(exec, CSR_VTYPE, VENTUS_KEY_CSR);
    ventus_note(exec, CSR_VL, VENTUS_KEY_CSR);
    ventus_note(exec, CSR_VSTART, VENTUS_KEY_CSR);
    ventus_write_x(exec, w, e->rd, w->vl);
}

static void step_vector_set(struct ventus_exec *exec, struct ventus_warp *w,
                            const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    if (op->form == FORM_VSETIVLI) {
        set_vector(exec, w, e, (uint32_t)op->imm, op->rs1, false);
        return;
    }
    const uint32_t type = op->form == FORM_VSETVL ? w->x[e->rs2] : (uint32_t)op->imm;
    const uint32_t wanted = e->rs1 ? w->x[e->rs1] : w->vl;
    set_vector(exec, w, e, type, wanted, !e->rs1 && e->rd);
}

/* --- branches of threads ---------------------------------------------------------------------- */

static bool lane_jumps(uint8_t body, uint32_t a, uint32_t b)
{
    switch (body) {
    case BODY_VBEQ:
        return a == b;
    case BODY_VBNE:
        return a != b;
    case BODY_VBLT:
        return (int32_t)a < (int32_t)b;
    case BODY_VBGE:
        return (int32_t)a >= (int32_t)b;
    case BODY_VBLTU:
        return a < b;
    default:
        return a >= b;
    }
}

static int step_branch(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const uint32_t target = e->pc + (uint32_t)e->op->imm, count = exec->launch->threads;
    uint32_t jump = 0;
    for (uint32_t i = 0; i < count; i++)
        if (lane_jumps(e->op->body, w->v[e->rs2][i], w->v[e->rs1][i]))
            jump |= UINT32_C(1) << i;
    jump &= w->active;
    const uint32_t stay = w->active & ~jump;
    e->mask = w->active;
    w->vstart = 0;
    ventus_note(exec, 0, VENTUS_KEY_HINT);
    ventus_note(exec, CSR_VSTART, VENTUS_KEY_CSR);
    if (!jump || !stay) {
        e->next = w->npc = jump ? target : e->pc + 4;
        return 0;
    }
    if (w->depth + 2 > VENTUS_STACK)
        return ventus_fault(exec, "the SIMT stack of %d entries is full", VENTUS_STACK);
    const bool jump_first = __builtin_popcount(jump) <= __builtin_popcount(stay);
    w->stack[w->depth++] = (struct ventus_path){w->rpc, w->rpc, w->active};
    w->stack[w->depth++] =
        (struct ventus_path){w->rpc, jump_first ? e->pc + 4 : target, jump_first ? stay : jump};
    w->active = jump_first ? jump : stay;
    e->next = w->npc = jump_first ? target : e->pc + 4;
    return 0;
}

static void step_join(struct ventus_warp *w, struct ventus_effect *e)
{
    e->mask = w->active;
    if (!w->depth || w->stack[w->depth - 1].rpc != e->pc)
        return;
    const struct ventus_path *top = &w->stack[--w->depth];
    w->active = top->mask;
    e->next = w->npc = top->pc;
}

static int step_barrier(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    if (w->depth)
        return ventus_fault(exec, "a barrier in a branch that not all threads of the warp take");
    if (e->op->body == BODY_BARRIERSUB) /* of one warp, which goes in step */
        return 0;
    e->barrier = true;
    w->state = VENTUS_WAITS;
    w->group->waiting++;
    return 0;
}

/* The workgroup goes on when each of its warps waits or has ended. */
static void release(struct ventus_group *group)
{
    if (!group->waiting || group->waiting + group->ended < group->count)
        return;
    for (struct ventus_warp *w = group->warps; w < group->warps + group->count; w++)
        if (w->state == VENTUS_WAITS)
            w->state = VENTUS_RUNS;
    group->waiting = 0;
}

static int step_end(struct ventus_exec *exec, struct ventus_warp *w)
{
    if (w->depth)
        return ventus_fault(exec, "endprg in a branch that not all threads of the warp take");
    w->state = VENTUS_ENDED;
    w->group->ended++;
    return 0;
}

static int step_task(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    switch (e->op->form) {
    case FORM_VBRANCH:
        return step_branch(exec, w, e);
    case FORM_JOIN:
        step_join(w, e);
        return 0;
    case FORM_SETRPC:
        w->rpc = w->x[e->rs1] + (uint32_t)e->op->imm;
        ventus_note(exec, CSR_RPC, VENTUS_KEY_CSR);
        ventus_write_x(exec, w, e->rd, w->rpc);
        return 0;
    case FORM_BARRIER:
        return step_barrier(exec, w, e);
    case FORM_ENDPRG:
        return step_end(exec, w);
    case FORM_REGEXT:
        w->prefix = ventus_prefix_of(e->op);
        return 0;
    default:
        step_vector_set(exec, w, e);
        return 0;
    }
}

/* --- scalars ---------------------------------------------------------------------------------- */

static int step_base(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const uint32_t a = w->x[e->rs1], imm = (uint32_t)op->imm;
    if (riscv_is_load(insn) || riscv_is_store(insn))
        return ventus_step_access(exec, w, e);
    if (riscv_is_csr(insn))
        return step_csr(exec, w, e);
    if (riscv_is_branch(insn)) {
        if (riscv_branch_taken(insn, a, w->x[e->rs2]))
            e->next = e->pc + imm;
        return 0;
    }
    switch (insn) {
    case RISCV_ECALL:
    case RISCV_EBREAK:
        return ventus_fault(exec, "ecall and ebreak are none of Ventus");
    case RISCV_FENCE:
        return 0;
    case RISCV_LUI:
        ventus_write_x(exec, w, e->rd, imm);
        return 0;
    case RISCV_AUIPC:
        ventus_write_x(exec, w, e->rd, e->pc + imm);
        return 0;
    case RISCV_JAL:
        e->next = e->pc + imm;
        ventus_write_x(exec, w, e->rd, e->pc + 4);
        return 0;
    case RISCV_JALR:
        e->next = (a + imm) & ~UINT32_C(1);
        ventus_write_x(exec, w, e->rd, e->pc + 4);
        return 0;
    default:
        ventus_write_x(exec, w, e->rd,
                       riscv_alu(insn, a, riscv_reads_rs2(insn) ? w->x[e->rs2] : imm));
        return 0;
    }
}

static uint64_t pair(const struct ventus_warp *w, uint32_t reg)
{
    return (uint64_t)w->x[reg + 1] << 32 | w->x[reg];
}

static int step_pairs(struct ventus_exec *exec, struct ventus_warp *w,
                      const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const bool registers = op->form == FORM_RW;
    if ((e->rd | e->rs1 | (registers ? e->rs2 : 0)) & 1)
        return ventus_fault(exec, "a pair of registers begins at an even one");
    const uint64_t a = pair(w, e->rs1);
    const uint64_t b = registers ? pair(w, e->rs2) : (uint64_t)(int64_t)op->imm;
    uint64_t value = 0;
    switch (op->body) {
    case BODY_ADD64:
        value = a + b;
        break;
    case BODY_SUB64:
        value = a - b;
        break;
    case BODY_SLL64:
        value = a << (b & 63);
        break;
    case BODY_SRL64:
        value = a >> (b & 63);
        break;
    default:
        value = (uint64_t)((int64_t)a >> (b & 63));
        break;
    }
    if (e->rd) {
        ventus_write_x(exec, w, e->rd, (uint32_t)value);
        ventus_write_x(exec, w, e->rd + 1u, (uint32_t)(value >> 32));
    }
    return 0;
}

static int step_float(struct ventus_exec *exec, struct ventus_warp *w,
                      const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    struct ventus_fcsr fcsr = w->fcsr;
    const bool rounds = op->form == FORM_FR || op->form == FORM_FR1 || op->form == FORM_FR4;
    const uint32_t a = w->x[e->rs1], b = w->x[e->rs2], c = w->x[e->rs3];
    const uint32_t sign = UINT32_C(0x80000000);
    uint32_t r = 0;
    if (rounds && op->rounding != 7)
        fcsr.rounding = op->rounding;
    if (rounds && fcsr.rounding > VENTUS_RMM)
        return ventus_fault(exec, "there is no rounding mode %u", fcsr.rounding);
    fcsr.flags = 0;
    switch (op->body) {
    case BODY_FADD:
        r = ventus_f32_add(a, b, &fcsr);
        break;
    case BODY_FSUB:
        r = ventus_f32_add(a, b ^ sign, &fcsr);
        break;
    case BODY_FMUL:
        r = ventus_f32_mul(a, b, &fcsr);
        break;
    case BODY_FDIV:
        r = ventus_f32_div(a, b, &fcsr);
        break;
    case BODY_FSQRT:
        r = ventus_f32_sqrt(a, &fcsr);
        break;
    case BODY_FSGNJ:
        r = (a & ~sign) | (b & sign);
        break;
    case BODY_FSGNJN:
        r = (a & ~sign) | (~b & sign);
        break;
    case BODY_FSGNJX:
        r = a ^ (b & sign);
        break;
    case BODY_FMIN:
        r = ventus_f32_min(a, b, &fcsr);
        break;
    case BODY_FMAX:
        r = ventus_f32_max(a, b, &fcsr);
        break;
    case BODY_FLE:
        r = ventus_f32_le(a, b, &fcsr);
        break;
    case BODY_FLT:
        r = ventus_f32_lt(a, b, &fcsr);
        break;
    case BODY_FEQ:
        r = ventus_f32_eq(a, b, &fcsr);
        break;
    case BODY_FCVT_W:
        r = ventus_f32_to_int(a, true, &fcsr);
        break;
    case BODY_FCVT_WU:
        r = ventus_f32_to_int(a, false, &fcsr);
        break;
    case BODY_FCVT_SW:
        r = ventus_f32_of_int(a, true, &fcsr);
        break;
    case BODY_FCVT_SWU:
        r = ventus_f32_of_int(a, false, &fcsr);
        break;
    case BODY_FCLASS:
        r = ventus_f32_class(a);
        break;
    case BODY_FMADD:
        r = ventus_f32_fma(a, b, c, &fcsr);
        break;
    case BODY_FMSUB:
        r = ventus_f32_fma(a, b, c ^ sign, &fcsr);
        break;
    case BODY_FNMSUB:
        r = ventus_f32_fma(a ^ sign, b, c, &fcsr);
        break;
    default:
        r = ventus_f32_fma(a ^ sign, b, c ^ sign, &fcsr);
        break;
    }
    ventus_write_x(exec, w, e->rd, r);
    if (fcsr.flags) {
        w->fcsr.flags |= fcsr.flags;
        ventus_note(exec, CSR_FFLAGS, VENTUS_KEY_CSR);
    }
    return 0;
}

static int step_scalar(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    switch (e->op->form) {
    case FORM_RISCV:
        return step_base(exec, w, e);
    case FORM_RW:
    case FORM_IW:
    case FORM_SHIFTW:
        return step_pairs(exec, w, e);
    case FORM_AMO:
    case FORM_LR:
    case FORM_AMO64:
    case FORM_LR64:
    case FORM_LOAD64:
    case FORM_STORE64:
        return ventus_step_access(exec, w, e);
    case FORM_FMVWX:
        w->f[e->rd & 31] = UINT64_C(0xffffffff00000000) | w->x[e->rs1];
        ventus_note(exec, e->rd & 31, VENTUS_KEY_F);
        return 0;
    case FORM_FMVXW:
        ventus_write_x(exec, w, e->rd, (uint32_t)w->f[e->rs1 & 31]);
        return 0;
    default:
        return step_float(exec, w, e);
    }
}

/* --- a step ----------------------------------------------------------------------------------- */

uint32_t ventus_lanes(const struct ventus_exec *exec, const struct ventus_warp *w,
                      const struct ventus_op *op, uint32_t g)
{
    const uint32_t threads = exec->launch->threads, before = g * threads;
    const uint32_t count = w->vl <= before            ? 0
                           : w->vl - before < threads ? w->vl - before
                                                      : threads;
    uint32_t mask = w->active & all_lanes(count);
    if (op->masked)
        for (uint32_t i = 0; i < threads; i++)
            if (!(w->v[g][i] & 1))
                mask &= ~(UINT32_C(1) << i);
    return mask;
}

static bool is_scalar_register(uint32_t reg)
{
    return reg < VENTUS_XREGS;
}

/* Register numbers with the bits of the prefix; false when there is no such register. */
static bool extend(const struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const struct ventus_prefix *p = &w->prefix;
    e->rd = (uint8_t)(op->rd | p->rd << 5);
    e->rs1 = (uint8_t)(op->rs1 | p->rs1 << 5);
    e->rs2 = (uint8_t)(op->rs2 | p->rs2 << 5);
    /* Without a prefix the third source of a vector stands in vd. */
    e->rs3 = (uint8_t)((ventus_is_vector(op) ? op->rd : op->rs3) | p->rs3 << 5);
    if (!ventus_is_vector(op))
        return is_scalar_register(e->rd) && is_scalar_register(e->rs1) &&
               is_scalar_register(e->rs2) && is_scalar_register(e->rs3);
    switch (op->form) {
    case FORM_VX:
    case FORM_VXM:
    case FORM_MVX:
    case FORM_VLE:
    case FORM_VSE:
    case FORM_VLX:
    case FORM_VSX:
        return is_scalar_register(e->rs1);
    case FORM_MVXS:
        return is_scalar_register(e->rd);
    case FORM_SETRPC:
    case FORM_VSETVLI:
    case FORM_VSETVL:
    case FORM_VLSE:
    case FORM_VSSE:
        return is_scalar_register(e->rs1) && (op->form != FORM_SETRPC || is_scalar_register(e->rd));
    default:
        return true;
    }
}

static int step_one(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const enum ventus_form form = (enum ventus_form)e->op->form;
    if ((form >= FORM_MMA && form <= FORM_VI64) || form == FORM_PREFIX || form == FORM_PREFIXM ||
        (form >= FORM_DMA && form <= FORM_DMA_TENSOR) || form == FORM_DMA_BARRIER ||
        form == FORM_DLOAD || form == FORM_DSTORE)
        return ventus_fault(exec, "%s is not executed",
                            ventus_insns[e->op->insn - RISCV_INSN_COUNT].name);
    if (form < FORM_SCALARS)
        return step_scalar(exec, w, e);
    if ((form >= FORM_VBRANCH && form <= FORM_DMA_BARRIER) || form >= FORM_VSETVLI)
        return step_task(exec, w, e);
    if (form >= FORM_VLOAD)
        return ventus_step_access(exec, w, e);
    return ventus_step_lanes(exec, w, e);
}

int ventus_step(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_launch *launch = exec->launch;
    const uint32_t at = w->pc - launch->code;
    if (at % 4 || at / 4 >= launch->op_count)
        return ventus_fault(exec, "there is no code at 0x%08x", w->pc);
    const struct ventus_op *op = &launch->ops[at / 4];
    e->op = op;
    e->pc = w->pc;
    e->next = w->pc + ventus_size(op->word);
    e->mask = 0;
    e->access.count = 0;
    e->access.atomic = e->access.store = false;
    e->barrier = false;
    exec->key_count = 0;
    if (op->insn == VENTUS_NO_INSN)
        return ventus_fault(exec, "0x%08x is no instruction", op->word);
    if (!extend(w, e))
        return ventus_fault(exec, "a scalar register above x%d", VENTUS_XREGS - 1);
    if (step_one(exec, w, e) != 0)
        return 1;
    if (op->form != FORM_REGEXT)
        w->prefix = (struct ventus_prefix){.set = false};
    w->pc = e->next;
    w->executed++;
    release(w->group);
    return 0;
}
