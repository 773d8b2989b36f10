/* csr: control and status registers, including the counters. */
#include "functional/kelvin/exec_state.h"

enum csr_kind {
    CSR_PLAIN,
    CSR_ZERO,
    CSR_ISA,
    CSR_CYCLES,
    CSR_RETIRED,
    CSR_CYCLES_HIGH,
    CSR_RETIRED_HIGH
};
static const struct {
    uint16_t number;
    uint8_t kind;
} csrs[KELVIN_CSRS] = {
#define CSR(name, number, kind, sentence) {number, CSR_##kind},
#include "functional/kelvin/csr.def"
};

static bool is_retired(unsigned kind)
{
    return kind == CSR_RETIRED || kind == CSR_RETIRED_HIGH;
}

/* A counter that is read gives its value at the begin of the reading instruction: the number of
 * earlier instructions, or the dispatch cycle. A written value applies from the next instruction or
 * cycle on. */
static uint32_t read_counter(struct kelvin_exec *exec, unsigned kind)
{
    const struct kelvin_state *s = &exec->state;
    const bool cycles = exec->timed && !is_retired(kind);
    const uint64_t count = (cycles ? s->cycle : s->executed - 1) - s->since[is_retired(kind)];
    exec->counted = exec->counted || (!exec->timed && !is_retired(kind));
    return (uint32_t)(kind >= CSR_CYCLES_HIGH ? count >> 32 : count);
}

static void write_counter(struct kelvin_exec *exec, unsigned kind, uint32_t value)
{
    const struct kelvin_state *s = &exec->state;
    const uint64_t now = exec->timed && !is_retired(kind) ? s->cycle + 1 : s->executed;
    uint64_t *since = &exec->state.since[is_retired(kind)];
    const uint64_t count = now - *since;
    *since = now - (kind >= CSR_CYCLES_HIGH ? (count & UINT32_MAX) | (uint64_t)value << 32
                                            : (count >> 32 << 32) | value);
}

bool kelvin_access_csr(struct kelvin_exec *exec, const struct riscv_op *op)
{
    struct kelvin_state *s = &exec->state;
    unsigned i = 0;
    while (i < KELVIN_CSRS && csrs[i].number != (uint32_t)op->imm)
        i++;
    if (i == KELVIN_CSRS || kelvin_csr_traps(op))
        return false;
    const bool immediate = op->insn >= RISCV_CSRRWI;
    const uint32_t operand = immediate ? op->rs1 : s->x[op->rs1];
    const unsigned kind = csrs[i].kind;
    const uint32_t old = kind == CSR_PLAIN  ? s->csr[i]
                         : kind == CSR_ZERO ? 0
                         : kind == CSR_ISA  ? UINT32_C(1) << 30 | 1 << ('I' - 'A') |
                                                 1 << ('M' - 'A') | 1 << ('X' - 'A')
                                           : read_counter(exec, kind);
    const uint32_t value = op->insn == RISCV_CSRRW || op->insn == RISCV_CSRRWI   ? operand
                           : op->insn == RISCV_CSRRS || op->insn == RISCV_CSRRSI ? old | operand
                                                                                 : old & ~operand;
    if (kind == CSR_PLAIN)
        s->csr[i] = value;
    else if (kind >= CSR_CYCLES && riscv_writes_csr(op))
        write_counter(exec, kind, value);
    s->x[op->rd] = old;
    return true;
}
