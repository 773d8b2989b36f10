#include "functional/ventus/work.h"

struct ventus_prefix ventus_prefix_of(const struct ventus_op *op)
{
    const uint32_t imm = (uint32_t)op->imm;
    if (op->form != FORM_REGEXT)
        return (struct ventus_prefix){.set = false};
    if (op->body == BODY_REGEXT)
        return (struct ventus_prefix){.set = true,
                                      .rd = imm & 7,
                                      .rs1 = imm >> 3 & 7,
                                      .rs2 = imm >> 6 & 7,
                                      .rs3 = imm >> 9 & 7};
    return (struct ventus_prefix){
        .set = true, .immediate = true, .rd = imm & 7, .rs2 = imm >> 3 & 7, .high = imm >> 6 & 63};
}

/* --- registers -------------------------------------------------------------------------------- */

/* Operands as letters: lower case is read, upper case written. x, y, z, d: scalar registers of
 * rs1, rs2, rs3, rd; a, b, c, v: vector registers of rs1, rs2, rs3, rd; 0: v0. Behind a letter 2: a
 * pair. */
static const char *operands(const struct ventus_op *op)
{
    static const char *const forms[VENTUS_FORMS] = {
        [FORM_R] = "xyD",      [FORM_R1] = "xD",       [FORM_AMO] = "xyD",
        [FORM_LR] = "xD",      [FORM_AMO64] = "x2yD",  [FORM_LR64] = "x2D",
        [FORM_RW] = "x2y2D2",  [FORM_IW] = "x2D2",     [FORM_SHIFTW] = "x2D2",
        [FORM_LOAD64] = "x2D", [FORM_STORE64] = "x2y", [FORM_FR] = "xyD",
        [FORM_FR1] = "xD",     [FORM_FR4] = "xyzD",    [FORM_FMVWX] = "x",
        [FORM_FMVXW] = "D",    [FORM_VV] = "baV",      [FORM_VX] = "bxV",
        [FORM_VI] = "bV",      [FORM_VU] = "bV",       [FORM_V] = "bV",
        [FORM_VID] = "V",      [FORM_MM] = "baV",      [FORM_MVV] = "aV",
        [FORM_MVX] = "xV",     [FORM_MVI] = "V",       [FORM_MVXS] = "bD",
        [FORM_VVM] = "ba0V",   [FORM_VXM] = "bx0V",    [FORM_VIM] = "b0V",
        [FORM_VADD12] = "aV",  [FORM_VBRANCH] = "ba",  [FORM_SETRPC] = "xD",
        [FORM_VLOAD] = "aV",   [FORM_VSTORE] = "ab",   [FORM_PLOAD] = "aV",
        [FORM_PSTORE] = "ab",  [FORM_VLE] = "xV",      [FORM_VSE] = "xc",
        [FORM_VLSE] = "xyV",   [FORM_VSSE] = "xyc",    [FORM_VLX] = "xbV",
        [FORM_VSX] = "xbc",    [FORM_VSETVLI] = "xD",  [FORM_VSETIVLI] = "D",
        [FORM_VSETVL] = "xyD",
    };
    if (op->insn == VENTUS_NO_INSN)
        return "";
    if (op->form != FORM_RISCV)
        return forms[op->form] ? forms[op->form] : "";
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const bool one = riscv_reads_rs1(insn), two = riscv_reads_rs2(insn);
    if (!riscv_writes_rd(insn))
        return one ? two ? "xy" : "x" : "";
    return one ? two ? "xyD" : "xD" : "D";
}

/* Its old vd is a source: multiply-adds. */
static bool reads_third(const struct ventus_op *op)
{
    return (op->body >= BODY_VMADD && op->body <= BODY_VNMSAC) ||
           (op->body >= BODY_VWMACCU && op->body <= BODY_VWMACCSU) ||
           (op->body >= BODY_VFMADD && op->body <= BODY_VFNMSAC) || op->body == BODY_VFTTA;
}

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

void ventus_work(const struct ventus_op *op, const struct ventus_prefix *p,
                 struct ventus_work_storage *storage, struct work *work)
{
    struct places reads = {.spans = storage->reads}, writes = {.spans = storage->writes};
    const uint32_t rd = op->rd | (uint32_t)p->rd << 5, rs1 = op->rs1 | (uint32_t)p->rs1 << 5;
    const uint32_t rs2 = op->rs2 | (uint32_t)p->rs2 << 5;
    const uint32_t rs3 = (ventus_is_vector(op) ? op->rd : (uint32_t)op->rs3) | (uint32_t)p->rs3
                                                                                   << 5;
    const bool wide = op->body >= BODY_VWADDU && op->body <= BODY_VWMACCSU;
    for (const char *c = operands(op); *c; c++) {
        const uint32_t count = c[1] == '2' || (wide && *c == 'V') ? 2 : 1;
        switch (*c) {
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
            add(&reads, true, rs3, count);
            break;
        case 'V':
            add(&writes, true, rd, count);
            break;
        case '0':
            add(&reads, true, 0, 1);
            break;
        default:
            break;
        }
    }
    if (reads_third(op))
        add(&reads, true, rs3, wide ? 2 : 1);
    if (op->masked)
        add(&reads, true, 0, 1);
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
