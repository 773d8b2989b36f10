#include "functional/ventus/work.h"

#include <string.h>

#include "functional/ventus/matrix.h"

bool ventus_is_prefix(const struct ventus_op *op)
{
    return op->form == FORM_REGEXT || op->form == FORM_PREFIX || op->form == FORM_PREFIXM;
}

struct ventus_prefix ventus_prefix_of(const struct ventus_op *op)
{
    const uint32_t imm = (uint32_t)op->imm, w = op->word;
    struct ventus_prefix prefix = {.set = false};
    if (!ventus_is_prefix(op))
        return prefix;
    prefix.set = true;
    prefix.rd = imm & 7;
    if (op->body == BODY_REGEXTI || op->body == BODY_PREFIXI) {
        prefix.immediate = true;
        prefix.rs2 = imm >> 3 & 7;
        prefix.high = imm >> 6 & 63;
    } else {
        prefix.rs1 = imm >> 3 & 7;
        prefix.rs2 = imm >> 6 & 7;
        prefix.rs3 = imm >> 9 & 7;
    }
    if (op->form == FORM_PREFIX) {
        prefix.pair = w >> 11 & 1;
        prefix.absolute = w >> 8 & 7;
        prefix.negated = w >> 17 & 7;
    } else if (op->form == FORM_PREFIXM) {
        prefix.memory = true;
        prefix.pair = w >> 19 & 1;
        prefix.space = w >> 17 & 3;
        prefix.words = (uint8_t)(1 + (w >> 15 & 3));
    }
    return prefix;
}

/* --- registers -------------------------------------------------------------------------------- */

/* As form.def has them. */
static const char *operands(const struct ventus_op *op)
{
    if (op->insn == VENTUS_NO_INSN)
        return "";
    if (op->form != FORM_RISCV)
        return ventus_operands(op);
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const bool one = riscv_reads_rs1(insn), two = riscv_reads_rs2(insn);
    if (!riscv_writes_rd(insn))
        return one ? two ? "xy" : "x" : "";
    return one ? two ? "xyD" : "xD" : "D";
}

/* --- prefixes --------------------------------------------------------------------------------- */

static uint8_t *high_of(struct ventus_prefix *prefix, char letter)
{
    switch (letter) {
    case 'x':
    case 'a':
    case 'l':
        return &prefix->rs1;
    case 'y':
    case 'b':
    case 'k':
        return &prefix->rs2;
    case 'z':
    case 'c':
        return &prefix->rs3;
    case 'd':
    case 'D':
    case 'V':
        return &prefix->rd;
    default:
        return NULL;
    }
}

bool ventus_extends_imm(const struct ventus_op *op)
{
    return op->form == FORM_VI || op->form == FORM_VU || op->form == FORM_MVI ||
           op->form == FORM_VIM;
}

int32_t ventus_immediate(const struct ventus_op *op, const struct ventus_prefix *prefix)
{
    const uint32_t word = (uint32_t)prefix->high << 5 | ((uint32_t)op->imm & 31);
    if (!prefix->immediate || !ventus_extends_imm(op))
        return op->imm;
    return op->form == FORM_VU ? (int32_t)word : (int32_t)(word << 21) >> 21;
}

bool ventus_extend(struct ventus_op *op, const struct ventus_prefix *prefix)
{
    struct ventus_prefix bits = *prefix;
    struct ventus_op whole = *op;
    const char *at = operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        const uint8_t *high = o.width ? NULL : high_of(&bits, o.letter);
        if (!high)
            continue;
        uint8_t *reg = ventus_register_of(&whole, o.letter);
        *reg = (uint8_t)((*reg & 31) | *high << 5);
        if (strchr("xyzdD", o.letter) && *reg >= VENTUS_XREGS)
            return false;
    }
    whole.imm = ventus_immediate(op, prefix);
    *op = whole;
    return true;
}

/* Whether a prefix may give the instruction pairs, absolute or negated sources. */
static bool takes_modifiers(const struct ventus_op *op)
{
    const bool wide = op->body >= BODY_VWADDU && op->body <= BODY_VWMACCSU;
    return op->form >= FORM_VV && op->form <= FORM_VADD12 && !wide && op->body != BODY_VFTTA &&
           op->form != FORM_MVXS && op->form != FORM_MM;
}

const char *ventus_prefix_refused(const struct ventus_op *op, const struct ventus_prefix *p)
{
    if (!p->memory && (p->pair || p->absolute || p->negated) && !takes_modifiers(op))
        return "pair, ABS and NEG are of vector arithmetic in lanes";
    if (ventus_is_prefix(op))
        return "a prefix after a prefix";
    if (ventus_size(op->word) == 8)
        return "a prefix in front of an instruction of 64 bits";
    if (p->immediate && !ventus_extends_imm(op))
        return "a prefix for an immediate of five bits, and there is none";
    return NULL;
}

bool ventus_prefix_makes(const struct ventus_prefix *prefix, const struct ventus_op *whole)
{
    struct ventus_prefix bits = *prefix;
    struct ventus_op copy = *whole;
    const char *at = operands(whole);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        const uint8_t *high = o.width ? NULL : high_of(&bits, o.letter);
        if (high && *ventus_register_of(&copy, o.letter) >> 5 != *high)
            return false;
    }
    int32_t least, most;
    ventus_imm_range(whole, &least, &most);
    if (!ventus_extends_imm(whole))
        return true;
    return prefix->immediate ? ((uint32_t)whole->imm >> 5 & 63) == prefix->high
                             : whole->imm >= least && whole->imm <= most;
}

struct ventus_prefix ventus_prefix_for(const struct ventus_op *whole)
{
    struct ventus_prefix prefix = {.set = false};
    struct ventus_op copy = *whole;
    const char *at = operands(whole);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        uint8_t *high = o.width ? NULL : high_of(&prefix, o.letter);
        if (high)
            *high = *ventus_register_of(&copy, o.letter) >> 5;
        prefix.set = prefix.set || (high && *high);
    }
    if (ventus_reads_third(whole))
        prefix.rs3 = prefix.rd;
    if (ventus_extends_imm(whole)) {
        int32_t least, most;
        ventus_imm_range(whole, &least, &most);
        prefix.immediate = prefix.set || whole->imm < least || whole->imm > most;
        prefix.set = prefix.immediate;
        prefix.high = (uint32_t)whole->imm >> 5 & 63;
    }
    return prefix;
}

/* --- places ----------------------------------------------------------------------------------- */

struct places {
    uint64_t x;
    struct span *spans;
    size_t count;
};

static void add(struct places *places, bool vector, uint32_t reg, uint32_t count)
{
    if (!vector) {
        for (uint32_t i = reg; i < reg + count && i < VENTUS_XREGS; i++)
            places->x |= i ? UINT64_C(1) << i : 0;
        return;
    }
    if (places->count < VENTUS_SPANS - 1)
        places->spans[places->count++] =
            (struct span){.space = VENTUS_SPACE_V, .when = 1, .first = reg, .count = count};
}

static size_t finish(struct places *places)
{
    if (places->x)
        places->spans[places->count++] = (struct span){
            .space = VENTUS_SPACE_X, .when = 1, .set = places->x, .first = 0, .count = 1};
    return places->count;
}

/* Registers that an operand takes, by its letter. */
static uint32_t count_of(const struct ventus_op *op, const struct ventus_prefix *p,
                         const struct ventus_operand *o)
{
    const bool written = o->letter == 'V';
    if (op->body == BODY_MMA) {
        const struct ventus_matrix matrix = ventus_matrix(op);
        const struct ventus_matrix_registers count = ventus_matrix_registers(&matrix);
        return o->letter == 'a' ? count.a : o->letter == 'b' ? count.b : count.c;
    }
    if (op->form >= FORM_VV64 && op->form <= FORM_VI64)
        return (op->high >> (written ? 30 : 28) & 3) == 2 ? 2 : 1;
    if (op->form >= FORM_VLOAD && op->form <= FORM_VSX) {
        const bool base = op->form < FORM_VLE ? o->letter == 'a' : o->letter == 'x';
        const bool data = op->form < FORM_VLE ? !base : strchr("Vc", o->letter) != NULL;
        return base && p->pair ? 2 : data && p->words ? p->words : o->pair ? 2 : 1;
    }
    if (!p->memory && p->pair && ventus_is_vector(op)) {
        const bool truth = (op->body >= BODY_VMSEQ && op->body <= BODY_VMSGT) ||
                           (op->body >= BODY_VMFEQ && op->body <= BODY_VMFGE);
        return written && truth ? 1 : 2;
    }
    const bool wide = op->body >= BODY_VWADDU && op->body <= BODY_VWMACCSU;
    const bool wide_first = op->body >= BODY_VWADDU_W && op->body <= BODY_VWSUB_W;
    return o->pair || (wide && written) || (wide_first && strchr("ba", o->letter)) ? 2 : 1;
}

bool ventus_has_odd_pair(const struct ventus_op *op, const struct ventus_prefix *p)
{
    const bool scalar_access = op->form == FORM_RISCV && p->memory && p->pair;
    const bool access = op->form >= FORM_VLOAD && op->form <= FORM_VSX;
    struct ventus_op copy = *op;
    struct ventus_prefix one = *p;
    one.words = 1; /* data of several words begins anywhere */
    const char *at = operands(op);
    for (struct ventus_operand o; op->body != BODY_MMA && (o = ventus_next_operand(&at)).letter;) {
        const char file = ventus_file_of(o.letter);
        const bool pair = scalar_access ? o.letter == 'x' : count_of(op, &one, &o) == 2;
        const bool named = file == 'x' || (file == 'v' && !(access && strchr("kl", o.letter)));
        if (pair && named && (*ventus_register_of(&copy, o.letter) & 1))
            return true;
    }
    return false;
}

bool ventus_takes_vtype(const struct ventus_op *op)
{
    const bool control =
        (op->form >= FORM_VBRANCH && op->form <= FORM_DMA_BARRIER) || op->form >= FORM_VSETVLI;
    const bool copies = op->form >= FORM_DMA && op->form <= FORM_DMA_TENSOR;
    return ventus_is_vector(op) && !control && !copies;
}

/* Registers of a group. */
static uint32_t group_of(const struct ventus_op *op)
{
    const bool matrix = op->form >= FORM_MMA && op->form <= FORM_MMA64I;
    return op->two && ventus_takes_vtype(op) && !matrix && op->body != BODY_VMV_XS ? 2 : 1;
}

void ventus_work(const struct ventus_op *op, const struct ventus_prefix *p,
                 struct ventus_work_storage *storage, struct work *work)
{
    struct places reads = {.spans = storage->reads}, writes = {.spans = storage->writes};
    const bool is_long = ventus_size(op->word) == 8;
    const uint32_t rd = op->rd | (uint32_t)p->rd << 5, rs1 = op->rs1 | (uint32_t)p->rs1 << 5;
    const uint32_t rs2 = op->rs2 | (uint32_t)p->rs2 << 5;
    const uint32_t rs3 =
        (ventus_is_vector(op) && !is_long ? op->rd : (uint32_t)op->rs3) | (uint32_t)p->rs3 << 5;
    const uint32_t group = group_of(op);
    const char *at = operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;) {
        const uint32_t one = count_of(op, p, &o);
        const uint32_t count = ventus_file_of(o.letter) == 'v' && one < group ? group : one;
        switch (o.letter) {
        case 'x':
            add(&reads, false, rs1, count);
            break;
        case 'y':
            add(&reads, false, rs2, count);
            break;
        case 'z':
            add(&reads, false, rs3, count);
            break;
        case 'D':
            add(&writes, false, rd, count);
            break;
        case 'a':
            add(&reads, true, rs1, count);
            break;
        case 'b':
            add(&reads, true, rs2, count);
            break;
        case 'c':
        case 's':
            add(&reads, true, rs3, count);
            break;
        case 'd':
            add(&reads, false, rd, count);
            break;
        case 'V':
            add(&writes, true, rd, count);
            if (ventus_reads_third(op))
                add(&reads, true, rs3, count);
            break;
        case '0':
            add(&reads, true, 0, group);
            break;
        default:
            break;
        }
    }
    if (op->masked)
        add(&reads, true, 0, group);
    *work = (struct work){.operation = op->insn,
                          .reads = storage->reads,
                          .read_count = finish(&reads),
                          .writes = storage->writes,
                          .write_count = finish(&writes),
                          .next = WORK_END};
}

/* --- classes ---------------------------------------------------------------------------------- */

static enum ventus_class class_of_scalar(const struct ventus_op *op)
{
    if (op->form >= FORM_AMO && op->form <= FORM_LR64)
        return VENTUS_MEMORY;
    if (op->form == FORM_LOAD64 || op->form == FORM_STORE64)
        return VENTUS_MEMORY;
    if (op->body == BODY_FDIV || op->body == BODY_FSQRT)
        return VENTUS_SFU;
    if (op->body >= BODY_FADD && op->body <= BODY_FNMADD)
        return VENTUS_FPU;
    return VENTUS_SALU;
}

static enum ventus_class class_of_base(enum riscv_insn insn)
{
    if (riscv_is_load(insn) || riscv_is_store(insn))
        return VENTUS_MEMORY;
    if (riscv_is_multiply(insn))
        return VENTUS_MUL;
    if (riscv_is_divide(insn))
        return VENTUS_SFU;
    if (riscv_is_csr(insn))
        return VENTUS_CSR;
    return riscv_is_branch(insn) || insn == RISCV_JAL || insn == RISCV_JALR ? VENTUS_CONTROL
                                                                            : VENTUS_SALU;
}

enum ventus_class ventus_class_of(const struct ventus_op *op)
{
    const uint8_t body = op->body;
    if (op->insn == VENTUS_NO_INSN)
        return VENTUS_CONTROL;
    if (op->form == FORM_RISCV)
        return class_of_base((enum riscv_insn)op->insn);
    if (!ventus_is_vector(op))
        return class_of_scalar(op);
    if (op->form >= FORM_VLOAD && op->form <= FORM_VSX)
        return VENTUS_MEMORY;
    if (op->form == FORM_SETRPC || op->form >= FORM_VSETVLI)
        return VENTUS_CSR;
    if (op->form >= FORM_VBRANCH && op->form <= FORM_DMA_BARRIER)
        return VENTUS_CONTROL;
    if (body == BODY_VFTTA || body == BODY_MMA)
        return VENTUS_TENSOR;
    if ((body >= BODY_VDIVU && body <= BODY_VREM) || body == BODY_VFDIV || body == BODY_VFRDIV ||
        (body >= BODY_VFSQRT && body <= BODY_VFREC7) || body == BODY_VFEXP)
        return VENTUS_SFU;
    if (body >= BODY_VFADD && body <= BODY_VFCLASS)
        return VENTUS_FPU;
    if ((body >= BODY_VMULHU && body <= BODY_VNMSAC) || body == BODY_VSMUL ||
        (body >= BODY_VWMULU && body <= BODY_VWMACCSU))
        return VENTUS_MUL;
    return VENTUS_VALU;
}

bool ventus_is_jump(const struct ventus_op *op)
{
    if (op->form == FORM_RISCV)
        return riscv_is_branch((enum riscv_insn)op->insn) || op->insn == RISCV_JAL ||
               op->insn == RISCV_JALR;
    return op->form == FORM_VBRANCH || op->form == FORM_JOIN;
}
