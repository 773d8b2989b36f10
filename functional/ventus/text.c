/* text: an instruction as the assembler reads it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "functional/ventus/work.h"

const char *ventus_csr_name(uint32_t csr)
{
    static const struct {
        uint32_t number;
        const char *name;
    } rows[] = {
#define CSR(name, number, manual) {number, #name},
#include "functional/ventus/csr.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == csr)
            return rows[i].name;
    return NULL;
}

struct text {
    char *text;
    size_t used;
};

static void say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(t->text + t->used, VENTUS_TEXT - t->used, format, arguments);
    va_end(arguments);
    t->used += (size_t)size < VENTUS_TEXT - t->used ? (size_t)size : VENTUS_TEXT - t->used - 1;
}

static void say_type(struct text *t, uint32_t type)
{
    static const char *const groups[] = {"m1", "m2", "m4", "m8", NULL, "mf8", "mf4", "mf2"};
    if (type >> 8 || type >> 5 & 1 || !groups[type & 7])
        say(t, "0x%x", type);
    else
        say(t, "e%u, %s, %s, %s", 8U << (type >> 3 & 3), groups[type & 7],
            type & 0x40 ? "ta" : "tu", type & 0x80 ? "ma" : "mu");
}

static void say_target(struct text *t, int32_t offset, const char *target)
{
    if (target)
        say(t, "%.100s", target);
    else
        say(t, ". %c %d", offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

/* The operand at a letter; op has whole register numbers. */
static void say_operand(struct text *t, struct ventus_op *op, struct ventus_operand o,
                        const char *target)
{
    static const char *const roundings[] = {"rne", "rtz", "rdn", "rup", "rmm"};
    const char file = ventus_file_of(o.letter);
    const uint8_t reg = *ventus_register_of(op, o.letter);
    if (file == 'x')
        say(t, "%s", riscv_register_names[reg & 63]);
    else if (file)
        say(t, "%c%u", file, reg);
    if (file)
        return;
    switch (o.letter) {
    case 'u':
        say(t, "%u", op->rs1);
        break;
    case 'i':
        say(t, "%d", op->imm);
        break;
    case 'n':
        say(t, "%u", op->word >> o.low & ((1U << o.width) - 1)); /* of the first word */
        break;
    case 'p':
        say_target(t, op->imm, target);
        break;
    case 't':
        say_type(t, (uint32_t)op->imm);
        break;
    case 'r':
        if (op->rounding < 5)
            say(t, ", %s", roundings[op->rounding]);
        break;
    case 'm':
        say(t, op->masked ? ", v0.t" : "");
        break;
    case '0':
        say(t, "v0");
        break;
    case 'Z':
        say(t, "x0, ");
        break;
    case 'o':
        say(t, "x0");
        break;
    case ',':
        say(t, ", ");
        break;
    default:
        say(t, "%c", o.letter);
        break;
    }
}

static void say_base(struct text *t, const struct ventus_op *op, const char *target)
{
    const struct riscv_op base = {
        .insn = (uint8_t)op->insn, .rd = op->rd, .rs1 = op->rs1, .rs2 = op->rs2, .imm = op->imm};
    char text[RISCV_TEXT];
    const char *csr = riscv_is_csr(op->insn) ? ventus_csr_name((uint32_t)op->imm) : NULL;
    riscv_print(&base, target, csr, text);
    say(t, "%s", text);
}

static void say_own(struct text *t, struct ventus_op *op, const char *target)
{
    static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};
    const struct ventus_insn *row = &ventus_insns[op->insn - RISCV_INSN_COUNT];
    const uint64_t words = (uint64_t)op->high << 32 | op->word;
    const char *at = ventus_operands(op);
    say(t, "%s", row->name);
    if (*at == 'q') {
        say(t, "%s", orders[op->word >> 25 & 3]);
        at++;
    }
    if (*at == '?') {
        at++;
        at = op->word == row->match ? "" : at;
    }
    if (*at)
        say(t, " ");
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;)
        say_operand(t, op, o, target);
    for (size_t i = 0; i < ventus_option_count; i++) {
        const struct ventus_option *option = &ventus_options[i];
        if (option->form == op->form && (words & option->mask) == option->value)
            say(t, ", %s", option->word);
    }
}

/* Bits that no text can say are those of another word. */
static bool is_said(const struct ventus_op *op)
{
    if (op->insn == VENTUS_NO_INSN || ventus_encode(op) != ((uint64_t)op->high << 32 | op->word))
        return false;
    if (op->insn < RISCV_INSN_COUNT)
        return true;
    const char *at = ventus_operands(op);
    for (struct ventus_operand o; (o = ventus_next_operand(&at)).letter;)
        if ((o.letter == 'r' && (op->rounding == 5 || op->rounding == 6)) ||
            (o.letter == 'x' && op->rs1 >= VENTUS_XREGS))
            return false;
    return true;
}

void ventus_insn_print(const struct ventus_op *op, const struct ventus_prefix *prefix,
                       const char *target, char text[VENTUS_TEXT])
{
    struct text t = {.text = text};
    struct ventus_op whole = *op;
    text[0] = '\0';
    if (!is_said(op)) {
        say(&t, ".word 0x%08x", op->word);
        return;
    }
    if (prefix && prefix->set)
        ventus_extend(&whole, prefix);
    if (op->insn < RISCV_INSN_COUNT)
        say_base(&t, &whole, target);
    else
        say_own(&t, &whole, target);
}
