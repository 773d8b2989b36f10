#include "tests/kelvin/random_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/dice.h"

void text_add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text->used +=
        (size_t)vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used, format, args);
    va_end(args);
    if (text->used >= sizeof text->bytes)
        abort();
}

static const char *scalar(struct dice *dice)
{
    static const char *const names[] = {"a0", "a1", "a2", "a3", "a4", "t0", "t1"};
    return names[dice_below(dice, sizeof names / sizeof *names)];
}

/* Patterns, in which letters after % are operands: v a register, g one of .m, p the first of two
 * and q of four of them, 8 one of eight, 5 below v56, x a scalar, b a pointer, n a pointer that
 * changes, m .m or nothing. */
static const char *const vectors[] = {
    "vadd.w.vv v%v, v%v, v%v",
    "vsub.w.vv.m v%g, v%g, v%g",
    "vmul.h.vx.m v%g, v%g, %x",
    "vmul.h.vx v%v, v%v, %x",
    "vmulh.w.r.vv.m v%g, v%g, v%g",
    "vdmulh.w.rn.vx.m v%g, v%g, %x",
    "vmacc.b.vv.m v%g, v%g, v%g",
    "vsel.b.vx.m v%g, v%g, %x",
    "vsraqs.b.vx v%v, v%q, %x",
    "vsraqs.b.r.vx.m v%g, v%8, %x",
    "vsrans.h.vx.m v%g, v%p, %x",
    "vmv.v%m v%g, v%g",
    "vmvp.vv.m v%p, v%g, v%g",
    "vdup.w.x%m v%g, %x",
    "vaddw.h.vv%m v%p, v%g, v%g",
    "vacc.w.vx v%5, v%5, %x",
    "vevnodd.b.vv.m v%p, v%g, v%g",
    "vslidehn.b.1.vv.m v%g, v%g, v%g",
    "vslidehp.h.2.vx.m v%g, v%g, %x",
    "vslidevn.w.3.vv.m v%g, v%g, v%g",
    "vsliden.w.3.vv v%v, v%v, v%v",
    "vcpop.b.v%m v%g, v%g",
    "vld.w.x%m v%g, %b",
    "vld.b.p.x%m v%g, %n",
    "vld.h.p.xx%m v%g, %n, a5",
    "vld.b.l.xx%m v%g, %b, a6",
    "vld.w.lp.xx%m v%g, %n, a6",
    "vld.b.s.xx%m v%g, %b, a5",
    "vld.b.tp.xx.m v%g, %n, a5",
    "vst.h.x%m v%g, %b",
    "vst.b.l.xx%m v%g, %b, a6",
    "vst.h.sp.xx.m v%g, %n, a5",
    "vstq.b.s.xx%m v%g, %b, a5",
    "vstq.w.sp.xx v%v, %n, a5",
    "aconv.vxv v48, v%8, a7, v%8",
    "aconv.vxv v48, v%8, t2, v%5",
    "vcget v48",
    "acset.v v48, v%8",
    "actr.v v48, v%8",
    "adwinit.v v%v, v%q",
    "vdwconv.vxv v%q, v%5, t3, v%5",
    "adwconv.vxv v%v, v%5, t3, v%5",
};

static void add_vector(struct text *text, struct dice *dice)
{
    static const char *const pointers[] = {"s0", "s1", "s3", "s4"};
    text_add(text, " ");
    for (const char *at = vectors[dice_below(dice, sizeof vectors / sizeof *vectors)]; *at; at++) {
        if (*at != '%') {
            text_add(text, "%c", *at);
            continue;
        }
        switch (*++at) {
        case 'x':
            text_add(text, "%s", scalar(dice));
            break;
        case 'b':
        case 'n':
            text_add(text, "%s", pointers[dice_below(dice, 2) + (*at == 'n' ? 2 : 0)]);
            break;
        case 'm':
            text_add(text, dice_below(dice, 2) ? ".m" : "");
            break;
        case '8':
            text_add(text, "%u", 16 * (unsigned)dice_below(dice, 4));
            break;
        case '5':
            text_add(text, "%u", (unsigned)dice_below(dice, 56));
            break;
        case 'v':
            text_add(text, "%u", (unsigned)dice_below(dice, 64));
            break;
        case 'g':
            text_add(text, "%u", 4 * (unsigned)dice_below(dice, 16));
            break;
        default: /* p, q */
            text_add(text, "%u", 4 * (unsigned)dice_below(dice, 15));
        }
    }
    text_add(text, "\n");
}

static void add_scalar(struct text *text, struct dice *dice)
{
    static const char *const names[] = {"add", "xor", "mul", "sub", "and", "div", "remu"};
    static const char *const waits[] = {"call f",  "call f",   "fence",
                                        "fence.i", "flushall", "flushat s1"};
    const unsigned offset = (unsigned)dice_below(dice, 800);
    switch (dice_below(dice, 12)) {
    case 0:
    case 1:
        text_add(text, " lw %s, %u(s0)\n", scalar(dice), offset);
        return;
    case 2:
        text_add(text, " sw %s, %u(s0)\n", scalar(dice), offset);
        return;
    case 3:
        text_add(text, " beq %s, %s, 1f\n addi a0, a0, 1\n1:\n", scalar(dice), scalar(dice));
        return;
    case 4:
        text_add(text, " %s\n", waits[dice_below(dice, sizeof waits / sizeof *waits)]);
        return;
    case 10:
        text_add(text, " lh %s, %u(s1)\n sb %s, %u(s1)\n", scalar(dice), offset, scalar(dice),
                 offset / 2);
        return;
    case 11:
        text_add(text, " li a6, %u\n", (unsigned)dice_below(dice, 140));
        return;
    case 5:
        if (dice_below(dice, 2))
            text_add(text, " csrr s9, mcycle\n"); /* only reads */
        else
            text_add(text, " csrr %s, mscratch\n", scalar(dice));
        return;
    default:
        text_add(text, " %s %s, %s, %s\n", names[dice_below(dice, sizeof names / sizeof *names)],
                 scalar(dice), scalar(dice), scalar(dice));
    }
}

void random_text(struct text *text, uint64_t seed)
{
    struct dice dice = {seed};
    text->used = 0;
    text_add(
        text,
        "_start: la s0, buf\n la s1, buf+%u\n li s2, %u\n li a7, 7 << 7\n li t2, %u << 7 | 2 << 2\n"
        "li t3, %u << 2 | %u << 4\n csrwi mscratch, 9\nloop: la s3, buf + 16\n la s4, buf + 4100\n"
        "li a5, %u\n",
        (unsigned)dice_below(&dice, 2) ? 1024 : (unsigned)dice_below(&dice, 3000),
        2 + (unsigned)dice_below(&dice, 20), 2 + (unsigned)dice_below(&dice, 6),
        (unsigned)dice_below(&dice, 3), (unsigned)dice_below(&dice, 7),
        (unsigned)dice_below(&dice, 100));
    for (uint64_t n = 5 + dice_below(&dice, 55); n; n--)
        if (dice_below(&dice, 2))
            add_vector(text, &dice);
        else
            add_scalar(text, &dice);
    text_add(text, " addi s2, s2, -1\n bnez s2, loop\n mpause\nf: addi a0, a0, 1\n ret\n"
                   ".data\n.balign 32\nbuf: .zero 65536\n");
}
