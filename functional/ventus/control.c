/* control: control registers, configuration, branches of threads, barriers. */
#include <string.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/work.h"

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
    const struct {
        uint32_t csr, value;
    } rows[] = {
        {CSR_FFLAGS, w->fcsr.flags},
        {CSR_FRM, w->fcsr.rounding},
        {CSR_FCSR, (uint32_t)w->fcsr.rounding << 5 | w->fcsr.flags},
        {CSR_VSTART, w->vstart},
        {CSR_VXSAT, w->vxsat},
        {CSR_VXRM, w->vxrm},
        {CSR_VCSR, w->vxrm << 1 | w->vxsat},
        {CSR_MSTATUS, w->mstatus},
        {CSR_MTVEC, w->mtvec},
        {CSR_TID, w->number * launch->threads},
        {CSR_NUMW, launch->warps},
        {CSR_NUMT, launch->threads},
        {CSR_KNL, launch->metadata},
        {CSR_WGID, w->group->slot},
        {CSR_WID, w->number},
        {CSR_LDS, w->group->local},
        {CSR_PDS, w->group->private_base + w->number * launch->threads * 4},
        {CSR_GIDX, w->group->x},
        {CSR_GIDY, w->group->y},
        {CSR_GIDZ, w->group->z},
        {CSR_PRINT, w->print},
        {CSR_RPC, w->rpc},
        {CSR_VL, w->vl},
        {CSR_VTYPE, w->vtype},
        {CSR_VLENB, 4 * launch->threads},
        {CSR_MHARTID, w->number},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].csr == csr) {
            *value = rows[i].value;
            return 0;
        }
    return ventus_fault(exec, "there is no control register 0x%03x", csr);
}

/* A warp that sets CSR_PRINT lets the host take the text from the print buffer, words 12 and 13
 * of the metadata buffer: up to the first 0. The host leaves zeros there and in the register. */
static void take_print(struct ventus_exec *exec, struct ventus_warp *w)
{
    const uint8_t *words = ventus_memory_at(exec->memory, exec->launch->metadata, 56);
    uint32_t buffer[2];
    if (!words || !w->print)
        return;
    memcpy(buffer, words + 48, sizeof buffer);
    char *text = (char *)ventus_memory_at(exec->memory, buffer[0], buffer[1]);
    const size_t length = text ? strnlen(text, buffer[1]) : 0;
    if (exec->printed)
        fwrite(text, 1, length, exec->printed);
    if (text)
        memset(text, 0, length);
    w->print = 0;
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
        take_print(exec, w);
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

int ventus_step_csr(struct ventus_exec *exec, struct ventus_warp *w, const struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const uint32_t csr = (uint32_t)op->imm & 0xfff;
    const bool immediate = op->insn >= RISCV_CSRRWI;
    const uint32_t source = immediate ? op->rs1 : e->rs1;
    const uint32_t operand = immediate ? source : w->x[source];
    const bool whole = op->insn == RISCV_CSRRW || op->insn == RISCV_CSRRWI;
    const bool clear = op->insn == RISCV_CSRRC || op->insn == RISCV_CSRRCI;
    uint32_t old = 0;
    if (read_csr(exec, w, csr, &old) != 0)
        return 1;
    if ((whole || source) && write_csr(exec, w, csr,
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
        return ventus_fault(exec, "%s in a branch that not all threads of the warp take",
                            e->op->form == FORM_DMA_BARRIER ? "cp_dma_mbarrier" : "a barrier");
    if (e->op->body == BODY_BARRIERSUB) /* of one warp, which goes in step */
        return 0;
    e->barrier = true;
    if (e->op->form == FORM_DMA_BARRIER) {
        w->copies = false; /* values are there when the copy is issued */
        w->state = VENTUS_WAITS_COPIES;
        return 0;
    }
    w->state = VENTUS_WAITS;
    w->group->waiting++;
    return 0;
}

/* Whether all warps of a group of four that have not ended wait at cp_dma_mbarrier. */
static bool four_wait(const struct ventus_group *group, uint32_t first)
{
    bool one = false;
    for (uint32_t i = first; i < first + 4 && i < group->count; i++) {
        const uint8_t state = group->warps[i].state;
        if (state == VENTUS_RUNS || state == VENTUS_WAITS)
            return false;
        one |= state == VENTUS_WAITS_COPIES;
    }
    return one;
}

static void wake(struct ventus_exec *exec, struct ventus_group *group, uint32_t first,
                 uint32_t count, uint8_t state)
{
    group->stamp = ++exec->stamps;
    for (uint32_t i = first; i < first + count && i < group->count; i++)
        if (group->warps[i].state == state)
            group->warps[i].state = VENTUS_RUNS;
}

int ventus_release(struct ventus_exec *exec, struct ventus_group *group)
{
    if (group->waiting && group->waiting + group->ended == group->count) {
        ventus_check_barrier(exec, group);
        wake(exec, group, 0, group->count, VENTUS_WAITS);
        group->waiting = 0;
    }
    for (uint32_t first = 0; first < group->count; first += 4)
        if (four_wait(group, first))
            wake(exec, group, first, 4, VENTUS_WAITS_COPIES);
    if (group->ended == group->count)
        return 0;
    for (uint32_t i = 0; i < group->count; i++)
        if (group->warps[i].state == VENTUS_RUNS)
            return 0;
    return ventus_fault(exec,
                        "no warp of the workgroup can continue: some wait at a barrier, others "
                        "at cp_dma_mbarrier");
}

static int step_end(struct ventus_exec *exec, struct ventus_warp *w)
{
    if (w->depth)
        return ventus_fault(exec, "endprg in a branch that not all threads of the warp take");
    ventus_check_end(exec, w);
    w->state = VENTUS_ENDED;
    w->group->ended++;
    return 0;
}

int ventus_step_control(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
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
    case FORM_DMA_BARRIER:
        return step_barrier(exec, w, e);
    case FORM_ENDPRG:
        return step_end(exec, w);
    case FORM_REGEXT:
    case FORM_PREFIX:
    case FORM_PREFIXM:
        return 0; /* the caller keeps it */
    default:
        step_vector_set(exec, w, e);
        return 0;
    }
}
