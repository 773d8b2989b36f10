/*
 * bounds: on random launches, by the chip's numbers and by others, no bound of any class is above
 * the total, and every certificate holds, and no plausible numbers give a total below the low end
 * of the range. Small programs of one warp are tried in every order that
 * keeps their dependences, which the test knows by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "tests/orders.h"
#include "tests/random_setting.h"
#include "timing/machines.h"

enum {
    PROGRAMS = 60,
    LOWS = 40,
    SETTINGS = 5,
    SETS = 64,
    SMALL = 12,
    LINE = ORDERS_LINE,
    TEXT = 16384
};

static struct dice dice = {29};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

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

/* --- random launches -------------------------------------------------------------------------- */

static void add_insn(struct text *text, unsigned number)
{
    const unsigned d = 4 + pick(6), s = 4 + pick(6), t = 4 + pick(6);
    switch (pick(16)) {
    case 0:
        add(text, " vadd.vv v%u, v%u, v%u\n", d, s, t);
        return;
    case 1:
        add(text, " vmul.vv v%u, v%u, v%u\n", d, s, t);
        return;
    case 2:
        add(text, " vfadd.vv v%u, v%u, v%u\n", d, s, t);
        return;
    case 3:
        add(text, " vfdiv.vv v%u, v%u, v%u\n", d, s, t);
        return;
    case 4:
    case 5:
        add(text, " vlw12.v v%u, %u(v%u)\n", d, 4 * pick(8), 2 + pick(2));
        return;
    case 6:
        add(text, " vsw12.v v%u, %u(v%u)\n", s, 4 * pick(8), 2 + pick(2));
        return;
    case 7:
        add(text, " lw a%u, %u(a7)\n", pick(6), 4 * pick(30));
        return;
    case 8:
        add(text, " sw a%u, %u(a7)\n", pick(6), 4 * pick(30));
        return;
    case 9:
        add(text, " mul a%u, a%u, a%u\n", pick(6), pick(6), pick(6));
        return;
    case 10: /* threads part */
        add(text,
            " la t5, j%u\n setrpc x0, t5, 0\n vmv.v.x v20, t2\n vblt v1, v20, j%u\n"
            " vadd.vv v%u, v%u, v%u\n vmul.vv v%u, v%u, v%u\nj%u:\n join\n",
            number, number, d, s, t, t, d, s, number);
        return;
    case 11:
        add(text, " barrier 1\n");
        return;
    case 12:
        add(text, " beqz a%u, b%u\n addi a%u, a%u, 1\nb%u:\n", pick(6), number, pick(6), pick(6),
            number);
        return;
    case 13:
        add(text, " fence\n");
        return;
    case 14: /* with prefixes */
        add(text, " vadd.vv v%u, v%u, v%u\n", 40 + pick(3), s, 40 + pick(3));
        return;
    default:
        add(text, " add a%u, a%u, a%u\n", pick(6), pick(6), pick(6));
    }
}

static void random_launch(struct text *text)
{
    text->used = 0;
    const unsigned warps = 1 + pick(4);
    add(text,
        "    .launch grid %u\n    .launch workgroup %u\n    .launch local 1024\n    .arg b\n    .text\n"
        " csrr t0, knl\n lw t0, 4(t0)\n lw a7, 0(t0)\n csrr s0, lds\n csrr t1, tid\n vid.v v1\n"
        " vadd.vx v1, v1, t1\n vsll.vi v2, v1, %u\n vadd.vx v2, v2, a7\n vsll.vi v3, v1, 2\n"
        " vadd.vx v3, v3, %s\n li t2, %u\n li s2, %u\nagain:\n",
        pick(4) ? 1 + pick(3) : 5 + pick(20), warps * 32, 2 + pick(2), pick(2) ? "s0" : "a7",
        pick(64), 1 + pick(4));
    for (unsigned n = 3 + pick(25); n; n--)
        add_insn(text, n);
    add(text, " addi s2, s2, -1\n bnez s2, again\n endprg\n    .buffer b, 65536\n");
}

/* Numbers that are public, too. */
static size_t other_numbers(const char **sets, char values[][RANDOM_SETTING], size_t count)
{
    static const struct {
        const char *name;
        unsigned low, high;
    } rows[] = {{"sms", 1, 3},
                {"sm_warps", 4, 8},
                {"launch_cycles", 0, 60},
                {"fetch_latency", 1, 6},
                {"buffer_groups", 1, 4},
                {"collectors", 1, 8},
                {"register_banks", 1, 8},
                {"since_reset", 0, 300},
                {"salu_latency", 0, 4},
                {"simt_latency", 0, 6},
                {"valu_latency", 0, 6},
                {"mul_latency", 0, 6},
                {"fadd_latency", 0, 8},
                {"address_cycles", 1, 9},
                {"lsu_entries", 1, 8},
                {"shared_store", 1, 4},
                {"l1d_mshrs", 1, 6},
                {"l1d_targets", 0, 4},
                {"l1d_writes", 0, 6},
                {"l1d_latency", 1, 6},
                {"l2_mshrs", 1, 5},
                {"l2_interval", 1, 12},
                {"l2_latency", 1, 12},
                {"ram_interval", 1, 12},
                {"ram_latency", 1, 30},
                {"shared_latency", 1, 9}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (pick(2))
            continue;
        snprintf(values[count], RANDOM_SETTING, "%s=%u", rows[i].name,
                 rows[i].low + pick(rows[i].high - rows[i].low + 1));
        sets[count] = values[count];
        count++;
    }
    static const char *const lines[] = {"l1i_line=8",   "l1i_line=64", "l1d_line=4",
                                        "l1d_line=128", "l2_line=16",  "l2_line=64"};
    for (unsigned i = 0; i < 6; i += 2)
        if (pick(2))
            sets[count++] = lines[i + pick(2)];
    if (pick(2))
        sets[count++] = "local_path=l1d";
    sets[count] = NULL;
    return count;
}

static void never_above_the_total(void **unused)
{
    (void)unused;
    struct config config;
    char error[MACHINE_ERROR];
    size_t taken = 0;
    assert_int_equal(machine_config(&machine_ventus, &config, error, sizeof error), 0);
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        static struct text text;
        static char values[SETS][RANDOM_SETTING];
        const char *sets[SETS + 6] = {NULL};
        random_launch(&text);
        const size_t count = p % 3 == 1 ? random_settings(&dice, &config, values, sets) : 0;
        if (p % 3 == 2)
            other_numbers(sets, values, count);
        struct subject s = {.machine = &machine_ventus, .sets = sets};
        if (subject_take(&s, text.bytes)) {
            subject_sound(&s, text.bytes);
            subject_keeps_arcs(&s, text.bytes);
            assert_int_equal(s.critical, s.cycles);
            taken++;
        }
        subject_free(&s);
    }
    config_free(&config);
    assert_true(2 * taken > often(PROGRAMS));
}

/* A few accesses of several warps, each thread in lines of its own. */
static void strided_launch(struct text *text)
{
    static const char *const accesses[] = {" vlw12.v v4, 0(v2)\n", " vlw12.v v5, 4(v2)\n",
                                           " vlw12.v v6, 0(v3)\n", " vsw12.v v4, 4(v2)\n"};
    text->used = 0;
    add(text,
        "    .launch grid %u\n    .launch workgroup %u\n    .launch local 8192\n    .arg b\n"
        "    .text\n csrr t0, knl\n lw t0, 4(t0)\n lw a7, 0(t0)\n csrr s0, lds\n"
        " csrr t1, tid\n vid.v v1\n vadd.vx v1, v1, t1\n vsll.vi v2, v1, %u\n"
        " vadd.vx v2, v2, a7\n vsll.vi v3, v1, %u\n vadd.vx v3, v3, s0\n",
        1 + pick(3), 32 * (1 + pick(4)), 4 + pick(3), 2 + pick(3));
    for (unsigned n = 1 + pick(3); n; n--)
        add(text, "%s", accesses[pick(4)]);
    add(text, " endprg\n    .buffer b, 65536\n");
}

/* No setting inside the plausible ranges gives a total below the low end. */
static void low_is_a_bound(void **unused)
{
    (void)unused;
    struct config config;
    char error[MACHINE_ERROR];
    size_t tried = 0;
    assert_int_equal(machine_config(&machine_ventus, &config, error, sizeof error), 0);
    for (size_t p = 0; p < often(LOWS); p++) {
        static struct text text;
        if (p % 2)
            random_launch(&text);
        else
            strided_launch(&text);
        const struct subject plain = {.machine = &machine_ventus};
        const uint64_t low = subject_low(&plain, text.bytes);
        for (unsigned i = 0; low && i < SETTINGS; i++) {
            static char values[SETS][RANDOM_SETTING];
            const char *sets[SETS + 6] = {NULL};
            if (i)
                random_settings(&dice, &config, values, sets);
            else
                optimistic_settings(&config, values, sets);
            const struct subject s = {.machine = &machine_ventus, .sets = sets};
            const uint64_t total = subject_total(&s, text.bytes); /* 0: these make no chip */
            tried += total > 0;
            if (total && total < low)
                fail_msg("%llu cycles, below %llu\n%s", (unsigned long long)total,
                         (unsigned long long)low, text.bytes);
        }
    }
    config_free(&config);
    assert_true(tried > often(LOWS));
}

/* --- every order ------------------------------------------------------------------------------ */

/* Places: four vector registers, four scalar registers, memory. */
enum { V = 0, X = 4, MEMORY = 8 };

static void make_op(struct orders_op *op)
{
    static const char *const scalars[] = {"add", "mul", "xor"};
    static const char *const vectors[] = {"vadd.vv", "vmul.vv", "vfadd.vv", "vfdiv.vv"};
    const unsigned d = pick(4), s = pick(4), t = pick(4);
    *op = (struct orders_op){.writes = 1U << (V + d)};
    switch (pick(5)) {
    case 0:
        snprintf(op->text, LINE, " vlw12.v v%u, %u(v2)\n", 4 + d, 128 * pick(2));
        op->reads = 1U << MEMORY;
        break;
    case 1:
        snprintf(op->text, LINE, " vsw12.v v%u, %u(v2)\n", 4 + s, 128 * pick(2));
        op->reads = 1U << (V + s);
        op->writes = 1U << MEMORY;
        break;
    case 2:
        snprintf(op->text, LINE, " %s a%u, a%u, a%u\n", scalars[pick(3)], d, s, t);
        op->reads = 1U << (X + s) | 1U << (X + t);
        op->writes = 1U << (X + d);
        break;
    case 3:
        snprintf(op->text, LINE, " vadd.vx v%u, v%u, a%u\n", 4 + d, 4 + s, t);
        op->reads = 1U << (V + s) | 1U << (X + t);
        break;
    default:
        snprintf(op->text, LINE, " %s v%u, v%u, v%u\n", vectors[pick(4)], 4 + d, 4 + s, 4 + t);
        op->reads = 1U << (V + s) | 1U << (V + t);
    }
}

/* The bound may move the code before them, too, which stays where it is in the orders that are
 * tried; and of lines of code it knows the number alone. In one half there is one such line. */
static void best_order_is_not_below(void **unused)
{
    (void)unused;
    static const char *const fast[] = {"l2_interval=1", "l1i_line=128",    "l2_line=128",
                                       "l1i_sets=32",   "launch_cycles=0", NULL}; /* one line */
    struct orders_sum sum = {.programs = 0};
    const size_t programs = often(SMALL);
    for (size_t p = 0; p < programs; p++) {
        struct orders o = {
            .subject = {.machine = &machine_ventus, .sets = p % 2 ? fast : NULL},
            .before = "    .launch grid 1\n    .launch workgroup 8\n    .launch threads 8\n"
                      "    .arg b\n    .text\n csrr t0, knl\n lw t0, 4(t0)\n lw a7, 0(t0)\n"
                      " vid.v v1\n vsll.vi v2, v1, 2\n vadd.vx v2, v2, a7\n",
            .after = " endprg\n    .buffer b, 4096\n",
            .count = 2 + pick(ORDERS_MOST - 1)};
        for (unsigned k = 0; k < o.count; k++)
            make_op(&o.ops[k]);
        orders_try(&o, &sum);
    }
    orders_say(&sum);
    /* The way of a line to memory is not in the bound: the longer it is, the wider the gap. */
    assert_true(20 * sum.gap <= 11 * (double)programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_total),
                                       cmocka_unit_test(low_is_a_bound),
                                       cmocka_unit_test(best_order_is_not_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
