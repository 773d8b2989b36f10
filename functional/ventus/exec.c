#include "functional/ventus/exec.h"

#include "functional/ventus/work.h"

/* --- register numbers and prefixes ------------------------------------------------------------ */

static bool is_scalar_register(uint32_t reg)
{
    return reg < VENTUS_XREGS;
}

/* Those of a vector instruction that are scalar. */
static bool scalars_exist(const struct ventus_effect *e)
{
    switch (e->op->form) {
    case FORM_VX:
    case FORM_VXM:
    case FORM_MVX:
    case FORM_VX64:
    case FORM_VLE:
    case FORM_VSE:
    case FORM_VLX:
    case FORM_VSX:
        return is_scalar_register(e->rs1);
    case FORM_MVXS:
    case FORM_VSETIVLI:
        return is_scalar_register(e->rd);
    case FORM_SETRPC:
    case FORM_VSETVLI:
        return is_scalar_register(e->rs1) && is_scalar_register(e->rd);
    case FORM_VSETVL:
        return is_scalar_register(e->rs1) && is_scalar_register(e->rs2) &&
               is_scalar_register(e->rd);
    case FORM_VLSE:
    case FORM_VSSE:
        return is_scalar_register(e->rs1) && is_scalar_register(e->rs2);
    case FORM_DMA_BULK:
        return is_scalar_register(e->rs1) && is_scalar_register(e->rs2) &&
               is_scalar_register(e->rd);
    case FORM_DMA_TENSOR:
        return is_scalar_register(e->rd);
    default:
        return true;
    }
}

/* Register numbers with the bits of the prefix; false when there is no such register. */
static bool extend(const struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const struct ventus_prefix *p = &w->prefix;
    e->rd = (uint8_t)(op->rd | p->rd << 5);
    e->rs1 = (uint8_t)(op->rs1 | p->rs1 << 5);
    e->rs2 = (uint8_t)(op->rs2 | p->rs2 << 5);
    /* Without a prefix the third source of a vector is vd. */
    e->rs3 = (uint8_t)((ventus_is_vector(op) ? op->rd : op->rs3) | p->rs3 << 5);
    if (ventus_size(op->word) == 8) { /* they have eight bits each */
        e->rd = op->rd;
        e->rs1 = op->rs1;
        e->rs2 = op->rs2;
        e->rs3 = op->rs3;
    }
    if (!ventus_is_vector(op))
        return is_scalar_register(e->rd) && is_scalar_register(e->rs1) &&
               is_scalar_register(e->rs2) && is_scalar_register(e->rs3);
    return scalars_exist(e);
}

/* --- a step ----------------------------------------------------------------------------------- */

static int step_one(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const enum ventus_form form = (enum ventus_form)e->op->form;
    if (form < FORM_SCALARS)
        return ventus_step_scalar(exec, w, e);
    if ((form >= FORM_VBRANCH && form <= FORM_DMA_BARRIER) || form >= FORM_VSETVLI)
        return ventus_step_control(exec, w, e);
    if (form >= FORM_DMA && form <= FORM_DMA_TENSOR)
        return ventus_step_copy(exec, w, e);
    if (w->vtype >> 31)
        return ventus_fault(
            exec, "vtype is not supported by Ventus: lanes are of 32 bits (e32, m1 or m2)");
    if (form >= FORM_VLOAD)
        return ventus_step_access(exec, w, e);
    if (form >= FORM_MMA && form <= FORM_MMA64I)
        return ventus_step_matrix(exec, w, e);
    if (w->prefix.pair || (form >= FORM_VV64 && form <= FORM_VI64))
        return ventus_step_long(exec, w, e);
    return ventus_step_lanes(exec, w, e);
}

static int decode(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_launch *launch = exec->launch;
    const uint32_t at = w->pc - launch->code;
    if (at % 4 || at / 4 >= launch->op_count)
        return ventus_fault(exec, "there is no code at 0x%08x", w->pc);
    if (exec->reach)
        exec->reach(exec->reacher, w);
    const struct ventus_op *op = &launch->ops[at / 4];
    *e = (struct ventus_effect){.op = op, .pc = w->pc, .next = w->pc + ventus_size(op->word)};
    if (op->insn == VENTUS_NO_INSN)
        return ventus_fault(exec, "0x%08x is not an instruction", op->word);
    if (w->prefix.memory && !ventus_is_access(op))
        w->prefix = (struct ventus_prefix){.set = false};
    const char *refused = w->prefix.set ? ventus_prefix_refused(op, &w->prefix) : NULL;
    if (refused)
        return ventus_fault(exec, "%s", refused);
    if (!extend(w, e))
        return ventus_fault(exec, "a scalar register above x%d", VENTUS_XREGS - 1);
    return 0;
}

int ventus_step(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    exec->key_count = 0;
    if (exec->most && exec->steps >= exec->most)
        return ventus_fault(exec, "the launch has not ended after %llu instructions",
                            (unsigned long long)exec->most);
    if (w->group->sm != exec->sm) {
        exec->sm = w->group->sm;
        ventus_memory_turn(exec->memory, exec->sm);
    }
    if (decode(exec, w, e) != 0)
        return 1;
    if (exec->check)
        ventus_check_registers(exec, w, e);
    if (step_one(exec, w, e) != 0)
        return 1;
    w->prefix = ventus_prefix_of(e->op);
    w->pc = e->next;
    w->executed++;
    exec->steps++;
    return w->state == VENTUS_RUNS ? 0 : ventus_release(exec, w->group);
}
