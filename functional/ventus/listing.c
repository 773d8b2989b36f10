#include "functional/ventus/listing.h"

#include <inttypes.h>
#include <string.h>

/* --- the instruction -------------------------------------------------------------------------- */

/* "pc + 48", or in hex "pc - 0x90". */
static void relative(char text[32], int32_t offset, bool hex)
{
    const uint32_t size = offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset;
    snprintf(text, 32, hex ? "pc %c 0x%" PRIx32 : "pc %c %" PRIu32, offset < 0 ? '-' : '+', size);
}

static void csr_text(char text[32], uint32_t csr)
{
    const char *name = ventus_csr_name(csr);
    if (name)
        snprintf(text, 32, "%s", name);
    else
        snprintf(text, 32, "unknown_%03x", csr);
}

struct listed_text {
    const char *name;
    char operands[VENTUS_TEXT];
};

#define SAY(t, ...) snprintf((t)->operands, sizeof(t)->operands, __VA_ARGS__)

static void base_jump(const struct ventus_op *op, struct listed_text *t)
{
    char target[32];
    relative(target, op->imm, true);
    if (op->insn == RISCV_JAL) {
        t->name = op->rd ? "jal" : "j";
        if (op->rd > 1)
            SAY(t, "x%u, %s", op->rd, target);
        else
            SAY(t, "%s", target);
    } else if (op->imm || op->rd > 1) {
        SAY(t, "x%u, x%u, %d", op->rd, op->rs1, op->imm);
    } else if (!op->rd && op->rs1 == 1) {
        t->name = "ret";
    } else {
        t->name = op->rd ? "jalr" : "jr";
        SAY(t, "x%u", op->rs1);
    }
}

static void base_branch(const struct ventus_op *op, struct listed_text *t)
{
    static const char *const zero[] = {"beqz", "bnez", "bltz", "bgez", NULL, NULL};
    char target[32];
    relative(target, op->imm, false);
    const char *name = op->rs2 ? NULL : zero[op->insn - RISCV_BEQ];
    if (name) {
        t->name = name;
        SAY(t, "x%u, %s", op->rs1, target);
    } else {
        SAY(t, "x%u, x%u, %s", op->rs1, op->rs2, target);
    }
}

static void base_csr(const struct ventus_op *op, struct listed_text *t)
{
    static const char *const write[] = {"csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci"};
    char csr[32];
    csr_text(csr, (uint32_t)op->imm & 0xfff);
    const bool immediate = op->insn >= RISCV_CSRRWI;
    const char *sign = immediate ? "" : "x";
    if (op->insn == RISCV_CSRRS && !op->rs1) {
        t->name = "csrr";
        SAY(t, "x%u, %s", op->rd, csr);
    } else if (!op->rd) {
        t->name = write[op->insn - RISCV_CSRRW];
        SAY(t, "%s, %s%u", csr, sign, op->rs1);
    } else {
        SAY(t, "x%u, %s, %s%u", op->rd, csr, sign, op->rs1);
    }
}

/* Names that say the same with fewer operands. */
static bool base_short(const struct ventus_op *op, struct listed_text *t)
{
    switch (op->insn) {
    case RISCV_ADDI:
        if (!op->rd && !op->rs1 && !op->imm) {
            t->name = "nop";
        } else if (!op->rs1) {
            t->name = "li";
            SAY(t, "x%u, %d", op->rd, op->imm);
        } else if (!op->imm) {
            t->name = "mv";
            SAY(t, "x%u, x%u", op->rd, op->rs1);
        }
        return strcmp(t->name, "addi") != 0;
    case RISCV_XORI:
    case RISCV_SLTIU:
    case RISCV_ANDI:
        if (op->imm != (op->insn == RISCV_XORI ? -1 : op->insn == RISCV_SLTIU ? 1 : 255))
            return false;
        t->name = op->insn == RISCV_XORI ? "not" : op->insn == RISCV_SLTIU ? "seqz" : "zext.b";
        SAY(t, "x%u, x%u", op->rd, op->rs1);
        return true;
    case RISCV_SUB:
    case RISCV_SLTU:
        if (op->rs1)
            return false;
        t->name = op->insn == RISCV_SUB ? "neg" : "snez";
        SAY(t, "x%u, x%u", op->rd, op->rs2);
        return true;
    default:
        return false;
    }
}

static void base(const struct ventus_op *op, struct listed_text *t)
{
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    t->name = riscv_rows[insn].mnemonic;
    if (base_short(op, t))
        return;
    switch (riscv_rows[insn].format) {
    case RISCV_FORMAT_R:
        SAY(t, "x%u, x%u, x%u", op->rd, op->rs1, op->rs2);
        break;
    case RISCV_FORMAT_I:
    case RISCV_FORMAT_SHIFT:
        SAY(t, "x%u, x%u, %d", op->rd, op->rs1, op->imm);
        break;
    case RISCV_FORMAT_LOAD:
        if (insn == RISCV_JALR)
            base_jump(op, t);
        else
            SAY(t, "x%u, %d(x%u)", op->rd, op->imm, op->rs1);
        break;
    case RISCV_FORMAT_STORE:
        SAY(t, "x%u, %d(x%u)", op->rs2, op->imm, op->rs1);
        break;
    case RISCV_FORMAT_BRANCH:
        base_branch(op, t);
        break;
    case RISCV_FORMAT_UPPER:
        SAY(t, "x%u, 0x%x", op->rd, (uint32_t)op->imm >> 12);
        break;
    case RISCV_FORMAT_JUMP:
        base_jump(op, t);
        break;
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        base_csr(op, t);
        break;
    default:
        break;
    }
}

static const char *const float_names[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static void vector_type(const struct ventus_op *op, char text[48])
{
    const uint32_t type = (uint32_t)op->imm;
    static const char *const group[] = {"m1", "m2", "m4", "m8", "m?", "mf8", "mf4", "mf2"};
    snprintf(text, 48, "e%u, %s, %s, %s", 8u << (type >> 3 & 7), group[type & 7],
             type >> 6 & 1 ? "ta" : "tu", type >> 7 & 1 ? "ma" : "mu");
}

/* Scalars that are not of functional/riscv. */
static void scalar(const struct ventus_op *op, struct listed_text *t)
{
    switch (op->form) {
    case FORM_R:
    case FORM_RW:
    case FORM_FR:
        SAY(t, "x%u, x%u, x%u", op->rd, op->rs1, op->rs2);
        break;
    case FORM_R1:
    case FORM_FR1:
        SAY(t, "x%u, x%u", op->rd, op->rs1);
        break;
    case FORM_FR4:
        SAY(t, "x%u, x%u, x%u, x%u", op->rd, op->rs1, op->rs2, op->rs3);
        break;
    case FORM_IW:
    case FORM_SHIFTW:
        SAY(t, "x%u, x%u, %d", op->rd, op->rs1, op->imm);
        break;
    case FORM_AMO:
    case FORM_AMO64:
        SAY(t, "x%u, x%u, (x%u)", op->rd, op->rs2, op->rs1);
        break;
    case FORM_LR:
    case FORM_LR64:
        SAY(t, "x%u, (x%u)", op->rd, op->rs1);
        break;
    case FORM_LOAD64:
        SAY(t, "x%u, %d(x%u)", op->rd, op->imm, op->rs1);
        break;
    case FORM_STORE64:
        SAY(t, "x%u, %d(x%u)", op->rs2, op->imm, op->rs1);
        break;
    case FORM_FMVWX:
        SAY(t, "%s, x%u", float_names[op->rd & 31], op->rs1);
        break;
    case FORM_FMVXW:
        SAY(t, "x%u, %s", op->rd, float_names[op->rs1 & 31]);
        break;
    default:
        break;
    }
}

static void vector(const struct ventus_op *op, struct listed_text *t)
{
    const char *mask = op->masked ? ", v0.t" : "";
    char more[48];
    switch (op->form) {
    case FORM_VV:
    case FORM_FTTA:
    case FORM_MM:
        SAY(t, "v%u, v%u, v%u%s", op->rd, op->rs2, op->rs1, mask);
        break;
    case FORM_VX:
        SAY(t, "v%u, v%u, x%u%s", op->rd, op->rs2, op->rs1, mask);
        break;
    case FORM_VI:
    case FORM_VU:
        SAY(t, "v%u, v%u, %d%s", op->rd, op->rs2, op->imm, mask);
        break;
    case FORM_V:
    case FORM_FEXP:
        SAY(t, "v%u, v%u%s", op->rd, op->rs2, mask);
        break;
    case FORM_VID:
        SAY(t, "v%u%s", op->rd, mask);
        break;
    case FORM_MVV:
        SAY(t, "v%u, v%u", op->rd, op->rs1);
        break;
    case FORM_MVX:
        SAY(t, "v%u, x%u", op->rd, op->rs1);
        break;
    case FORM_MVI:
        SAY(t, "v%u, %d", op->rd, op->imm);
        break;
    case FORM_MVXS:
        SAY(t, "x%u, v%u", op->rd, op->rs2);
        break;
    case FORM_VVM:
        SAY(t, "v%u, v%u, v%u, v0", op->rd, op->rs2, op->rs1);
        break;
    case FORM_VXM:
        SAY(t, "v%u, v%u, x%u, v0", op->rd, op->rs2, op->rs1);
        break;
    case FORM_VIM:
        SAY(t, "v%u, v%u, %d, v0", op->rd, op->rs2, op->imm);
        break;
    case FORM_VADD12:
        SAY(t, "v%u, v%u, %d", op->rd, op->rs1, op->imm);
        break;
    case FORM_VBRANCH:
    case FORM_JOIN:
        relative(more, op->imm, false);
        SAY(t, "v%u, v%u, %s", op->rs2, op->rs1, more);
        break;
    case FORM_SETRPC:
        SAY(t, "x%u, x%u, %d", op->rd, op->rs1, op->imm);
        break;
    case FORM_REGEXT:
        SAY(t, "x%u, x%u,  %d %d %d %d ", op->rd, op->rs1, op->imm >> 9 & 7, op->imm >> 6 & 7,
            op->imm >> 3 & 7, op->imm & 7);
        break;
    case FORM_ENDPRG:
    case FORM_BARRIER:
        SAY(t, "x%u, x%u, x%u", op->form == FORM_ENDPRG ? 0 : op->rd,
            op->form == FORM_ENDPRG ? 0 : op->rs1, 0u);
        break;
    case FORM_VLOAD:
        SAY(t, "v%u, v%u, %d", op->rd, op->rs1, op->imm);
        break;
    case FORM_VSTORE:
        SAY(t, "v%u, v%u, %d", op->rs2, op->rs1, op->imm);
        break;
    case FORM_PLOAD:
        SAY(t, "v%u, x%u, %d", op->rd, op->rs1, op->imm);
        break;
    case FORM_PSTORE:
        SAY(t, "v%u, x%u, %d", op->rs2, op->rs1, op->imm);
        break;
    case FORM_VLE:
    case FORM_VSE:
        SAY(t, "v%u, (x%u)%s", op->rd, op->rs1, mask);
        break;
    case FORM_VLSE:
    case FORM_VSSE:
        SAY(t, "v%u, (x%u), x%u%s", op->rd, op->rs1, op->rs2, mask);
        break;
    case FORM_VLX:
    case FORM_VSX:
        SAY(t, "v%u, (x%u), v%u%s", op->rd, op->rs1, op->rs2, mask);
        break;
    case FORM_VSETVLI:
        vector_type(op, more);
        SAY(t, "x%u, x%u, %s", op->rd, op->rs1, more);
        break;
    case FORM_VSETIVLI:
        vector_type(op, more);
        SAY(t, "x%u, %u, %s", op->rd, op->rs1, more);
        break;
    default:
        SAY(t, "x%u, x%u, x%u", op->rd, op->rs1, op->rs2);
        break;
    }
}

void ventus_list(const struct ventus_op *op, char text[VENTUS_TEXT])
{
    struct listed_text t = {.name = "unknown"};
    if (op->insn < RISCV_INSN_COUNT) {
        base(op, &t);
    } else if (op->insn != VENTUS_NO_INSN) {
        t.name = ventus_insns[op->insn - RISCV_INSN_COUNT].name;
        if (ventus_is_vector(op))
            vector(op, &t);
        else
            scalar(op, &t);
    }
    if (t.operands[0])
        snprintf(text, VENTUS_TEXT, "%-7s %.140s", t.name, t.operands);
    else
        snprintf(text, VENTUS_TEXT, "%s", t.name);
}

/* --- what it wrote ---------------------------------------------------------------------------- */

/* The public simulator lists what was written last first; a second write changes nothing. */
static uint32_t in_its_order(const struct ventus_exec *exec, uint32_t order[VENTUS_WRITES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < exec->key_count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i; k++)
            known |= exec->keys[k] == exec->keys[i];
        if (known)
            continue;
        memmove(order + 1, order, count++ * sizeof *order);
        order[0] = exec->keys[i];
    }
    return count;
}

static uint32_t csr_value(const struct ventus_warp *w, uint32_t csr)
{
    switch (csr) {
    case 1:
        return w->fcsr.flags;
    case 2:
        return w->fcsr.rounding;
    case 3:
        return (uint32_t)w->fcsr.rounding << 5 | w->fcsr.flags;
    case 8:
        return w->vstart;
    case 9:
        return w->vxsat;
    case 10:
        return w->vxrm;
    case 0x300:
        return w->mstatus;
    case 0x305:
        return w->mtvec;
    case 0x80b:
        return w->print;
    case 0x80c:
        return w->rpc;
    case 0xc20:
        return w->vl;
    default:
        return w->vtype;
    }
}

static void write_vector(FILE *out, const struct ventus_exec *exec, const struct ventus_warp *w,
                         uint32_t reg, uint32_t mask)
{
    fprintf(out, " v%-2u %08x 0x", reg, mask);
    for (uint32_t i = exec->launch->threads; i-- > 0;)
        fprintf(out, "%08x ", w->v[reg][i]);
}

static void write_keys(FILE *out, const struct ventus_exec *exec, const struct ventus_warp *w,
                       const struct ventus_effect *e)
{
    uint32_t order[VENTUS_WRITES];
    const uint32_t count = in_its_order(exec, order);
    bool shape = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = order[i] & 15, number = order[i] >> 4;
        if ((kind == VENTUS_KEY_V || kind == VENTUS_KEY_HINT) && !shape) {
            fprintf(out, " e32 m%u l%u", 1u << (w->vtype & 1), w->vl);
            shape = true;
        }
        if (kind == VENTUS_KEY_X)
            fprintf(out, " x%-2u 0x%08x", number, w->x[number]);
        else if (kind == VENTUS_KEY_F)
            fprintf(out, " f%-2u 0x%016" PRIx64, number, w->f[number]);
        else if (kind == VENTUS_KEY_V)
            write_vector(out, exec, w, number, e->mask);
        else if (kind == VENTUS_KEY_CSR)
            fprintf(out, " c%u_%s 0x%08x", number, ventus_csr_name(number), csr_value(w, number));
    }
    const struct ventus_access *a = &e->access;
    if (a->atomic)
        fprintf(out, " mem 0x%08x", a->address[0]);
    for (uint32_t i = 0; i < a->count; i++) {
        if (!a->atomic)
            fprintf(out, " mem 0x%08x", a->address[i]);
        if (a->store && a->bytes == 1)
            fprintf(out, " 0x%x", exec->stored[i] & 0xff);
        else if (a->store && a->bytes == 2)
            fprintf(out, " 0x%04x", exec->stored[i] & 0xffff);
        else if (a->store)
            fprintf(out, " 0x%08x", exec->stored[i]);
    }
}

static void write_stack(FILE *out, const struct ventus_warp *w)
{
    fprintf(out, " current mask:\t%08x current npc:\t%08x stack size: %x\n", w->active, w->npc,
            w->depth);
    for (uint32_t i = w->depth; i-- > 0;)
        fprintf(out, "[r_pc] %08x [else_pc] %08x [else_mask] %08x \n", w->stack[i].rpc,
                w->stack[i].pc, w->stack[i].mask);
}

static void write_insn(FILE *out, struct ventus_listed *listed, uint32_t core, uint32_t pc,
                       uint32_t word, const char *text)
{
    if (listed->times && listed->pc == pc && listed->word == word) {
        listed->times++;
        return;
    }
    if (listed->times > 1)
        fprintf(out, "core %3u: Executed %" PRIu64 " times\n", core, listed->times);
    fprintf(out, "core %3u: 0x%08x (0x%08x) %s\n", core, pc, word, text);
    *listed = (struct ventus_listed){.pc = pc, .word = word, .times = 1};
}

void ventus_listing_boot(FILE *out, const struct ventus_exec *exec, struct ventus_listed *listed,
                         uint32_t core, uint32_t number)
{
    const struct {
        uint32_t word;
        const char *reg;
        uint32_t value;
        const char *end;
    } rom[VENTUS_BOOT] =
        {
            {0x00000297, " x5  ", 0x1000, ""},
            {0x02028593, " x11 ", 0x1020, ""},
            {0xf1402573, " x10 ", core, ""},
            {0x0182a283, " x5  ", exec->launch->start, " mem 0x00001018"},
            {0x00028067, NULL, 0, ""},
        },
      *row = &rom[number];
    const uint32_t pc = 0x1000 + 4 * number;
    struct ventus_op op;
    char text[VENTUS_TEXT];
    ventus_decode(row->word, NULL, &op);
    ventus_list(&op, text);
    write_insn(out, listed, core, pc, row->word, text);
    fprintf(out, "core %3u: 3 0x%08x (0x%08x)", core, pc, row->word);
    if (row->reg)
        fprintf(out, "%s0x%08x%s", row->reg, row->value, row->end);
    fputc('\n', out);
}

void ventus_listing_step(FILE *out, const struct ventus_exec *exec, struct ventus_listed *listed,
                         const struct ventus_warp *w, const struct ventus_effect *e, uint32_t core)
{
    char text[VENTUS_TEXT];
    ventus_list(e->op, text);
    write_insn(out, listed, core, e->pc, e->op->word, text);
    fprintf(out, "core %3u: 3 0x%08x (0x%08x)", core, e->pc, e->op->word);
    write_keys(out, exec, w, e);
    if (e->op->form == FORM_VBRANCH || e->op->form == FORM_JOIN || e->op->form == FORM_SETRPC)
        write_stack(out, w);
    else
        fputc('\n', out);
}

void ventus_listing_tail(FILE *out, struct ventus_exec *exec, struct ventus_listed *listed,
                         struct ventus_warp *w, uint32_t core)
{
    struct ventus_effect e = {.access = {.count = 0}};
    const struct ventus_group group =
        *w->group; /* another endprg or a barrier counts for nothing */
    w->state = VENTUS_RUNS;
    for (int i = 0; i < 64 && !(e.access.count && e.access.store); i++) {
        if (ventus_step(exec, w, &e) != 0 || w->state != VENTUS_RUNS)
            break;
        ventus_listing_step(out, exec, listed, w, &e, core);
    }
    *w->group = group;
    w->state = VENTUS_ENDED;
}
