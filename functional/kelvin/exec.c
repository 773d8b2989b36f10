#include "functional/kelvin/exec_state.h"

#include <stdarg.h>
#include <string.h>

#include "functional/riscv/extension.h"

/* --- end of the run and traps ----------------------------------------------------------------- */

static void stop(struct kelvin_exec *exec, enum kelvin_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void stop(struct kelvin_exec *exec, enum kelvin_end end, const char *format, ...)
{
    const struct kelvin_program *program = exec->program;
    const uint32_t pc = exec->state.pc;
    char what[200], place[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    exec->end = end;
    exec->end_stmt = riscv_image_stmt(&program->image, pc);
    riscv_image_place(&program->image, pc, place, sizeof place);
    int used = snprintf(exec->sentence, sizeof exec->sentence,
                        *place ? "%.180s at 0x%x (%.150s)" : "%s at 0x%x", what, pc, place);
    if (end == KELVIN_BROKE_OFF && used > 0)
        used += snprintf(exec->sentence + used, sizeof exec->sentence - (size_t)used,
                         ": so ends a program that fails its own checks");
    if (exec->counted && used > 0)
        used += snprintf(exec->sentence + used, sizeof exec->sentence - (size_t)used,
                         "; mcycle counted instructions: there is no time");
    if (exec->printed && !exec->options.dump && used > 0)
        snprintf(exec->sentence + used, sizeof exec->sentence - (size_t)used,
                 "; printed: --dump -");
}

/* Trap to the supervisor. what: for the message if there is no supervisor. */
static void trap(struct kelvin_exec *exec, uint32_t cause, uint32_t epc, const char *what)
{
    struct kelvin_state *s = &exec->state;
    s->csr[KELVIN_CSR_mcause] = cause;
    s->csr[KELVIN_CSR_mepc] = epc;
    s->user = 0;
    if (!s->csr[KELVIN_CSR_mtvec])
        stop(exec,
             cause >> 31                    ? KELVIN_FAULTED
             : cause == KELVIN_CAUSE_EBREAK ? KELVIN_BROKE_OFF
                                            : KELVIN_ENDED,
             "%s in user mode, mtvec is 0,", what);
    else
        s->pc = s->csr[KELVIN_CSR_mtvec] & ~UINT32_C(3);
}

/* An undefined instruction or a usage fault. */
static void fault(struct kelvin_exec *exec, uint32_t cause, const char *what)
{
    struct kelvin_state *s = &exec->state;
    char text[180];
    snprintf(text, sizeof text, "%s: %.150s",
             cause == KELVIN_CAUSE_UNDEFINED ? "undefined instruction" : "usage fault", what);
    if (s->user) {
        trap(exec, cause, s->pc, text);
        return;
    }
    s->csr[KELVIN_CSR_mcause] = cause;
    s->csr[KELVIN_CSR_mfault] = s->pc;
    stop(exec, KELVIN_FAULTED, "%s", text);
}

/* ecall, eexit, ectxsw: allowed only in user mode. */
static void call(struct kelvin_exec *exec, uint32_t cause, const char *what)
{
    char text[60];
    if (exec->state.user) {
        trap(exec, cause, exec->state.pc, what);
        return;
    }
    snprintf(text, sizeof text, "%s in machine mode", what);
    fault(exec, KELVIN_CAUSE_USAGE, text);
}

static void breakpoint(struct kelvin_exec *exec)
{
    struct kelvin_state *s = &exec->state;
    if (s->user) {
        trap(exec, KELVIN_CAUSE_EBREAK, s->pc, "ebreak");
        return;
    }
    s->csr[KELVIN_CSR_mcause] = KELVIN_CAUSE_UNDEFINED;
    s->csr[KELVIN_CSR_mfault] = s->pc;
    stop(exec, KELVIN_BROKE_OFF, "ebreak");
}

/* --- one instruction -------------------------------------------------------------------------- */

static void load(struct kelvin_exec *exec, const struct riscv_op *op, uint32_t address)
{
    static const uint8_t sizes[] = {1, 2, 4, 1, 2}; /* lb lh lw lbu lhu */
    struct kelvin_state *s = &exec->state;
    const unsigned size = sizes[op->insn - RISCV_LB];
    uint32_t value;
    if (!riscv_memory_load(exec->memory, address, size, &value)) {
        char text[60];
        snprintf(text, sizeof text, "a load from 0x%x, outside of memory", address);
        fault(exec, KELVIN_CAUSE_USAGE, text);
        return;
    }
    if (op->insn < RISCV_LW) {
        const unsigned up = 32 - 8 * size;
        value = (uint32_t)((int32_t)(value << up) >> up);
    }
    s->x[op->rd] = value;
    s->pc += 4;
}

static void store(struct kelvin_exec *exec, const struct riscv_op *op, uint32_t address)
{
    if (riscv_memory_store(exec->memory, address, 1U << (op->insn - RISCV_SB),
                           exec->state.x[op->rs2])) {
        exec->state.pc += 4;
        return;
    }
    char text[60];
    snprintf(text, sizeof text, "a store to 0x%x, outside of memory", address);
    fault(exec, KELVIN_CAUSE_USAGE, text);
}

/* Everything except arithmetic, branches and memory accesses. */
static void system_insn(struct kelvin_exec *exec, const struct riscv_op *op)
{
    struct kelvin_state *s = &exec->state;
    char text[40];
    switch ((enum riscv_insn)op->insn) {
    case RISCV_FENCE_I:
        kelvin_exec_decode(exec);
        s->pc += 4;
        return;
    case RISCV_ECALL:
        call(exec, KELVIN_CAUSE_ECALL, "ecall");
        return;
    case RISCV_EBREAK:
        breakpoint(exec);
        return;
    case RISCV_MRET:
        if (s->user) {
            fault(exec, KELVIN_CAUSE_UNDEFINED, "mret");
            return;
        }
        s->user = 1;
        s->pc = s->csr[KELVIN_CSR_mepc];
        return;
    default:
        if (!riscv_is_csr(op->insn) ||
            kelvin_access_csr(exec, op)) { /* a fence does not change values */
            s->pc += 4;
            return;
        }
        snprintf(text, sizeof text,
                 kelvin_csr_name((uint32_t)op->imm) ? "CSR 0x%x is read-only"
                                                    : "there is no CSR 0x%x",
                 (unsigned)op->imm);
        fault(exec, KELVIN_CAUSE_UNDEFINED, text);
    }
}

/* Bits of the longer operand of a division. */
static uint8_t division_bits(uint32_t a)
{
    const uint32_t size = (int32_t)a < 0 ? ~a : a;
    return (uint8_t)(size ? 32 - __builtin_clz(size) : 1);
}

static inline void scalar(struct kelvin_exec *exec, const struct riscv_op *op,
                          struct kelvin_step *step)
{
    struct kelvin_state *s = &exec->state;
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const uint32_t a = s->x[op->rs1], b = s->x[op->rs2], pc = s->pc, imm = (uint32_t)op->imm;
    switch (insn) {
    case RISCV_LUI:
        s->x[op->rd] = imm;
        break;
    case RISCV_AUIPC:
        s->x[op->rd] = pc + imm;
        break;
    case RISCV_JAL:
        s->x[op->rd] = pc + 4;
        s->pc = pc + imm;
        return;
    case RISCV_JALR:
        s->x[op->rd] = pc + 4;
        s->pc = (a + imm) & ~UINT32_C(1);
        return;
    case RISCV_BEQ:
    case RISCV_BNE:
    case RISCV_BLT:
    case RISCV_BGE:
    case RISCV_BLTU:
    case RISCV_BGEU:
        s->pc = pc + 4;
        if (riscv_branch_taken(insn, a, b)) {
            s->pc = pc + imm;
            if (step)
                step->taken = true; /* also where it is the next word */
        }
        return;
    case RISCV_LB:
    case RISCV_LH:
    case RISCV_LW:
    case RISCV_LBU:
    case RISCV_LHU:
        if (step)
            step->address = a + imm;
        load(exec, op, a + imm);
        return;
    case RISCV_SB:
    case RISCV_SH:
    case RISCV_SW:
        if (step)
            step->address = a + imm;
        store(exec, op, a + imm);
        return;
    case RISCV_ADDI:
    case RISCV_SLTI:
    case RISCV_SLTIU:
    case RISCV_XORI:
    case RISCV_ORI:
    case RISCV_ANDI:
    case RISCV_SLLI:
    case RISCV_SRLI:
    case RISCV_SRAI:
        s->x[op->rd] = riscv_alu(insn, a, imm);
        break;
    case RISCV_DIV:
    case RISCV_DIVU:
    case RISCV_REM:
    case RISCV_REMU:
        if (step)
            step->quotient = insn == RISCV_DIV || insn == RISCV_REM ? division_bits(a)
                             : a ? (uint8_t)(32 - __builtin_clz(a))
                                 : 1;
        s->x[op->rd] = riscv_alu(insn, a, b);
        break;
    case RISCV_ADD:
    case RISCV_SUB:
    case RISCV_SLL:
    case RISCV_SLT:
    case RISCV_SLTU:
    case RISCV_XOR:
    case RISCV_SRL:
    case RISCV_SRA:
    case RISCV_OR:
    case RISCV_AND:
    case RISCV_MUL:
    case RISCV_MULH:
    case RISCV_MULHSU:
    case RISCV_MULHU:
        s->x[op->rd] = riscv_alu(insn, a, b);
        break;
    default:
        system_insn(exec, op);
        return;
    }
    s->pc = pc + 4;
}

static void vector_fault(struct kelvin_exec *exec, const struct kelvin_vop *op,
                         enum kelvin_fault why, const struct kelvin_vector_work *work)
{
    const char *illegal = kelvin_vector_illegal(op);
    char text[200];
    const bool memory = why == KELVIN_FAULT_LOAD || why == KELVIN_FAULT_STORE;
    if (memory)
        snprintf(text, sizeof text, "a %s 0x%x, outside of memory in part",
                 why == KELVIN_FAULT_LOAD ? "load from" : "store to", work->address);
    else
        snprintf(text, sizeof text, "%s: %s", op->form->name,
                 illegal
                     ? illegal
                     : "the control word is not legal, or registers that it names lie beyond v63");
    fault(exec, memory ? KELVIN_CAUSE_USAGE : KELVIN_CAUSE_UNDEFINED, text);
}

static void vector(struct kelvin_exec *exec, const struct kelvin_vop *op, struct kelvin_step *step)
{
    struct kelvin_state *s = &exec->state;
    struct kelvin_vector_work work = {0};
    if (step) {
        const unsigned family = op->form->family;
        if (family == KELVIN_vld || family == KELVIN_vst || family == KELVIN_vstq) {
            kelvin_vector_work(op, s->x, &work);
            step->address = work.address;
            step->stride = work.stride;
            step->pieces = (uint16_t)work.pieces;
            step->piece = (uint16_t)work.piece;
            step->last = (uint16_t)work.last;
        }
        step->value = s->x[op->operands.at[KELVIN_T] & 31];
    }
    const enum kelvin_fault why = kelvin_vector_execute(&s->vector, s->x, exec->memory, op);
    if (why == KELVIN_FAULT_NONE) {
        s->pc += 4;
        return;
    }
    kelvin_vector_work(op, s->x, &work);
    vector_fault(exec, op, why, &work);
}

static void core(struct kelvin_exec *exec, const struct kelvin_vop *op, struct kelvin_step *step)
{
    struct kelvin_state *s = &exec->state;
    switch (op->form->family) {
    case KELVIN_eexit:
        call(exec, KELVIN_CAUSE_EEXIT, "eexit");
        return;
    case KELVIN_ectxsw:
        call(exec, KELVIN_CAUSE_ECTXSW, "ectxsw");
        return;
    case KELVIN_eyield: /* no supervisor has requested a context switch */
        if (!s->user)
            fault(exec, KELVIN_CAUSE_USAGE, "eyield in machine mode");
        else
            s->pc += 4;
        return;
    case KELVIN_mpause:
        if (s->user)
            fault(exec, KELVIN_CAUSE_UNDEFINED, "mpause");
        else
            stop(exec, KELVIN_ENDED, "mpause");
        return;
    case KELVIN_flog:
    case KELVIN_slog:
    case KELVIN_clog:
    case KELVIN_klog:
        kelvin_log(exec, op->form->family, s->x[op->operands.at[KELVIN_S] & 31]);
        break;
    case KELVIN_flushat: /* caches are not part of the functional state */
        if (step)
            step->address = s->x[op->operands.at[KELVIN_S] & 31];
        break;
    default: /* flushall */
        break;
    }
    s->pc += 4;
}

/* --- the run ---------------------------------------------------------------------------------- */

static void execute(struct kelvin_exec *exec, const struct kelvin_insn *insn,
                    struct kelvin_step *step)
{
    char text[120];
    const char *extension;
    uint32_t word = 0;
    switch ((enum kelvin_kind)insn->kind) {
    case KELVIN_SCALAR:
        scalar(exec, &insn->scalar, step);
        break;
    case KELVIN_VECTOR:
        vector(exec, &insn->vector, step);
        break;
    case KELVIN_CORE:
        core(exec, &insn->vector, step);
        break;
    case KELVIN_UNDEFINED:
        riscv_memory_load(exec->memory, exec->state.pc, 4, &word);
        extension = riscv_extension_of(word);
        snprintf(text, sizeof text, "the word 0x%08x%s%s%s", word,
                 extension ? ", of extension " : "", extension ? extension : "",
                 extension ? ", which this machine does not have" : "");
        fault(exec, KELVIN_CAUSE_UNDEFINED, text);
        break;
    }
    exec->state.x[0] = 0;
}

static struct kelvin_code code_of(const struct kelvin_program *program, uint32_t pc)
{
    for (size_t i = 0; i < program->code_count; i++)
        if (pc - program->code[i].base < 4 * program->code[i].words)
            return program->code[i];
    return (struct kelvin_code){0};
}

void kelvin_exec_time(struct kelvin_exec *exec)
{
    exec->timed = true;
}

uint32_t kelvin_exec_asks(const struct kelvin_exec *exec)
{
    const uint32_t slot = kelvin_program_slot(exec->program, exec->state.pc);
    return exec->timed && exec->end == KELVIN_RUNS && !exec->given && slot != UINT32_MAX &&
                   exec->code[slot].cycles
               ? exec->stmts[slot]
               : RISCV_NO_STMT;
}

void kelvin_exec_tell(struct kelvin_exec *exec, uint64_t cycle)
{
    exec->state.cycle = cycle;
    exec->given = true;
}

uint64_t kelvin_exec_advance(struct kelvin_exec *exec, uint64_t budget, struct kelvin_step *steps)
{
    struct kelvin_state *s = &exec->state;
    struct kelvin_code code = {0}; /* the code range that contains pc */
    const bool gets = exec->options.dump && exec->program->gets.count;
    uint64_t done = 0;
    while (done < budget && exec->end == KELVIN_RUNS) {
        const uint32_t pc = s->pc;
        if (pc - code.base >= 4 * code.words)
            code = code_of(exec->program, pc);
        const uint32_t at = code.first + (pc - code.base) / 4;
        if (pc - code.base >= 4 * code.words || pc % 4 || exec->stmts[at] == RISCV_NO_STMT) {
            char from[160] = "";
            if (exec->last != RISCV_NO_STMT)
                riscv_image_place(&exec->program->image,
                                  exec->program->image.stmts[exec->last].address, from,
                                  sizeof from);
            stop(exec, KELVIN_FAULTED, "execution left the code of the program, after %s,", from);
            exec->end_stmt = exec->last;
            break;
        }
        if (exec->timed && exec->code[at].cycles && !exec->given)
            break;
        exec->given = false;
        struct kelvin_step *step = steps ? &steps[done] : NULL;
        if (gets)
            kelvin_print_gets(exec, exec->stmts[at]);
        if (step)
            *step = (struct kelvin_step){.stmt = exec->stmts[at]};
        s->executed++;
        exec->last = exec->stmts[at];
        execute(exec, &exec->code[at], step);
        if (step)
            step->taken = step->taken || s->pc != pc + 4;
        done++;
    }
    if ((exec->end == KELVIN_ENDED || exec->end == KELVIN_BROKE_OFF) && gets)
        kelvin_print_gets(exec, RISCV_NO_STMT);
    return done;
}

enum kelvin_end kelvin_exec_end(const struct kelvin_exec *exec)
{
    return exec->end;
}

const char *kelvin_exec_sentence(const struct kelvin_exec *exec)
{
    return exec->sentence;
}

uint64_t kelvin_exec_done(const struct kelvin_exec *exec)
{
    return exec->state.executed;
}

uint32_t kelvin_exec_stmt(const struct kelvin_exec *exec)
{
    return exec->end_stmt;
}

bool kelvin_exec_failed(const struct kelvin_exec *exec)
{
    return exec->failed;
}

const struct kelvin_state *kelvin_exec_state(const struct kelvin_exec *exec)
{
    return &exec->state;
}
