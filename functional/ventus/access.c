/* access: instructions that touch memory. */
#include <string.h>

#include "functional/ventus/exec.h"

static uint32_t width(uint8_t body)
{
    switch (body) {
    case BODY_LOAD_B:
    case BODY_LOAD_BU:
    case BODY_STORE_B:
        return 1;
    case BODY_LOAD_H:
    case BODY_LOAD_HU:
    case BODY_STORE_H:
        return 2;
    default:
        return 4;
    }
}

static bool is_store(uint8_t body)
{
    return body >= BODY_STORE_B && body <= BODY_STORE_W;
}

/* The place of an access, or NULL with a sentence. */
static uint8_t *place(struct ventus_exec *exec, const struct ventus_effect *e, uint32_t address)
{
    uint8_t *at = ventus_memory_at(exec->memory, address, e->access.bytes);
    if (address % e->access.bytes)
        ventus_fault(exec, "%s of %u bytes at 0x%08x, which is not a multiple of that",
                     e->access.store ? "store" : "load", e->access.bytes, address);
    else if (!at)
        ventus_fault(exec, "%s of %u bytes at 0x%08x, where no buffer is",
                     e->access.store ? "store" : "load", e->access.bytes, address);
    return at && address % e->access.bytes == 0 ? at : NULL;
}

static uint32_t get(const uint8_t *at, uint8_t body)
{
    const uint32_t half =
        (uint32_t)(at[0] | at[1] * (body == BODY_LOAD_B || body == BODY_LOAD_BU ? 0 : 256));
    switch (body) {
    case BODY_LOAD_B:
        return (uint32_t)(int8_t)at[0];
    case BODY_LOAD_BU:
        return at[0];
    case BODY_LOAD_H:
        return (uint32_t)(int16_t)half;
    case BODY_LOAD_HU:
        return half;
    default:
        return half | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
}

static void put(uint8_t *at, uint32_t bytes, uint32_t value)
{
    for (uint32_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* --- scalars ---------------------------------------------------------------------------------- */

static uint8_t base_body(uint16_t insn)
{
    switch (insn) {
    case RISCV_LB:
        return BODY_LOAD_B;
    case RISCV_LH:
        return BODY_LOAD_H;
    case RISCV_LW:
        return BODY_LOAD_W;
    case RISCV_LBU:
        return BODY_LOAD_BU;
    case RISCV_LHU:
        return BODY_LOAD_HU;
    case RISCV_SB:
        return BODY_STORE_B;
    case RISCV_SH:
        return BODY_STORE_H;
    default:
        return BODY_STORE_W;
    }
}

uint32_t ventus_combine(uint8_t body, uint32_t old, uint32_t operand)
{
    switch (body) {
    case BODY_ADD:
        return old + operand;
    case BODY_XOR:
        return old ^ operand;
    case BODY_AND:
        return old & operand;
    case BODY_OR:
        return old | operand;
    case BODY_MIN:
        return (int32_t)old < (int32_t)operand ? old : operand;
    case BODY_MAX:
        return (int32_t)old > (int32_t)operand ? old : operand;
    case BODY_MINU:
        return old < operand ? old : operand;
    case BODY_MAXU:
        return old > operand ? old : operand;
    default:
        return operand;
    }
}

static int step_atomic(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                       uint32_t address)
{
    const uint8_t body = e->op->body;
    e->access.store = body != BODY_LR;
    e->access.atomic = true;
    uint8_t *at = place(exec, e, address);
    if (!at)
        return 1;
    const uint32_t old = get(at, BODY_LOAD_W), operand = w->x[e->rs2];
    const bool fails = body == BODY_SC && w->reserved != address;
    if (body != BODY_LR && !fails) {
        exec->stored[0] = ventus_combine(body, old, operand);
        put(at, 4, exec->stored[0]);
    }
    if (body == BODY_LR || body == BODY_SC)
        w->reserved = body == BODY_LR ? address : UINT32_MAX;
    ventus_write_x(exec, w, e->rd, body == BODY_SC ? fails : old);
    return 0;
}

static int step_scalar(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const uint8_t body = op->form == FORM_RISCV ? base_body(op->insn) : op->body;
    const bool atomic = op->form >= FORM_AMO && op->form <= FORM_LR64;
    const bool pair = op->form == FORM_AMO64 || op->form == FORM_LR64 || op->form == FORM_LOAD64 ||
                      op->form == FORM_STORE64;
    const uint32_t address = w->x[e->rs1] + (atomic ? 0 : (uint32_t)op->imm);
    if (pair && (e->rs1 & 1))
        return ventus_fault(exec, "a pair of registers begins at an even one");
    if (pair && w->x[e->rs1 + 1u])
        return ventus_fault(exec, "an address above 32 bits, where no buffer is");
    e->access.count = 1;
    e->access.bytes = width(body);
    e->access.store = is_store(body);
    e->access.atomic = false;
    e->access.address[0] = address;
    if (atomic)
        return step_atomic(exec, w, e, address);
    uint8_t *at = place(exec, e, address);
    if (!at)
        return 1;
    if (!e->access.store) {
        ventus_write_x(exec, w, e->rd, get(at, body));
        return 0;
    }
    exec->stored[0] = w->x[e->rs2];
    put(at, e->access.bytes, exec->stored[0]);
    return 0;
}

/* --- lanes ------------------------------------------------------------------------------------ */

/* Private memory: words of all threads of the workgroup stand side by side. */
static uint32_t private_address(const struct ventus_exec *exec, const struct ventus_warp *w,
                                uint32_t offset, uint32_t lane)
{
    const struct ventus_launch *launch = exec->launch;
    return w->group->private_base + (offset & ~3u) * launch->threads * launch->warps +
           (w->number * launch->threads + lane) * 4 + (offset & 3);
}

static uint32_t lane_address(const struct ventus_exec *exec, const struct ventus_warp *w,
                             const struct ventus_effect *e, uint32_t g, uint32_t lane)
{
    const struct ventus_op *op = e->op;
    const uint32_t index = g * exec->launch->threads + lane, bytes = e->access.bytes;
    const uint32_t x = w->x[e->rs1 % VENTUS_XREGS];
    switch (op->form) {
    case FORM_VLOAD:
    case FORM_VSTORE: {
        const uint32_t base = w->v[(e->rs1 + g) % VENTUS_VREGS][lane];
        const uint32_t offset = base + (uint32_t)op->imm;
        return base >> 24 ? offset : private_address(exec, w, offset, lane);
    }
    case FORM_PLOAD:
    case FORM_PSTORE:
        return private_address(exec, w, w->v[(e->rs1 + g) % VENTUS_VREGS][lane] + (uint32_t)op->imm,
                               lane);
    case FORM_GLOAD:
    case FORM_GSTORE:
    case FORM_DLOAD:
    case FORM_DSTORE:
        return w->v[(e->rs1 + g) % VENTUS_VREGS][lane] + (uint32_t)op->imm;
    case FORM_LLOAD:
    case FORM_LSTORE:
        return w->v[(e->rs1 + g) % VENTUS_VREGS][lane] + (uint32_t)op->imm + w->group->local;
    case FORM_VLE:
    case FORM_VSE:
        return x + index * bytes;
    case FORM_VLSE:
    case FORM_VSSE:
        return x + index * w->x[e->rs2 % VENTUS_XREGS];
    default:
        return x + w->v[(e->rs2 + g) % VENTUS_VREGS][lane];
    }
}

static int step_group(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                      uint32_t g)
{
    const struct ventus_op *op = e->op;
    const uint32_t mask = ventus_lanes(exec, w, op, g);
    const bool named = op->form == FORM_VSTORE || op->form == FORM_PSTORE; /* data is vs2 */
    uint32_t *data = w->v[((named ? e->rs2 : e->access.store ? e->rs3 : e->rd) + g) % VENTUS_VREGS];
    e->mask |= mask;
    for (uint32_t i = 0; i < exec->launch->threads; i++) {
        if (!(mask >> i & 1))
            continue;
        const uint32_t address = lane_address(exec, w, e, g, i);
        uint8_t *at = place(exec, e, address);
        if (!at) {
            char sentence[VENTUS_SENTENCE];
            memcpy(sentence, exec->error, sizeof sentence);
            return ventus_fault(exec, "lane %u: %.200s", i, sentence);
        }
        exec->stored[e->access.count] = data[i];
        e->access.address[e->access.count++] = address;
        if (e->access.store)
            put(at, e->access.bytes, data[i]);
        else
            data[i] = get(at, op->body);
    }
    if (mask && !e->access.store) {
        const uint32_t reg = (e->rd + g) % VENTUS_VREGS;
        w->v_known[reg / 64] |= UINT64_C(1) << reg % 64;
        ventus_note(exec, reg, VENTUS_KEY_V);
    }
    return 0;
}

int ventus_step_access(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    if (!ventus_is_vector(op))
        return step_scalar(exec, w, e);
    if (w->vtype >> 31)
        return ventus_fault(exec, "vtype is none of Ventus: lanes are of 32 bits (e32, m1 or m2)");
    e->access.bytes = width(op->body);
    e->access.store = is_store(op->body);
    e->access.atomic = false;
    w->vstart = 0;
    if (op->form == FORM_VSTORE)
        ventus_note(exec, 0, VENTUS_KEY_HINT);
    ventus_note(exec, 8, VENTUS_KEY_CSR);
    for (uint32_t g = 0; g <= (w->vtype & 1); g++)
        if (step_group(exec, w, e, g) != 0)
            return 1;
    return 0;
}
