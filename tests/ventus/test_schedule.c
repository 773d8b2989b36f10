/*
 * schedule: Ventus programs in other orders: random launches without races keep what they leave in
 * memory in every order that keeps what depends on what, and a schedule is never longer; small ones
 * whose best order follows from the latencies; what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/improved.h"
#include "tests/often.h"
#include "tests/shuffled.h"
#include "timing/machines.h"

enum { PROGRAMS = 80, REGISTERS = 14, ORDERS = 4, SCHEDULES = 4, TEXT = 16384 };

static struct dice dice = {37};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

/* --- random launches -------------------------------------------------------------------------- */

struct text {
    char bytes[TEXT];
    size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text->used += (size_t)vsnprintf(text->bytes + text->used, TEXT - text->used, format, args);
    va_end(args);
    assert_true(text->used < TEXT);
}

/* Letters after %: v and r vector registers, r one that needs a prefix, x a scalar, p a pointer of
 * the threads, o an offset of a word in their own 32 bytes, w one of a warp's own 64. */
static const char *const patterns[] = {
    " vadd.vv %v, %v, %v",
    " vadd.vv %r, %v, %r",
    " vsub.vx %v, %v, %x",
    " vmul.vv %v, %v, %v",
    " vmacc.vv %v, %v, %v",
    " vfadd.vv %v, %v, %v",
    " vfmacc.vv %v, %v, %r",
    " vmslt.vv v0, %v, %v",
    " vadd.vv %v, %v, %v, v0.t",
    " vmerge.vvm %v, %v, %v, v0",
    " vdivu.vv %v, %v, %v",
    " vmv.v.x %v, %x",
    " vmv.x.s %x, %v",
    " vadd12.vi %v, %v, 77",
    " vlw12.v %v, %o(%p)",
    " vsw12.v %v, %o(%p)",
    " vlbu12.v %v, %o(%p)",
    " vsh12.v %v, %o(%p)",
    " vlw.v %v, %o(v12)",
    " vsw.v %v, %o(v12)",
    " lw %x, %w(a7)",
    " sw %x, %w(a7)",
    " sb %x, %w(a7)",
    " mul %x, %x, %x",
    " add %x, %x, %x",
    " addi %x, %x, 5",
    " fadd.s %x, %x, %x",
    " csrr %x, wid",
    " csrr %x, vl",
    " li %x, 123456",
    " fence",
    " barrier 1",
    " amoadd.w %x, %x, (s1)",
};

static void add_pattern(struct text *text, const char *at)
{
    for (; *at; at++) {
        if (*at != '%') {
            add(text, "%c", *at);
            continue;
        }
        switch (*++at) {
        case 'v':
            add(text, "v%u", 4 + pick(6));
            break;
        case 'r':
            add(text, "v%u", 40 + pick(4));
            break;
        case 'x':
            add(text, "a%u", pick(6));
            break;
        case 'p':
            add(text, "v%u", 2 + pick(2));
            break;
        case 'o':
            add(text, "%u", 4 * pick(8));
            break;
        default:
            add(text, "%u", 4 * pick(16));
        }
    }
    add(text, "\n");
}

/* groups: of two registers, without accesses. */
static void add_insn(struct text *text, unsigned number, bool groups)
{
    switch (pick(14)) {
    case 0: /* threads part */
        add(text, " la t5, j%u\n setrpc x0, t5, 0\n vmv.v.x v20, t2\n vblt v1, v20, e%u\n", number,
            number);
        add_pattern(text, patterns[pick(8)]);
        add_pattern(text, patterns[pick(8)]);
        add(text, "e%u:\n", number);
        add_pattern(text, patterns[pick(8)]);
        add(text, "j%u:\n join\n", number);
        return;
    case 1:
        add(text, " beqz a%u, b%u\n addi a%u, a%u, 1\nb%u:\n", pick(6), number, pick(6), pick(6),
            number);
        return;
    default:
        add_pattern(text, patterns[pick(groups ? REGISTERS : sizeof patterns / sizeof *patterns)]);
    }
}

/* Threads have 32 bytes of their own in each of two buffers, warps 64 in a third; the sum that all
 * add to is not read. At the end registers are stored. */
static void random_launch(struct text *text)
{
    static const char *const types[] = {"", " vsetvli x0, x0, e32, m1\n",
                                        " vsetvli x0, x0, e32, m2\n"};
    text->used = 0;
    const unsigned warps = 1 + pick(3), type = pick(3);
    add(text,
        "    .launch grid %u\n    .launch workgroup %u\n    .launch private 64\n    .arg b, c, d\n"
        "    .text\n csrr t0, knl\n lw t0, 4(t0)\n lw s0, 0(t0)\n lw s1, 4(t0)\n lw a7, 8(t0)\n"
        " csrr t1, tid\n csrr t2, gidx\n li t3, %u\n mul t3, t3, t2\n add t1, t1, t3\n"
        " vid.v v1\n vadd.vx v1, v1, t1\n vsll.vi v2, v1, 5\n vadd.vx v3, v2, s1\n"
        " vadd.vx v2, v2, s0\n slli t4, t1, 1\n add a7, a7, t4\n addi s1, s1, 1024\n"
        " li t4, 65536\n add s1, s1, t4\n vmv.v.i v12, 0\n li t2, %u\n li s2, %u\n%sagain:\n",
        1 + pick(3), warps * 32, warps * 32, pick(64), 1 + pick(4), types[type]);
    for (unsigned n = 3 + pick(25); n; n--)
        add_insn(text, n, type == 2);
    add(text, " addi s2, s2, -1\n bnez s2, again\n vsetvli x0, x0, e32, m1\n");
    for (unsigned r = 0; r < 8; r++)
        add(text, " vsw12.v v%u, %u(v3)\n", r < 6 ? 4 + r : 34 + r, 4 * r);
    add(text, " endprg\n    # takt: get m:b 64\n"
              "    .buffer b, 65536\n    .buffer c, 69632\n    .buffer d, 65536\n");
}

/* What other warps leave in a register of amoadd, and what control registers of barriers say, may
 * depend on the order of the warps: those are left out. */
static void every_order_keeps_values(void **unused)
{
    (void)unused;
    size_t moved = 0, refused = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        static struct text text;
        char error[MACHINE_ERROR] = "";
        do
            random_launch(&text);
        while (strstr(text.bytes, "amoadd") && !strstr(text.bytes, ".launch grid 1\n    .launch "
                                                                   "workgroup 32\n"));
        const struct shuffled program = {&machine_ventus, "k.ventus", text.bytes, text.used};
        const size_t more = shuffled_check(&program, ORDERS, &dice, error);
        refused += more == SIZE_MAX;
        moved += more == SIZE_MAX ? 0 : more;
    }
    assert_int_equal(refused, 0);
    assert_true(moved > 20 * often(PROGRAMS));
}

static void schedules_are_not_longer(void **unused)
{
    (void)unused;
    size_t shorter = 0;
    for (size_t p = 0; p < often(SCHEDULES); p++) {
        static struct text text;
        struct schedule s;
        do
            random_launch(&text);
        while (strstr(text.bytes, "amoadd"));
        assert_true(improved_schedule(&machine_ventus, text.bytes, NULL, &s));
        shorter += s.after < s.before;
        schedule_free(&s);
    }
    assert_true(shorter > 0);
}

/* --- which instructions may change their order ------------------------------------------------ */

/* Whether the second of two lines can come before the first one in some order. */
static bool may_swap(const char *first, const char *second)
{
    char text[900];
    const int size = snprintf(text, sizeof text,
                              "    .launch private 64\n    .arg b\n    .text\n csrr t0, knl\n"
                              " lw t0, 4(t0)\n lw s0, 0(t0)\n vmv.v.x v1, s0\n vmv.v.i v2, 0\n"
                              "%s\n%s\n endprg\n    .buffer b, 4096\n",
                              first, second);
    return shuffled_may_swap(
        &(const struct shuffled){&machine_ventus, "k.ventus", text, (size_t)size});
}

static void some_instructions_keep_their_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *first, *second;
        bool swap;
    } rows[] = {
        {" lw a0, 0(s0)", " lw a1, 0(s0)", true},            /* loads */
        {" sw a0, 0(s0)", " lw a1, 0(s0)", false},           /* the same word */
        {" sw a0, 0(s0)", " lw a1, 4(s0)", true},            /* the next one */
        {" sw a0, 0(s0)", " sw a1, 4(s0)", false},           /* stores, which others may see */
        {" vlw12.v v3, 0(v1)", " vlw12.v v4, 0(v1)", true},  /* loads */
        {" vsw12.v v3, 0(v1)", " vlw12.v v4, 4(v1)", false}, /* threads may meet */
        {" vsw.v v3, 0(v2)", " vlw.v v4, 4(v2)", true},      /* in private memory they do not */
        {" vsw.v v3, 0(v2)", " vlw.v v4, 0(v2)", false},
        {" vsw.v v3, 0(v2)", " vlw12.v v4, 4(v1)", false}, /* an address of private memory? */
        {" vsetvli x0, x0, e32, m2\n vsw.v v4, 0(v2)", " vlw.v v6, 4(v2)",
         false},                                                      /* v3 is one, too */
        {" addi x40, s0, 4\n sw a0, 4(s0)", " lw a1, 0(x40)", false}, /* x40 is not s0 */
        {" addi x40, s0, 4\n sw a0, 4(s0)", " lw a1, 4(x40)", true},
        {" sw a0, 0(s0)", " vlw12.v v4, 4(v1)", false},
        {" vadd.vv v3, v4, v5", " vadd.vv v6, v7, v8", true},
        {" vadd.vv v3, v4, v5", " vadd.vv v6, v3, v8", false},        /* RAW */
        {" vadd.vv v3, v4, v5", " vadd.vv v4, v7, v8", false},        /* WAR */
        {" vadd.vv v3, v4, v5, v0.t", " vadd.vv v3, v7, v8", false},  /* WAW */
        {" vadd.vv v3, v4, v5, v0.t", " vmslt.vv v0, v7, v8", false}, /* the mask */
        {" vadd.vv v3, v4, v5", " vadd.vv v6, v35, v8", true},        /* with a prefix */
        {" vadd.vv v35, v4, v5", " vadd.vv v6, v35, v8", false},      /* of both */
        {" vadd.vv v3, v4, v5", " csrr a0, wid", true},               /* which never changes */
        {" setrpc x0, s0, 0", " vadd.vv v3, v4, v5", true},
        {" setrpc x0, s0, 0", " setrpc x0, s0, 4", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (may_swap(rows[i].first, rows[i].second) != rows[i].swap)
            fail_msg("%s;%s", rows[i].first, rows[i].second);
}

static void refused(const char *name, const char *text, const char *why)
{
    char error[MACHINE_ERROR] = "";
    const struct shuffled program = {&machine_ventus, name, text, strlen(text)};
    const size_t moved = shuffled_check(&program, 1, &dice, error);
    if (moved != SIZE_MAX || !strstr(error, why))
        fail_msg("%s\n%s", error, text);
}

static void some_programs_are_refused(void **unused)
{
    (void)unused;
    refused("k.ventus", "    .text\n fence\n endprg\n", "no block of it");
    refused("k.ventus",
            "    .text\n li a0, 1\n barrier 1\n li a1, 1\n csrr a2, vl\n"
            " li a3, 1\n cp_dma_mbarrier\n li a4, 1\n endprg\n",
            "no block of it");
    refused("k.ventus", /* x37 is not t0, by which functions return */
            "    .text\n jal t0, here\nhere: addi x37, t0, 20\n jr x37\n li a0, 1\n li a1, 1\n"
            " li a2, 1\n endprg\n",
            "no block of it");
    refused("k.ventus", /* the same in a function, whose places a jump may know */
            "    .text\n .type main, @function\nmain: jal t0, here\nhere: addi x37, t0, 20\n"
            " jr x37\n li a0, 1\n li a1, 1\n li a2, 1\n endprg\n",
            "no block of it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_keeps_values),
        cmocka_unit_test(schedules_are_not_longer),
        cmocka_unit_test(some_instructions_keep_their_order),
        cmocka_unit_test(some_programs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
