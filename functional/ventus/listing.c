#include "functional/ventus/listing.h"

#include <inttypes.h>
#include <string.h>

/* --- the instruction -------------------------------------------------------------------------- */

static const char *const float_names[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",  "ft5",  "ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",  "fa6",  "fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

/*
 * Operands as the forms below write them: x, v or f and d, 1, 2 or 3 are a register by its field;
 *   i  the immediate            u  its upper part           g  the fields of regext
 *   r  pc + 48                  h  pc - 0x90                t  the type of vsetvli
 *   c  a CSR                    n  rs1 as a number          m  the mask
 */
static const char *const forms[VENTUS_FORMS] = {
    [FORM_VV] = "vd, v2, v1m",     [FORM_FTTA] = "vd, v2, v1m",   [FORM_MM] = "vd, v2, v1m",
    [FORM_VX] = "vd, v2, x1m",     [FORM_VI] = "vd, v2, im",      [FORM_VU] = "vd, v2, im",
    [FORM_V] = "vd, v2m",          [FORM_FEXP] = "vd, v2m",       [FORM_VID] = "vdm",
    [FORM_MVV] = "vd, v1",         [FORM_MVX] = "vd, x1",         [FORM_MVI] = "vd, i",
    [FORM_MVXS] = "xd, v2",        [FORM_VVM] = "vd, v2, v1, v0", [FORM_VXM] = "vd, v2, x1, v0",
    [FORM_VIM] = "vd, v2, i, v0",  [FORM_VADD12] = "vd, v1, i",   [FORM_VBRANCH] = "v2, v1, r",
    [FORM_JOIN] = "v2, v1, r",     [FORM_SETRPC] = "xd, x1, i",   [FORM_REGEXT] = "xd, x1,  g",
    [FORM_ENDPRG] = "x0, x0, x0",  [FORM_BARRIER] = "xd, x1, x0", [FORM_VLOAD] = "vd, v1, i",
    [FORM_VSTORE] = "v2, v1, i",   [FORM_PLOAD] = "vd, x1, i",    [FORM_PSTORE] = "v2, x1, i",
    [FORM_VLE] = "vd, (x1)m",      [FORM_VSE] = "vd, (x1)m",      [FORM_VLSE] = "vd, (x1), x2m",
    [FORM_VSSE] = "vd, (x1), x2m", [FORM_VLX] = "vd, (x1), v2m",  [FORM_VSX] = "vd, (x1), v2m",
    [FORM_VSETVLI] = "xd, x1, t",  [FORM_VSETIVLI] = "xd, n, t",  [FORM_R] = "xd, x1, x2",
    [FORM_RW] = "xd, x1, x2",      [FORM_FR] = "xd, x1, x2",      [FORM_R1] = "xd, x1",
    [FORM_FR1] = "xd, x1",         [FORM_FR4] = "xd, x1, x2, x3", [FORM_IW] = "xd, x1, i",
    [FORM_SHIFTW] = "xd, x1, i",   [FORM_AMO] = "xd, x2, (x1)",   [FORM_AMO64] = "xd, x2, (x1)",
    [FORM_LR] = "xd, (x1)",        [FORM_LR64] = "xd, (x1)",      [FORM_LOAD64] = "xd, i(x1)",
    [FORM_STORE64] = "x2, i(x1)",  [FORM_FMVWX] = "fd, x1",       [FORM_FMVXW] = "xd, f1",
};
static const char *const base_forms[RISCV_FORMAT_NONE + 1] = {
    [RISCV_FORMAT_R] = "xd, x1, x2",    [RISCV_FORMAT_I] = "xd, x1, i",
    [RISCV_FORMAT_SHIFT] = "xd, x1, i", [RISCV_FORMAT_LOAD] = "xd, i(x1)",
    [RISCV_FORMAT_STORE] = "x2, i(x1)", [RISCV_FORMAT_UPPER] = "xd, u",
};

static int field_of(const struct ventus_op *op, char field)
{
    switch (field) {
    case 'd':
        return op->rd;
    case '1':
        return op->rs1;
    case '2':
        return op->rs2;
    case '3':
        return op->rs3;
    default:
        return -1;
    }
}

enum { ITEM = 48 };

static void vector_type(uint32_t type, char text[ITEM])
{
    static const char *const group[] = {"m1", "m2", "m4", "m8", "m?", "mf8", "mf4", "mf2"};
    snprintf(text, ITEM, "e%u, %s, %s, %s", 8u << (type >> 3 & 7), group[type & 7],
             type >> 6 & 1 ? "ta" : "tu", type >> 7 & 1 ? "ma" : "mu");
}

/* One item of a form; returns its length in the form. */
static size_t put_item(const struct ventus_op *op, const char *form, char text[ITEM])
{
    const int32_t imm = op->imm;
    const uint32_t size = imm < 0 ? 0u - (uint32_t)imm : (uint32_t)imm;
    const char *csr = ventus_csr_name((uint32_t)imm & 0xfff);
    const int field = strchr("xvf", *form) ? field_of(op, form[1]) : -1;
    if (field >= 0) {
        if (*form == 'f')
            snprintf(text, ITEM, "%s", float_names[field & 31]);
        else
            snprintf(text, ITEM, "%c%d", *form, field);
        return 2;
    }
    switch (*form) {
    case 'i':
        snprintf(text, ITEM, "%d", imm);
        break;
    case 'u':
        snprintf(text, ITEM, "0x%x", (uint32_t)imm >> 12);
        break;
    case 'g':
        snprintf(text, ITEM, "%d %d %d %d ", imm >> 9 & 7, imm >> 6 & 7, imm >> 3 & 7, imm & 7);
        break;
    case 'r':
    case 'h':
        snprintf(text, ITEM, *form == 'h' ? "pc %c 0x%" PRIx32 : "pc %c %" PRIu32,
                 imm < 0 ? '-' : '+', size);
        break;
    case 't':
        vector_type((uint32_t)imm, text);
        break;
    case 'c':
        if (csr)
            snprintf(text, ITEM, "%s", csr);
        else
            snprintf(text, ITEM, "unknown_%03x", (uint32_t)imm & 0xfff);
        break;
    case 'n':
        snprintf(text, ITEM, "%u", op->rs1);
        break;
    case 'm':
        snprintf(text, ITEM, "%s", op->masked ? ", v0.t" : "");
        break;
    default:
        snprintf(text, ITEM, "%c", *form);
        break;
    }
    return 1;
}

struct listed_text {
    const char *name, *form;
};

static struct listed_text base_jump(const struct ventus_op *op)
{
    if (op->insn == RISCV_JAL)
        return (struct listed_text){op->rd ? "jal" : "j", op->rd > 1 ? "xd, h" : "h"};
    if (op->imm || op->rd > 1)
        return (struct listed_text){"jalr", "xd, x1, i"};
    if (!op->rd && op->rs1 == 1)
        return (struct listed_text){"ret", ""};
    return (struct listed_text){op->rd ? "jalr" : "jr", "x1"};
}

static struct listed_text base_csr(const struct ventus_op *op, const char *name)
{
    static const char *const write[] = {"csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci"};
    const bool immediate = op->insn >= RISCV_CSRRWI;
    if (op->insn == RISCV_CSRRS && !op->rs1)
        return (struct listed_text){"csrr", "xd, c"};
    if (!op->rd)
        return (struct listed_text){write[op->insn - RISCV_CSRRW], immediate ? "c, n" : "c, x1"};
    return (struct listed_text){name, immediate ? "xd, c, n" : "xd, c, x1"};
}

static struct listed_text base(const struct ventus_op *op)
{
    static const char *const zero[] = {"beqz", "bnez", "bltz", "bgez", NULL, NULL};
    const enum riscv_insn insn = (enum riscv_insn)op->insn;
    const char *const name = riscv_rows[insn].mnemonic;
    /* Names that say the same with fewer operands. */
    if (insn == RISCV_ADDI && !op->rs1)
        return op->rd || op->imm ? (struct listed_text){"li", "xd, i"}
                                 : (struct listed_text){"nop", ""};
    if (insn == RISCV_ADDI && !op->imm)
        return (struct listed_text){"mv", "xd, x1"};
    if (insn == RISCV_XORI && op->imm == -1)
        return (struct listed_text){"not", "xd, x1"};
    if (insn == RISCV_SLTIU && op->imm == 1)
        return (struct listed_text){"seqz", "xd, x1"};
    if (insn == RISCV_ANDI && op->imm == 255)
        return (struct listed_text){"zext.b", "xd, x1"};
    if ((insn == RISCV_SUB || insn == RISCV_SLTU) && !op->rs1)
        return (struct listed_text){insn == RISCV_SUB ? "neg" : "snez", "xd, x2"};
    if (insn == RISCV_JAL || insn == RISCV_JALR)
        return base_jump(op);
    switch (riscv_rows[insn].format) {
    case RISCV_FORMAT_BRANCH:
        if (!op->rs2 && zero[insn - RISCV_BEQ])
            return (struct listed_text){zero[insn - RISCV_BEQ], "x1, r"};
        return (struct listed_text){name, "x1, x2, r"};
    case RISCV_FORMAT_CSR:
    case RISCV_FORMAT_CSRI:
        return base_csr(op, name);
    default:
        return (struct listed_text){name, base_forms[riscv_rows[insn].format]};
    }
}

void ventus_list(const struct ventus_op *op, char text[VENTUS_TEXT])
{
    struct listed_text t = {"unknown", ""};
    if (op->insn < RISCV_INSN_COUNT) {
        t = base(op);
    } else if (op->insn != VENTUS_NO_INSN) {
        t.name = ventus_insns[op->insn - RISCV_INSN_COUNT].name;
        t.form = forms[op->form];
        if (!t.form && ventus_is_vector(op))
            t.form = "xd, x1, x2";
    }
    const bool operands = t.form && *t.form;
    size_t size = (size_t)snprintf(text, VENTUS_TEXT, operands ? "%-7s " : "%s", t.name);
    char item[ITEM];
    for (const char *form = t.form; operands && *form; size += strlen(item)) {
        form += put_item(op, form, item);
        snprintf(text + size, VENTUS_TEXT - size, "%s", item);
    }
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
