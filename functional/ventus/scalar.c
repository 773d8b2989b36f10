/* scalar: what a warp does once for all its threads, but for memory. */
#include "functional/ventus/exec.h"
#include "functional/ventus/single.h"

/* --- scalars ---------------------------------------------------------------------------------- */

static int step_base(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const uint32_t a = w->x[e->rs1], imm = (uint32_t)op->imm;
    if (riscv_is_load(insn) || riscv_is_store(insn))
        return ventus_step_access(exec, w, e);
    if (riscv_is_csr(insn))
        return ventus_step_csr(exec, w, e);
    if (riscv_is_branch(insn)) {
        if (riscv_branch_taken(insn, a, w->x[e->rs2]))
            e->next = e->pc + imm;
        return 0;
    }
    switch (insn) {
    case RISCV_ECALL:
    case RISCV_EBREAK:
        return ventus_fault(exec, "Ventus has no ecall and ebreak");
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

/* x0 is 0 as a pair, too. */
static uint64_t pair(const struct ventus_warp *w, uint32_t reg)
{
    return reg ? (uint64_t)w->x[reg + 1] << 32 | w->x[reg] : 0;
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

static uint32_t floating(uint8_t body, uint32_t a, uint32_t b, uint32_t c, struct ventus_fcsr *f)
{
    switch (body) {
#define SCALAR(id, value)                                                                          \
    case BODY_##id:                                                                                \
        return value;
#include "functional/ventus/body.def"
    default:
        return 0;
    }
}

static int step_float(struct ventus_exec *exec, struct ventus_warp *w,
                      const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    struct ventus_fcsr fcsr = w->fcsr;
    const bool rounds = op->form == FORM_FR || op->form == FORM_FR1 || op->form == FORM_FR4;
    if (rounds && op->rounding != 7)
        fcsr.rounding = op->rounding;
    if (rounds && fcsr.rounding > VENTUS_RMM)
        return ventus_fault(exec, "there is no rounding mode %u", fcsr.rounding);
    fcsr.flags = 0;
    const uint32_t r = floating(op->body, w->x[e->rs1], w->x[e->rs2], w->x[e->rs3], &fcsr);
    ventus_write_x(exec, w, e->rd, r);
    ventus_raise(exec, w, fcsr.flags);
    return 0;
}

int ventus_step_scalar(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
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
