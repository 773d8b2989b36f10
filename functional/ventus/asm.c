#include "functional/ventus/asm.h"

#include <string.h>

#include "functional/ventus/work.h"
#include "host/suggest.h"

static const struct riscv_csr csrs[] = {
#define CSR(name, number, manual) {#name, number}, {manual, number},
#include "functional/ventus/csr.def"
    {.name = NULL},
};

/* --- registers -------------------------------------------------------------------------------- */

/* Number of a letter and digits below `most`, or -1. */
static int numbered(struct riscv_word word, char letter, unsigned most)
{
    unsigned value = 0;
    if (word.length < 2 || word.length > 4 || word.text[0] != letter ||
        (word.length > 2 && word.text[1] == '0'))
        return -1;
    for (size_t i = 1; i < word.length; i++) {
        if (word.text[i] < '0' || word.text[i] > '9')
            return -1;
        value = 10 * value + (unsigned)(word.text[i] - '0');
    }
    return value < most ? (int)value : -1;
}

int ventus_register(const char *name, size_t length)
{
    const int number = riscv_register(name, length);
    return number >= 0 ? number : numbered((struct riscv_word){name, length}, 'x', VENTUS_XREGS);
}

static bool other_register(struct riscv_asm *as, char letter, unsigned most, uint8_t *number)
{
    const struct riscv_word word = riscv_asm_word(as);
    const int found = numbered(word, letter, most);
    if (found < 0) {
        riscv_asm_error(as, word, "a register %c0 to %c%u was expected here", letter, letter,
                        most - 1);
        return false;
    }
    *number = (uint8_t)found;
    return true;
}

/* A word that must be this one. */
static bool literal(struct riscv_asm *as, const char *text, const char *other_text)
{
    const struct riscv_word word = riscv_asm_word(as);
    for (const char *t = text; t; t = t == text ? other_text : NULL)
        if (word.length == strlen(t) && memcmp(word.text, t, word.length) == 0)
            return true;
    riscv_asm_error(as, word, "%s was expected here", text);
    return false;
}

/* --- operands --------------------------------------------------------------------------------- */

static bool read_immediate(struct riscv_asm *as, struct ventus_op *op)
{
    int32_t low, high;
    int64_t value;
    ventus_imm_range(op, &low, &high);
    if (ventus_extends_imm(op)) { /* REGEXTI: 11 bits */
        low = low < 0 ? -1024 : 0;
        high = low < 0 ? 1023 : 2047;
    }
    if (!riscv_asm_value(as, "the immediate", low, high, &value))
        return false;
    op->imm = (int32_t)value;
    return true;
}

/* (v1): an offset may be left out. Whether a register in parentheses follows. */
static bool at_base(struct riscv_asm *as)
{
    struct riscv_asm_mark mark = riscv_asm_mark(as);
    const bool open = riscv_asm_take(as, '(');
    const struct riscv_word word = riscv_asm_word(as);
    riscv_asm_back(as, mark);
    return open &&
           (numbered(word, 'v', VENTUS_VREGS) >= 0 || ventus_register(word.text, word.length) >= 0);
}

static bool read_type(struct riscv_asm *as, struct ventus_op *op)
{
    static const char *const sizes[] = {"e8", "e16", "e32", "e64"};
    static const char *const groups[] = {"m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2"};
    struct riscv_asm_mark mark = riscv_asm_mark(as);
    struct riscv_word word = riscv_asm_word(as);
    uint32_t type = UINT32_MAX;
    for (uint32_t i = 0; i < 4; i++)
        if (word.length == strlen(sizes[i]) && memcmp(word.text, sizes[i], word.length) == 0)
            type = i << 3;
    if (type == UINT32_MAX) {
        riscv_asm_back(as, mark);
        return read_immediate(as, op);
    }
    uint32_t seen = 0; /* mN, then t., then m. */
    while (riscv_asm_take(as, ',')) {
        uint32_t kind = 0, value = 0;
        word = riscv_asm_word(as);
        for (uint32_t i = 0; i < 8; i++)
            if (word.length && word.length == strlen(groups[i]) &&
                memcmp(word.text, groups[i], word.length) == 0)
                kind = 1, value = i;
        if (word.length == 2 && (word.text[1] == 'a' || word.text[1] == 'u')) {
            kind = word.text[0] == 't' ? 2 : word.text[0] == 'm' ? 4 : kind;
            value = word.text[1] == 'a' ? kind << 5 : 0;
        }
        if (!kind || kind <= seen) {
            riscv_asm_error(as, word, "m1 or m2, then ta or tu, then ma or mu was expected here");
            return false;
        }
        seen = kind;
        type |= value;
    }
    op->imm = (int32_t)type;
    return true;
}

static bool read_rounding(struct riscv_asm *as, struct ventus_op *op)
{
    static const char *const names[] = {"rne", "rtz", "rdn", "rup", "rmm", "", "", "dyn"};
    op->rounding = 7;
    if (!riscv_asm_take(as, ','))
        return true;
    const struct riscv_word word = riscv_asm_word(as);
    for (uint8_t i = 0; i < 8; i++)
        if (word.length == 3 && memcmp(word.text, names[i], strlen(names[i])) == 0 && *names[i]) {
            op->rounding = i;
            return true;
        }
    riscv_asm_error(as, word, "rne, rtz, rdn, rup, rmm or dyn was expected here");
    return false;
}

/* "x0, " that may be missing. */
static void skip_zero(struct riscv_asm *as)
{
    struct riscv_asm_mark mark = riscv_asm_mark(as);
    const struct riscv_word word = riscv_asm_word(as);
    if (ventus_register(word.text, word.length) != 0 || !riscv_asm_take(as, ','))
        riscv_asm_back(as, mark);
}

static bool read_operand(struct riscv_asm *as, struct ventus_operand o, bool base,
                         struct ventus_op *op)
{
    int64_t value;
    const char file = ventus_file_of(o.letter);
    uint8_t *reg = ventus_register_of(op, o.letter);
    if (file == 'x')
        return riscv_asm_reg(as, reg);
    if (file)
        return other_register(as, file, file == 'v' ? VENTUS_VREGS : VENTUS_FREGS, reg);
    switch (o.letter) {
    case 'u':
        if (!riscv_asm_value(as, "the number", 0, 31, &value))
            return false;
        op->rs1 = (uint8_t)value;
        return true;
    case 'n':
        if (!riscv_asm_value(as, "the number", 0, (INT64_C(1) << o.width) - 1, &value))
            return false;
        op->word |= (uint32_t)value << o.low;
        return true;
    case 'i':
        return (base && at_base(as)) || read_immediate(as, op);
    case 'p':
        return riscv_asm_target(as, 4096, &op->imm);
    case 't':
        return read_type(as, op);
    case 'r':
        return read_rounding(as, op);
    case 'm':
        if (!ventus_is_masked_form(op) || !riscv_asm_take(as, ','))
            return true;
        op->masked = true;
        return literal(as, "v0.t", NULL);
    case '0':
        return literal(as, "v0", NULL);
    case 'o':
        return literal(as, "x0", "zero");
    case 'Z':
        skip_zero(as);
        return true;
    case ',':
        return riscv_asm_comma(as);
    default:
        if (riscv_asm_take(as, o.letter))
            return true;
        riscv_asm_error(as, riscv_asm_rest(as), "a %c was expected here", o.letter);
        return false;
    }
}

/* Words of option.def; each field once. */
static bool read_options(struct riscv_asm *as, struct ventus_op *op)
{
    uint64_t words = (uint64_t)op->high << 32 | op->word, seen = 0;
    while (riscv_asm_take(as, ',')) {
        const struct riscv_word word = riscv_asm_word(as);
        const struct ventus_option *found = NULL;
        for (size_t i = 0; i < ventus_option_count; i++)
            if (ventus_options[i].form == op->form &&
                strlen(ventus_options[i].word) == word.length &&
                memcmp(ventus_options[i].word, word.text, word.length) == 0)
                found = &ventus_options[i];
        if (!found || (found->mask & seen)) {
            riscv_asm_error(as, word,
                            found ? "%.*s: this has been said"
                                  : "%.*s is not an option of this instruction",
                            (int)(word.length < 40 ? word.length : 40), word.text);
            return false;
        }
        seen |= found->mask;
        words |= found->value;
    }
    op->word = (uint32_t)words;
    op->high = (uint32_t)(words >> 32);
    return true;
}

static bool read_operands(struct riscv_asm *as, const char *at, struct ventus_op *op)
{
    op->rounding = 7;
    at += *at == 'q';
    if (*at == '?') {
        at++;
        if (riscv_asm_done(as))
            return true;
    }
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;)
        if (!read_operand(as, o, *at == '(', op))
            return false;
    return read_options(as, op) && riscv_asm_end(as);
}

/* --- words ------------------------------------------------------------------------------------ */

static bool moves_with_place(const struct ventus_op *op, int32_t *least)
{
    *least = op->insn == RISCV_JAL ? -(1 << 20) : -4096;
    return op->form == FORM_VBRANCH || op->form == FORM_JOIN ||
           (op->insn < RISCV_INSN_COUNT &&
            (riscv_is_branch((enum riscv_insn)op->insn) || op->insn == RISCV_JAL));
}

/* Whether the prefix of the text above makes of the word what is meant. */
static void check_above(struct riscv_asm *as, const struct ventus_op *above,
                        const struct ventus_op *op)
{
    const struct ventus_prefix prefix = ventus_prefix_of(above);
    if (ventus_prefix_makes(&prefix, op))
        return;
    riscv_asm_error(as, riscv_asm_rest(as),
                    "%s above does not make the registers and immediate that are written here\n"
                    "remove it: the assembler adds prefixes where they are needed",
                    ventus_insns[above->insn - RISCV_INSN_COUNT].name);
}

/* With whole register numbers and immediates. */
static void emit(struct riscv_asm *as, struct ventus_op op)
{
    static const uint16_t prefixes[] = {VENTUS_REGEXT, VENTUS_REGEXTI};
    struct ventus_prefix need = ventus_prefix_for(&op);
    struct ventus_op above = {.insn = VENTUS_NO_INSN};
    uint32_t word;
    if (riscv_asm_above(as, &word))
        ventus_decode(word, NULL, &above);
    const bool has = above.insn != VENTUS_NO_INSN && ventus_is_prefix(&above);
    if (need.set && has) {
        check_above(as, &above, &op);
    } else if (need.set && op.insn == RISCV_AUIPC) { /* its place is a number of the text's */
        riscv_asm_error(as, riscv_asm_rest(as),
                        "auipc of a register above x31\nput regext above it");
    } else if (need.set) {
        int32_t least;
        const struct ventus_op prefix = {
            .insn = prefixes[need.immediate],
            .form = FORM_REGEXT,
            .imm = need.immediate ? need.high << 6 | need.rs2 << 3 | need.rd
                                  : need.rs3 << 9 | need.rs2 << 6 | need.rs1 << 3 | need.rd};
        riscv_asm_emit(as, (uint32_t)ventus_encode(&prefix));
        if (moves_with_place(&op, &least)) { /* it is a word after the place */
            op.imm -= 4;
            if (op.imm < least)
                riscv_asm_error(as, riscv_asm_rest(as), "the target is too far away");
        }
    }
    const uint64_t words = ventus_encode(&op);
    riscv_asm_emit(as, (uint32_t)words);
    if (ventus_size((uint32_t)words) == 8)
        riscv_asm_emit(as, (uint32_t)(words >> 32));
}

static void emit_base(struct riscv_asm *as, const struct riscv_op *op)
{
    emit(as, (struct ventus_op){
                 .insn = op->insn, .rd = op->rd, .rs1 = op->rs1, .rs2 = op->rs2, .imm = op->imm});
}

/* --- mnemonics -------------------------------------------------------------------------------- */

static const struct ventus_insn *find(const char *name, size_t length)
{
    for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++)
        if (strlen(ventus_insns[i].name) == length &&
            memcmp(ventus_insns[i].name, name, length) == 0)
            return &ventus_insns[i];
    return NULL;
}

static struct ventus_op op_of(const struct ventus_insn *row)
{
    return (struct ventus_op){.insn = (uint16_t)(RISCV_INSN_COUNT + (row - ventus_insns)),
                              .form = row->form,
                              .body = row->body};
}

/* After a mnemonic: .aq .rl .aqrl, or a .v that is left out. */
static const struct ventus_insn *find_ordered(struct riscv_word name, struct ventus_op *op)
{
    static const char *const orders[] = {".rl", ".aq", ".aqrl"};
    char longer[32];
    for (uint32_t i = 0; i < 3; i++) {
        const size_t length = strlen(orders[i]);
        if (name.length <= length ||
            memcmp(name.text + name.length - length, orders[i], length) != 0)
            continue;
        const struct ventus_insn *row = find(name.text, name.length - length);
        *op = row ? op_of(row) : *op;
        if (row && *ventus_operands(op) == 'q') {
            op->word = (i + 1) << 25;
            return row;
        }
    }
    if (name.length + 2 > sizeof longer)
        return NULL;
    memcpy(longer, name.text, name.length);
    memcpy(longer + name.length, ".v", 2);
    const struct ventus_insn *row = find(longer, name.length + 2);
    *op = row ? op_of(row) : *op;
    return row;
}

/* Other names of instructions, as GNU as has them. */
enum { AS_IT_IS, SAME, SELF, LESS }; /* second source is the first, or both are vd; imm - 1 */
static const struct {
    const char *name, *row, *operands;
    int8_t imm;
    uint8_t how;
} aliases[] = {
    {"vneg.v", "vrsub.vx", "V,bm", 0, AS_IT_IS},
    {"vnot.v", "vxor.vi", "V,bm", -1, AS_IT_IS},
    {"vfneg.v", "vfsgnjn.vv", "V,bm", 0, SAME},
    {"vfabs.v", "vfsgnjx.vv", "V,bm", 0, SAME},
    {"vmmv.m", "vmand.mm", "V,b", 0, SAME},
    {"vmnot.m", "vmnand.mm", "V,b", 0, SAME},
    {"vmclr.m", "vmxor.mm", "V", 0, SELF},
    {"vmset.m", "vmxnor.mm", "V", 0, SELF},
    {"vmsgt.vv", "vmslt.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmsgtu.vv", "vmsltu.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmsge.vv", "vmsle.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmsgeu.vv", "vmsleu.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmfgt.vv", "vmflt.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmfge.vv", "vmfle.vv", "V,a,bm", 0, AS_IT_IS},
    {"vmslt.vi", "vmsle.vi", "V,b,im", 0, LESS},
    {"vmsltu.vi", "vmsleu.vi", "V,b,im", 0, LESS},
    {"vmsge.vi", "vmsgt.vi", "V,b,im", 0, LESS},
    {"vmsgeu.vi", "vmsgtu.vi", "V,b,im", 0, LESS},
    {"fmv.s", "fsgnj.s", "D,x", 0, SAME},
    {"fneg.s", "fsgnjn.s", "D,x", 0, SAME},
    {"fabs.s", "fsgnjx.s", "D,x", 0, SAME},
};
enum { ALIASES = sizeof aliases / sizeof *aliases };

static bool alias(struct riscv_asm *as, struct riscv_word name)
{
    size_t i = 0;
    while (i < ALIASES && (strlen(aliases[i].name) != name.length ||
                           memcmp(aliases[i].name, name.text, name.length) != 0))
        i++;
    if (i == ALIASES)
        return false;
    struct ventus_op op = op_of(find(aliases[i].row, strlen(aliases[i].row)));
    op.imm = aliases[i].imm;
    if (!read_operands(as, aliases[i].operands, &op))
        return true;
    if (aliases[i].how == SAME && op.form == FORM_R)
        op.rs2 = op.rs1;
    else if (aliases[i].how == SAME)
        op.rs1 = op.rs2;
    else if (aliases[i].how == SELF)
        op.rs1 = op.rs2 = op.rd;
    op.imm -= aliases[i].how == LESS;
    emit(as, op);
    return true;
}

/* frcsr rd; fscsr [rd,] rs1; fsrmi [rd,] number: those of fflags, frm and fcsr (CSRs 1 to 3), which
 * zfinx has, too. */
static bool float_control(struct riscv_asm *as, struct riscv_word name)
{
    static const char *const csr[] = {"flags", "rm", "csr"};
    const bool writes = name.length > 2 && name.text[1] == 's';
    if (name.length < 4 || name.text[0] != 'f' || (!writes && name.text[1] != 'r'))
        return false;
    struct riscv_word rest = {name.text + 2, name.length - 2};
    const bool number = writes && rest.text[rest.length - 1] == 'i';
    rest.length -= number;
    struct ventus_op op = {.insn = number ? RISCV_CSRRWI : writes ? RISCV_CSRRW : RISCV_CSRRS};
    for (size_t i = 0; i < sizeof csr / sizeof *csr; i++)
        if (rest.length == strlen(csr[i]) && memcmp(rest.text, csr[i], rest.length) == 0)
            op.imm = (int32_t)i + 1;
    if (!op.imm || (number && op.imm == 3))
        return false;
    const struct riscv_asm_mark mark = riscv_asm_mark(as);
    riscv_asm_word(as);
    const bool two = writes && riscv_asm_take(as, ',');
    int64_t value = 0;
    riscv_asm_back(as, mark);
    if ((two || !writes) && !riscv_asm_reg(as, &op.rd))
        return true;
    if (two && !riscv_asm_comma(as))
        return true;
    if (number ? !riscv_asm_value(as, "the immediate", 0, 31, &value)
               : writes && !riscv_asm_reg(as, &op.rs1))
        return true;
    op.rs1 = number ? (uint8_t)value : op.rs1;
    if (riscv_asm_end(as))
        emit(as, op);
    return true;
}

static bool other(struct riscv_asm *as, struct riscv_word name)
{
    struct ventus_op op = {.insn = VENTUS_NO_INSN};
    const struct ventus_insn *row = find(name.text, name.length);
    if (row)
        op = op_of(row);
    else if (!find_ordered(name, &op))
        return float_control(as, name) || alias(as, name);
    if (read_operands(as, ventus_operands(&op), &op))
        emit(as, op);
    return true;
}

static const char *suggest(const char *word, size_t length)
{
    const char *names[VENTUS_INSNS - RISCV_INSN_COUNT + ALIASES];
    size_t count = 0;
    for (size_t i = 0; i < VENTUS_INSNS - RISCV_INSN_COUNT; i++)
        names[count++] = ventus_insns[i].name;
    for (size_t i = 0; i < ALIASES; i++)
        names[count++] = aliases[i].name;
    return suggest_name(word, length, names, count);
}

/* --- directives ------------------------------------------------------------------------------- */

static void read_launch(struct riscv_asm *as, struct ventus_setup *setup)
{
    const struct riscv_word word = riscv_asm_word(as);
    const enum ventus_key key = ventus_key_find(word.text, word.length);
    if (key == VENTUS_KEYS) {
        const char *near = ventus_key_near(word.text, word.length);
        riscv_asm_error(as, word.length ? word : riscv_asm_rest(as), "a launch has no '%.*s'\n%s%s",
                        (int)(word.length < 40 ? word.length : 40), word.text,
                        near ? "did you mean " : "grid, workgroup, threads, local ...",
                        near ? near : "");
        return;
    }
    const struct ventus_key_row *row = &ventus_keys[key];
    uint32_t count = 0;
    do {
        int64_t value;
        if (!riscv_asm_value(as, row->name, row->low, row->high, &value))
            return;
        setup->value[key][count++] = (uint32_t)value;
    } while (count < row->values && riscv_asm_take(as, ','));
    setup->given[key] = riscv_asm_end(as);
}

static void read_arguments(struct riscv_asm *as, struct ventus_setup *setup)
{
    do {
        int64_t value = 0;
        uint32_t bits;
        if (riscv_asm_is_float(as)) {
            if (!riscv_asm_float(as, &bits))
                return;
            value = bits;
        } else if (!riscv_asm_value(as, "the argument", INT32_MIN, UINT32_MAX, &value)) {
            return;
        }
        if (riscv_asm_second(as) && !ventus_setup_argument(setup, (uint32_t)value))
            riscv_asm_no_memory(as);
    } while (riscv_asm_take(as, ','));
    riscv_asm_end(as);
}

static void read_buffer(struct riscv_asm *as)
{
    const struct riscv_word name = riscv_asm_word(as);
    int64_t room, address = 0;
    if (!name.length || (name.text[0] >= '0' && name.text[0] <= '9')) {
        riscv_asm_error(as, riscv_asm_rest(as), "the buffer's name was expected here");
        return;
    }
    if (!riscv_asm_comma(as) || !riscv_asm_value(as, "its size", 1, UINT32_MAX, &room))
        return;
    const bool given = riscv_asm_take(as, ',');
    if (given && !riscv_asm_value(as, "its address", 0, UINT32_MAX, &address))
        return;
    const uint32_t base = (uint32_t)address;
    if (riscv_asm_end(as))
        riscv_asm_apart(as, name, (uint32_t)room, given ? &base : NULL);
}

static bool directive(struct riscv_asm *as, struct riscv_word name)
{
    struct ventus_setup *setup = riscv_asm_context(as);
    if (name.length == 7 && memcmp(name.text, ".launch", 7) == 0)
        read_launch(as, setup);
    else if (name.length == 4 && memcmp(name.text, ".arg", 4) == 0)
        read_arguments(as, setup);
    else if (name.length == 7 && memcmp(name.text, ".buffer", 7) == 0)
        read_buffer(as);
    else
        return false;
    return true;
}

int ventus_assemble(struct riscv_image *image, struct ventus_setup *setup,
                    const struct source *sources, size_t count, struct diag_list *diags)
{
    const struct riscv_dialect dialect = {.extensions = VENTUS_EXTENSIONS,
                                          .base = VENTUS_CODE,
                                          .most = VENTUS_MOST,
                                          .apart = VENTUS_GLOBAL,
                                          .csrs = csrs,
                                          .context = setup,
                                          .reg = ventus_register,
                                          .emit = emit_base,
                                          .other = other,
                                          .directive = directive,
                                          .suggest = suggest};
    ventus_setup_init(setup);
    return riscv_assemble(image, sources, count, &dialect, diags);
}
