/*
 * check: findings about a program that is not executed.
 *
 * "illegal": a word that traps whenever it is executed, and execution that leaves the code.
 * "doubtful": probably a mistake, though it executes: registers that overlap where the reference
 * forbids it, x0 where it makes another form of a load or store, and depthwise convolutions whose
 * accumulators were not set by adwinit or by an earlier convolution, or were overwritten since.
 *
 * The state of the accumulators is found by a walk over the control flow: a branch is followed both
 * ways, a call to its target and to the next word, a jump to a register nowhere. Code not reached
 * from the entry is entered at its labels with an unknown state. Scalar instructions do not change
 * the accumulators.
 */
#include <stdlib.h>
#include <string.h>

#include "functional/kelvin/program.h"
#include "functional/riscv/extension.h"

/* States of the depthwise accumulators, one bit per path to a statement. */
enum { UNSET = 1, OPEN = 2, BROKEN = 4, UNKNOWN = 8 };

struct walk {
    const struct kelvin_program *program;
    struct kelvin_insn *insns;
    uint8_t *in;    /* set of states before a statement; 0: not reached */
    uint32_t *todo; /* a stack of statements whose `in` has grown */
    uint8_t *queued;
    size_t todo_count;
    bool initialises; /* the program contains an adwinit */
};

static void warn(const struct kelvin_program *program, const struct riscv_stmt *stmt,
                 const char *name, struct diag_list *diags, const char *sentence)
{
    /* Findings name files of the command line. */
    const struct diag at = {.severity = DIAG_WARNING,
                            .line = program->elf ? 0 : stmt->line,
                            .file = program->elf ? 0 : stmt->file,
                            .column = stmt->column,
                            .length = stmt->length,
                            .name = name};
    char place[300];
    riscv_image_place(&program->image, stmt->address, place, sizeof place);
    if (program->elf)
        diag_add(diags, &at, "0x%x (%s): %.*s: %s", stmt->address, place, (int)stmt->length,
                 stmt->text, sentence);
    else
        diag_add(diags, &at, "%s", sentence);
}

/* True if execution may continue with the next word. */
static bool falls_through(const struct kelvin_insn *insn)
{
    if (insn->kind == KELVIN_SCALAR) {
        const enum riscv_insn name = (enum riscv_insn)insn->scalar.insn;
        return name != RISCV_JAL && name != RISCV_JALR && name != RISCV_MRET &&
               name != RISCV_EBREAK && name != RISCV_ECALL;
    }
    const bool core = insn->kind == KELVIN_CORE;
    return insn->kind != KELVIN_UNDEFINED && !(core && insn->vector.form->family <= KELVIN_mpause &&
                                               insn->vector.form->family != KELVIN_eyield);
}

/* --- the walk --------------------------------------------------------------------------------- */

static void reach(struct walk *w, uint32_t address, uint8_t bits)
{
    const uint32_t stmt = riscv_image_stmt(&w->program->image, address);
    if (stmt == RISCV_NO_STMT || (w->in[stmt] | bits) == w->in[stmt])
        return;
    w->in[stmt] |= bits;
    if (!w->queued[stmt]) {
        w->queued[stmt] = true;
        w->todo[w->todo_count++] = stmt;
    }
}

static bool convolves(const struct kelvin_insn *insn)
{
    return insn->kind == KELVIN_VECTOR && (insn->vector.form->family == KELVIN_vdwconv ||
                                           insn->vector.form->family == KELVIN_adwconv);
}

static uint8_t after(const struct kelvin_insn *insn, uint8_t bits)
{
    if (insn->kind != KELVIN_VECTOR || insn->vector.form->family >= KELVIN_getmaxvl)
        return bits;
    if (convolves(insn) || insn->vector.form->family == KELVIN_adwinit)
        return OPEN;
    return (uint8_t)((bits & ~OPEN) | (bits & OPEN ? BROKEN : 0));
}

/* A callee may set the accumulators if the program contains an instruction that does. */
static uint8_t after_call(const struct walk *w, uint8_t bits)
{
    const uint8_t lost = (uint8_t)(BROKEN | (w->initialises ? UNSET : 0));
    return (uint8_t)((bits & ~lost) | (bits & lost ? UNKNOWN : 0));
}

static void step(struct walk *w, uint32_t stmt)
{
    const struct kelvin_insn *insn = &w->insns[stmt];
    const uint32_t pc = w->program->image.stmts[stmt].address;
    const uint8_t bits = after(insn, w->in[stmt]);
    const struct riscv_op *op = &insn->scalar;
    const bool scalar = insn->kind == KELVIN_SCALAR;
    const bool jumps = scalar && (op->insn == RISCV_JAL || op->insn == RISCV_JALR);
    if (scalar && (riscv_is_branch((enum riscv_insn)op->insn) || op->insn == RISCV_JAL))
        reach(w, pc + (uint32_t)op->imm, bits);
    if (falls_through(insn))
        reach(w, pc + 4, bits);
    else if (jumps && op->rd)
        reach(w, pc + 4, after_call(w, bits));
}

static void follow(struct walk *w)
{
    while (w->todo_count) {
        const uint32_t stmt = w->todo[--w->todo_count];
        w->queued[stmt] = false;
        step(w, stmt);
    }
}

static int walk(struct walk *w, const struct kelvin_program *program)
{
    const struct riscv_image *image = &program->image;
    const size_t count = image->stmt_count;
    *w = (struct walk){.program = program};
    w->insns = calloc(count + 1, sizeof *w->insns);
    w->in = calloc(count + 1, 1);
    w->queued = calloc(count + 1, 1);
    w->todo = malloc((count + 1) * sizeof *w->todo);
    if (!w->insns || !w->in || !w->queued || !w->todo)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct kelvin_insn *insn = &w->insns[i];
        kelvin_insn_decode(image->stmts[i].word, &w->insns[i]);
        w->initialises = w->initialises || (insn->kind == KELVIN_VECTOR &&
                                            insn->vector.form->family == KELVIN_adwinit);
    }
    reach(w, image->entry, UNSET);
    follow(w);
    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct riscv_symbol *symbol = &image->symbols[i];
        const uint32_t stmt =
            symbol->label ? riscv_image_stmt(image, symbol->value) : RISCV_NO_STMT;
        if (stmt == RISCV_NO_STMT || w->in[stmt])
            continue;
        reach(w, symbol->value, w->initialises ? UNKNOWN : UNSET);
        follow(w);
    }
    return 0;
}

/* --- findings --------------------------------------------------------------------------------- */

/* True if the address given by x0 and the offset is outside memory. */
static bool leaves_memory(const struct kelvin_program *program, const struct riscv_op *op)
{
    static const uint8_t bytes[] = {1, 2, 4, 1, 2}; /* lb lh lw lbu lhu */
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    if (op->rs1 || !(riscv_is_load(insn) || riscv_is_store(insn)))
        return false;
    const uint32_t size = riscv_is_load(insn) ? bytes[insn - RISCV_LB] : 1U << (insn - RISCV_SB);
    return !kelvin_program_has(program, (uint32_t)op->imm) ||
           !kelvin_program_has(program, (uint64_t)(uint32_t)op->imm + size - 1);
}

/* A message if the statement always traps or leaves the code; false: it does not. */
static bool find_illegal(const struct walk *w, uint32_t number, char *text, size_t size)
{
    const struct riscv_image *image = &w->program->image;
    const struct riscv_stmt *stmt = &image->stmts[number];
    const struct kelvin_insn *insn = &w->insns[number];
    const struct riscv_op *op = &insn->scalar;
    const bool scalar = insn->kind == KELVIN_SCALAR;
    const uint32_t to = stmt->address + (uint32_t)op->imm;
    const char *illegal = insn->kind == KELVIN_VECTOR ? kelvin_vector_illegal(&insn->vector) : NULL;
    const char *extension = insn->kind == KELVIN_UNDEFINED ? riscv_extension_of(stmt->word) : NULL;
    if (illegal)
        snprintf(text, size, "%s: this traps when it is executed", illegal);
    else if (insn->kind == KELVIN_UNDEFINED && w->in[number])
        snprintf(text, size, "this is not an instruction%s%s: it traps when it is executed",
                 extension ? " of this machine, which does not have extension " : "",
                 extension ? extension : "");
    else if (scalar && riscv_is_csr(op->insn) && !kelvin_csr_name((uint32_t)op->imm))
        snprintf(text, size, "there is no CSR 0x%x: this traps when it is executed",
                 (unsigned)op->imm);
    else if (scalar && riscv_is_csr(op->insn) && kelvin_csr_traps(op))
        snprintf(text, size, "%s is read-only: this traps when it is executed",
                 kelvin_csr_name((uint32_t)op->imm));
    else if (scalar && leaves_memory(w->program, op))
        snprintf(text, size, "there is no memory at 0x%x: this traps when it is executed",
                 (unsigned)op->imm);
    else if (scalar && (riscv_is_branch(op->insn) || op->insn == RISCV_JAL) &&
             riscv_image_stmt(image, to) == RISCV_NO_STMT)
        snprintf(text, size, "there is no code at the target 0x%x", to);
    else if (falls_through(insn) && riscv_image_stmt(image, stmt->address + 4) == RISCV_NO_STMT)
        snprintf(text, size,
                 "execution continues after this, where there is no code\n"
                 "end the program with mpause");
    else
        return false;
    return true;
}

/* A load, a store or getvl whose last operand, x0, makes it the form without that operand. */
static bool is_other_form(const struct walk *w, uint32_t number, char *text, size_t size)
{
    const struct riscv_stmt *stmt = &w->program->image.stmts[number];
    const struct kelvin_form *form = w->insns[number].vector.form;
    const bool length_of = form->family == KELVIN_getmaxvl;
    if (w->program->elf || (form->family != KELVIN_vld && form->family != KELVIN_vst && !length_of))
        return false;
    size_t length = 0;
    while (length < stmt->length && !strchr(" \t", stmt->text[length]))
        length++;
    const struct kelvin_form *written = kelvin_form_find(stmt->text, length);
    if (!written || written == form)
        return false;
    if (length_of)
        snprintf(text, size,
                 "with x0 as last operand this is %s, which x0 does not limit\n"
                 "write %s, or a register that holds 0",
                 form->name, form->name);
    else
        snprintf(text, size,
                 "with x0 as last operand this is %s, which moves the base by whole registers\n"
                 "leave .p out if the base is to stay",
                 form->name);
    return true;
}

static bool find_doubtful(const struct walk *w, uint32_t number, char *text, size_t size)
{
    const struct kelvin_insn *insn = &w->insns[number];
    if (insn->kind != KELVIN_VECTOR)
        return false;
    if (is_other_form(w, number, text, size))
        return true;
    if (!convolves(insn))
        return kelvin_vector_doubtful(&insn->vector, text, size);
    const char *name = insn->vector.form->family == KELVIN_vdwconv ? "vdwconv" : "adwconv";
    if (w->in[number] & BROKEN)
        snprintf(text, size,
                 "another vector instruction comes between this %s and the sequence that it "
                 "continues: what the depthwise accumulators hold is unpredictable\n"
                 "put adwinit in front of it, or the other instruction elsewhere",
                 name);
    else if (w->in[number] & UNSET)
        snprintf(text, size,
                 "no adwinit comes before this %s: what the depthwise accumulators hold is not "
                 "known\nput adwinit in front of the sequence",
                 name);
    else
        return false;
    return true;
}

int kelvin_program_check(const struct kelvin_program *program, struct diag_list *diags)
{
    struct walk w;
    const int status = walk(&w, program);
    for (uint32_t i = 0; status == 0 && i < program->image.stmt_count; i++) {
        char text[300];
        if (find_illegal(&w, i, text, sizeof text))
            warn(program, &program->image.stmts[i], "illegal", diags, text);
        else if (find_doubtful(&w, i, text, sizeof text))
            warn(program, &program->image.stmts[i], "doubtful", diags, text);
    }
    free(w.insns);
    free(w.in);
    free(w.queued);
    free(w.todo);
    return status;
}
