#include "functional/ventus/illegal.h"

#include <stdlib.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/work.h"

/* --- one instruction -------------------------------------------------------------------------- */

enum {
#define CSR(name, number, manual) CSR_##name = number,
#include "functional/ventus/csr.def"
};

/* whole: with whole register numbers. */
static const char *csr_illegal(const struct ventus_op *op, const struct ventus_op *whole)
{
    const uint32_t csr = (uint32_t)op->imm & 0xfff;
    const uint8_t source = op->insn >= RISCV_CSRRWI ? op->rs1 : whole->rs1;
    const bool writes = op->insn == RISCV_CSRRW || op->insn == RISCV_CSRRWI || source;
    if (!ventus_csr_name(csr))
        return "there is no such control register";
    if (writes && csr >= CSR_tid && csr != CSR_print && csr != CSR_rpc)
        return "this control register cannot be written";
    return NULL;
}

static bool is_wide(const struct ventus_op *op)
{
    return op->body >= BODY_VWADDU && op->body <= BODY_VWMACCSU;
}

/* Whether lanes take several registers each, which groups of two registers cannot. */
static bool takes_several(const struct ventus_op *op, const struct ventus_prefix *p)
{
    if (op->form >= FORM_VLOAD && op->form <= FORM_VSX)
        return op->form == FORM_DLOAD || op->form == FORM_DSTORE ||
               (p->memory && (p->pair || p->words > 1));
    const bool matrix = op->form >= FORM_MMA && op->form <= FORM_MMA64I;
    return ventus_takes_vtype(op) && !matrix &&
           (is_wide(op) || p->pair || (op->form >= FORM_VV64 && op->form <= FORM_VI64));
}

static const char *vtype_illegal(const struct ventus_op *op, const struct ventus_prefix *p,
                                 uint8_t vtypes)
{
    const uint8_t bad = VENTUS_VTYPE_OTHER | (takes_several(op, p) ? (uint8_t)VENTUS_VTYPE_TWO : 0);
    if (!ventus_takes_vtype(op) || !vtypes || (vtypes & ~bad))
        return NULL;
    return vtypes & VENTUS_VTYPE_OTHER
               ? "the vtype here is not supported by Ventus: lanes are of 32 bits (e32, m1 or m2)"
               : "several registers of a lane with groups of two registers";
}

static const char *scalar_illegal(const struct ventus_op *op, const struct ventus_op *whole)
{
    const bool rounds = op->form == FORM_FR || op->form == FORM_FR1 || op->form == FORM_FR4;
    if (op->insn == RISCV_ECALL || op->insn == RISCV_EBREAK)
        return "Ventus has no ecall and ebreak";
    if (op->form == FORM_RISCV && riscv_is_csr((enum riscv_insn)op->insn))
        return csr_illegal(op, whole);
    if (rounds && op->rounding != 7 && op->rounding > VENTUS_RMM)
        return "there is no such rounding mode";
    return NULL;
}

/* Of an op with whole register numbers. */
static const char *whole_illegal(const struct ventus_op *op, const struct ventus_prefix *p,
                                 uint32_t threads)
{
    const bool is_word = op->form >= FORM_VV64 && op->form <= FORM_VI64;
    if (ventus_is_access(op))
        return ventus_access_illegal(op, p);
    if (op->form >= FORM_MMA && op->form <= FORM_MMA64I)
        return ventus_matrix_illegal(op, threads);
    if (op->form == FORM_DMA_TENSOR && threads < VENTUS_TENSOR_LANES)
        return "cp_dma_tensor needs warps of 15 threads or more";
    return (is_word || p->pair) && !ventus_long_exists(op, p)
               ? "this instruction has no form for pairs of registers"
               : NULL;
}

const char *ventus_op_illegal(const struct ventus_op *op, const struct ventus_prefix *prefix,
                              uint8_t vtypes, uint32_t threads)
{
    static const struct ventus_prefix none = {.set = false};
    const struct ventus_prefix *p = prefix->memory && !ventus_is_access(op) ? &none : prefix;
    const char *refused = p->set ? ventus_prefix_refused(op, p) : NULL;
    struct ventus_op whole = *op;
    if (refused)
        return refused;
    if (p->set && !ventus_extend(&whole, p))
        return "a scalar register above x63";
    if (p->memory && p->space == VENTUS_IN_PRIVATE && !ventus_is_vector(op))
        return "private memory is that of a lane: a scalar has none";
    if (op->form >= FORM_VV64 && op->form <= FORM_VI64 &&
        ((op->high >> 28 & 3) == 3 || op->high >> 30 == 3))
        return "3 is not a size of a source or result";
    if (ventus_has_odd_pair(op, p))
        return "a pair of registers begins at an even one";
    if (op->form == FORM_MMA) /* the text does not name it */
        whole.rs3 = (uint8_t)(op->rd | (p->set ? p->rs3 << 5 : 0));
    const char *illegal = whole_illegal(&whole, p, threads);
    if (illegal)
        return illegal;
    if (op->body == BODY_VFTTA && threads != VENTUS_LANES)
        return "vftta.vv needs warps of 32 threads";
    return ventus_is_vector(op) ? vtype_illegal(op, p, vtypes) : scalar_illegal(op, &whole);
}

/* --- the walk --------------------------------------------------------------------------------- */

/* A bit of a set of states, with those of the vtypes. */
enum { FROM_START = 8 };

struct walk {
    const struct ventus_launch *launch;
    uint8_t *in;     /* states before an instruction; 0: not reached */
    uint8_t *target; /* whether it may be reached by other ways than from the word before it */
    uint8_t *queued;
    uint32_t *todo; /* a stack of instructions whose `in` has grown */
    size_t todo_count;
    uint8_t joined; /* states at joins, which continue after any branch of threads */
    bool sets;      /* the program contains an instruction that sets vtype */
};

/* The op at an address, or op_count. */
static size_t at(const struct ventus_launch *launch, uint32_t address)
{
    const uint32_t bytes = address - launch->code;
    return bytes % 4 || bytes / 4 >= launch->op_count ? launch->op_count : bytes / 4;
}

static uint32_t address_of(const struct ventus_launch *launch, size_t op)
{
    return launch->code + 4 * (uint32_t)op;
}

static void reach(struct walk *w, uint32_t address, uint8_t states)
{
    const size_t op = at(w->launch, address);
    if (op == w->launch->op_count || (w->in[op] | states) == w->in[op])
        return;
    w->in[op] |= states;
    if (!w->queued[op]) {
        w->queued[op] = true;
        w->todo[w->todo_count++] = (uint32_t)op;
    }
}

static bool is_scalar_branch(const struct ventus_op *op)
{
    return op->form == FORM_RISCV && riscv_is_branch((enum riscv_insn)op->insn);
}

static bool has_target(const struct ventus_op *op)
{
    return is_scalar_branch(op) || op->insn == RISCV_JAL || op->form == FORM_VBRANCH;
}

static bool falls_through(const struct ventus_op *op)
{
    return op->insn != VENTUS_NO_INSN && op->insn != RISCV_JAL && op->insn != RISCV_JALR &&
           op->insn != RISCV_ECALL && op->insn != RISCV_EBREAK && op->form != FORM_ENDPRG;
}

static uint8_t after(const struct ventus_op *op, uint8_t states)
{
    const uint32_t type = (uint32_t)op->imm & ~UINT32_C(0xc0);
    const uint8_t start = states & FROM_START;
    if (op->form < FORM_VSETVLI)
        return states;
    if (op->form == FORM_VSETVL)
        return start | VENTUS_VTYPE_ANY;
    return start | (type == 0x10   ? VENTUS_VTYPE_ONE
                    : type == 0x11 ? VENTUS_VTYPE_TWO
                                   : VENTUS_VTYPE_OTHER);
}

/* The threads of a branch continue at either way when the others have reached the join. */
static void both_ways(struct walk *w, size_t number, uint8_t states)
{
    const uint32_t pc = address_of(w->launch, number);
    reach(w, pc + (uint32_t)w->launch->ops[number].imm, states);
    reach(w, pc + 4, states);
}

static void join(struct walk *w, uint8_t states)
{
    if ((w->joined | states) == w->joined)
        return;
    w->joined |= states;
    for (size_t i = 0; i < w->launch->op_count; i++)
        if (w->launch->ops[i].form == FORM_VBRANCH && w->in[i])
            both_ways(w, i, w->joined);
}

static void step(struct walk *w, size_t number)
{
    const struct ventus_op *op = &w->launch->ops[number];
    const uint32_t pc = address_of(w->launch, number);
    const uint8_t states = after(op, w->in[number]);
    if (op->insn == VENTUS_NO_INSN)
        return;
    if (op->form == FORM_VBRANCH)
        both_ways(w, number, w->in[number] | w->joined);
    else if (has_target(op))
        reach(w, pc + (uint32_t)op->imm, states);
    if (op->form == FORM_JOIN)
        join(w, states);
    if (falls_through(op))
        reach(w, pc + ventus_size(op->word), states);
    else if ((op->insn == RISCV_JAL || op->insn == RISCV_JALR) && op->rd)
        reach(w, pc + 4, w->sets ? states | VENTUS_VTYPE_ANY : states); /* by the callee */
}

static void follow(struct walk *w)
{
    while (w->todo_count) {
        const uint32_t op = w->todo[--w->todo_count];
        w->queued[op] = false;
        step(w, op);
    }
}

/* Find what the program contains. Returns whether it jumps to a register that is not a return. */
static bool survey(struct walk *w)
{
    bool jumps = false;
    for (size_t i = 0; i < w->launch->op_count; i++) {
        const struct ventus_op *op = &w->launch->ops[i];
        if (op->insn == VENTUS_NO_INSN)
            continue;
        const size_t to = has_target(op)
                              ? at(w->launch, address_of(w->launch, i) + (uint32_t)op->imm)
                              : w->launch->op_count;
        if (to < w->launch->op_count)
            w->target[to] = true;
        w->sets = w->sets || op->form >= FORM_VSETVLI;
        jumps = jumps || (op->insn == RISCV_JALR && (op->rd || op->rs1 != 1));
    }
    return jumps;
}

/* Labels: all, or those that are not reached. */
static void enter(struct walk *w, const struct riscv_image *image, bool all)
{
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct riscv_symbol *symbol = &image->symbols[i];
        const size_t op = symbol->label ? at(w->launch, symbol->value) : w->launch->op_count;
        if (op == w->launch->op_count)
            continue;
        w->target[op] = true;
        if (all || !w->in[op])
            reach(w, symbol->value, VENTUS_VTYPE_ANY);
        follow(w);
    }
}

static int walk(struct walk *w, const struct ventus_program *program)
{
    const struct ventus_launch *launch = ventus_program_launch(program);
    const size_t count = launch->op_count;
    *w = (struct walk){.launch = launch};
    w->in = calloc(count + 1, 1);
    w->target = calloc(count + 1, 1);
    w->queued = calloc(count + 1, 1);
    w->todo = malloc((count + 1) * sizeof *w->todo);
    if (!w->in || !w->target || !w->queued || !w->todo)
        return -1;
    const bool jumps = survey(w);
    reach(w, launch->start, VENTUS_VTYPE_ONE | FROM_START);
    follow(w);
    enter(w, &program->image, jumps);
    return 0;
}

static void leave(struct walk *w)
{
    free(w->in);
    free(w->target);
    free(w->queued);
    free(w->todo);
}

/* --- findings --------------------------------------------------------------------------------- */

/* Whether it is an instruction, not data: in a text a directive is data, elsewhere what is not
 * reached. */
static bool is_meant(const struct walk *w, const struct ventus_program *program, size_t op)
{
    const struct riscv_stmt *stmt = ventus_program_stmt(program, op);
    if (program->kind != VENTUS_TEXT_FILE)
        return w->in[op] != 0;
    return (w->in[op] & FROM_START) || (stmt && stmt->length && stmt->text[0] != '.');
}

static bool is_memory(const struct ventus_program *program, uint32_t address)
{
    if (address - VENTUS_LOCAL_BASE < VENTUS_LOCAL_SPACE)
        return true;
    for (size_t l = 0; l < program->launch_count; l++)
        for (size_t i = 0; i < program->launches[l].buffer_count; i++) {
            const struct ventus_buffer *b = &program->launches[l].buffers[i];
            const uint64_t room = b->room > b->size ? b->room : b->size;
            if (address >= b->base && (address - b->base) / VENTUS_PAGE * VENTUS_PAGE < room)
                return true;
        }
    return false;
}

/* Whether it accesses an address from x0 at which there is no memory. */
static bool misses(const struct ventus_program *program, const struct ventus_op *op,
                   const struct ventus_prefix *p)
{
    struct ventus_op whole = *op;
    const bool atomic = op->form >= FORM_AMO && op->form <= FORM_LR64;
    return ventus_is_access(op) && !ventus_is_vector(op) &&
           (!p->memory || p->space <= VENTUS_IN_GLOBAL) && ventus_extend(&whole, p) && !whole.rs1 &&
           !is_memory(program, atomic ? 0 : (uint32_t)whole.imm);
}

/* A sentence if the instruction always ends the run or leaves the code, or NULL. */
static const char *find(const struct walk *w, const struct ventus_program *program, size_t number)
{
    const struct ventus_prefix none = {.set = false};
    const struct ventus_op *op = &w->launch->ops[number];
    const uint8_t states = w->in[number], vtypes = states & VENTUS_VTYPE_ANY;
    const uint32_t threads = w->launch->threads, pc = address_of(w->launch, number);
    if (op->insn == VENTUS_NO_INSN)
        return states & FROM_START ? "this is not an instruction" : NULL;
    if (!is_meant(w, program, number))
        return NULL;
    const struct ventus_prefix prefix =
        number ? ventus_prefix_of(&w->launch->ops[number - 1]) : none;
    const bool alone = !prefix.set || w->target[number] || pc == w->launch->start;
    const char *without = alone ? ventus_op_illegal(op, &none, vtypes, threads) : NULL;
    if (!without && (!alone || misses(program, op, &none)) &&
        (!prefix.set || misses(program, op, &prefix)))
        return "an address from x0 where no buffer is";
    if (alone && (!prefix.set || !without))
        return without;
    return ventus_op_illegal(op, &prefix, vtypes, threads);
}

static void warn(const struct ventus_program *program, uint32_t pc, const char *sentence,
                 struct diag_list *diags)
{
    char insn[VENTUS_TEXT];
    struct diag place = {
        .severity = DIAG_WARNING, .length = 1, .name = ventus_names[VENTUS_NAME_ILLEGAL]};
    if (ventus_program_where(program, pc, &place, insn) || !insn[0])
        diag_add(diags, &place, "%s", sentence);
    else
        diag_add(diags, &place, "pc 0x%08x (%s): %s", pc, insn, sentence);
}

/* True, with a sentence, if execution leaves the code here. */
static bool leaves(const struct walk *w, size_t number, char *text, size_t size)
{
    const struct ventus_op *op = &w->launch->ops[number];
    const uint32_t pc = address_of(w->launch, number), to = pc + (uint32_t)op->imm;
    if (op->insn == VENTUS_NO_INSN || !(w->in[number] & FROM_START))
        return false;
    if (has_target(op) && at(w->launch, to) == w->launch->op_count)
        snprintf(text, size, "there is no code at the target 0x%x", to);
    else if (falls_through(op) && at(w->launch, pc + ventus_size(op->word)) == w->launch->op_count)
        snprintf(text, size,
                 "execution continues after this, where there is no code\n"
                 "end the program with endprg");
    else
        return false;
    return true;
}

/* m1 everywhere: the usual case. */
static bool has_groups(const struct ventus_launch *launch)
{
    for (size_t i = 0; i < launch->op_count; i++) {
        const struct ventus_op *op = &launch->ops[i];
        if (op->insn != VENTUS_NO_INSN && op->form >= FORM_VSETVLI &&
            after(op, 0) & VENTUS_VTYPE_TWO)
            return true;
    }
    return false;
}

int ventus_find_groups(struct ventus_program *program)
{
    struct walk w;
    if (!program->launch_count || !has_groups(ventus_program_launch(program)))
        return 0;
    struct ventus_launch *launch = &program->launches[program->launch_count - 1];
    const int status = walk(&w, program);
    for (size_t i = 0; status == 0 && i < launch->op_count; i++)
        launch->ops[i].two = w.in[i] & VENTUS_VTYPE_TWO;
    leave(&w);
    return status;
}

int ventus_illegal(const struct ventus_program *program, struct diag_list *diags)
{
    struct walk w;
    const int status = walk(&w, program);
    for (size_t i = 0; status == 0 && i < w.launch->op_count; i++) {
        const uint32_t pc = address_of(w.launch, i);
        const char *sentence = find(&w, program, i);
        char text[300];
        if (sentence)
            snprintf(text, sizeof text, "%s: this ends the run when it is executed", sentence);
        if (sentence || leaves(&w, i, text, sizeof text))
            warn(program, pc, text, diags);
    }
    leave(&w);
    return status;
}
