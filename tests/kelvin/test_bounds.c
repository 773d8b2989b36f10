/* bounds: on random Kelvin programs, with the chip's parameters and with others, no bound of any
 * class exceeds the total, and every certificate holds. Small vector programs are tried in every
 * order that keeps their dependences, which the test computes independently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kelvin/random_text.h"
#include "tests/often.h"
#include "tests/orders.h"
#include "tests/random_setting.h"
#include "timing/machines.h"

enum { PROGRAMS = 60, SETS = 64, SMALL = 12, LINE = ORDERS_LINE, TEXT = 1024 };

static struct dice dice = {23};

/* Includes public numbers. */
static size_t other_numbers(const char **sets, char values[][RANDOM_SETTING], size_t count)
{
    static const struct {
        const char *name;
        unsigned low, high;
    } rows[] = {{"dispatch_width", 1, 6}, {"alu_latency", 1, 4},   {"mul_latency", 1, 6},
                {"div_base", 1, 9},       {"div_bits", 1, 8},      {"load_latency", 1, 9},
                {"branch_miss", 0, 5},    {"vector_delay", 1, 9},  {"vector_fifo", 1, 20},
                {"vector_guard", 0, 8},   {"vector_decode", 1, 5}, {"queue_alu", 1, 8},
                {"queue_conv", 1, 5},     {"queue_ldst", 1, 8},    {"vector_latency", 1, 7},
                {"conv_wait", 0, 5},      {"conv_set", 1, 9},      {"l1d_bytes", 1024, 1024},
                {"l0_bytes", 32, 32},     {"memory_latency", 1, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (dice_below(&dice, 2))
            continue;
        snprintf(values[count], RANDOM_SETTING, "%s=%u", rows[i].name,
                 rows[i].low + (unsigned)dice_below(&dice, rows[i].high - rows[i].low + 1));
        sets[count] = values[count];
        count++;
    }
    sets[count] = NULL;
    return count;
}

static void never_above_the_total(void **unused)
{
    (void)unused;
    struct config config;
    char error[MACHINE_ERROR];
    size_t taken = 0;
    assert_int_equal(machine_config(&machine_kelvin, &config, error, sizeof error), 0);
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        static struct text text;
        static char values[SETS][RANDOM_SETTING];
        const char *sets[SETS + 1] = {NULL};
        random_text(&text, dice_next(&dice));
        const size_t count = p % 3 ? random_settings(&dice, &config, values, sets) : 0;
        if (p % 4 > 1)
            other_numbers(sets, values, count);
        struct subject s = {.machine = &machine_kelvin, .sets = sets};
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

/* --- the public description's figures --------------------------------------------------------- */

static void take(struct subject *s, const char *before, const char *insn, unsigned count)
{
    static char text[4000];
    size_t used = (size_t)snprintf(text, sizeof text, "_start: %s\n", before);
    *s = (struct subject){.machine = &machine_kelvin};
    for (unsigned i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, insn, i % 8 * 4);
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    snprintf(text + used, sizeof text - used, " mpause\n");
    assert_true(subject_take(s, text));
}

/* N products of four registers take 2 N cycles of the two ALUs, eight convolutions of eight steps
 * take 64 of their unit. Both come after the first line of code, which takes 22, and six cycles
 * from the core; the result is ready 2 cycles after its last beat, at the start of the end, which
 * takes one. */
static void streams_are_bound_by_their_units(void **unused)
{
    (void)unused;
    struct subject s;
    take(&s, "nop", " vadd.w.vv.m v%u, v32, v36", 40);
    const struct bound *best = bounds_best(&s.bounds, BOUND_ANY_ORDER);
    assert_int_equal(best->kind, BOUND_UNIT);
    assert_string_equal(s.graph.units[best->unit].name, "valu");
    assert_int_equal(best->cycles, 22 + 6 + 2 * 40 - 1 + 2 + 1);
    assert_int_equal(best->cycles, s.cycles);
    subject_free(&s);
    take(&s, "li a0, 7 << 7", " aconv.vxv v48, v0, a0, v16", 8);
    best = bounds_best(&s.bounds, BOUND_ANY_ORDER);
    assert_int_equal(best->kind, BOUND_UNIT);
    assert_string_equal(s.graph.units[best->unit].name, "conv");
    assert_in_range(best->cycles, 22 + 6 + 64, s.cycles);
    subject_free(&s);
}

/* A shift over four registers locks both ALUs for a cycle: it waits for both queues, and both wait
 * for it. A sum of four registers takes 4 cycles of one ALU. Between shifts nothing overlaps, so N
 * pairs in this order take 5 N. In another order sums could take both ALUs. */
static void both_units_wait_for_what_locks_them(void **unused)
{
    (void)unused;
    struct subject s;
    for (unsigned pairs = 2; pairs <= 20; pairs += 6) {
        take(&s, "nop", " vadd.w.vv.m v%u, v32, v36\n vslidehp.w.1.vv.m v48, v32, v36", pairs);
        assert_int_equal(s.cycles, 22 + 6 + 5 * pairs - 1 + 2 + 1);
        assert_int_equal(bounds_best(&s.bounds, BOUND_THIS_ORDER)->cycles, s.cycles);
        assert_in_range(bounds_best(&s.bounds, BOUND_ANY_ORDER)->cycles, 22 + 6, s.cycles - pairs);
        subject_free(&s);
    }
}

/* Lines of a buffer, read once: the cache waits 22 cycles for each, one after the other. */
static void cold_lines_are_part_of_any_order(void **unused)
{
    (void)unused;
    struct subject s;
    take(&s, "la a0, b\n .data\n b: .zero 1024\n .text", " vld.w.p.x.m v%u, a0", 8);
    const struct bound *best = bounds_best(&s.bounds, BOUND_ANY_ORDER);
    assert_in_range(best->cycles, 32 * 22, s.cycles);
    assert_in_range(bounds_best(&s.bounds, BOUND_FREE_PLACES)->cycles, 22, 32 * 22);
    subject_free(&s);
}

/* --- every order ------------------------------------------------------------------------------ */

/* Places: four groups of vector registers, four scalar registers, two lines of memory, the
 * accumulators. */
enum { V = 0, X = 4, MEMORY = 8, ACCUMULATOR = 10 };

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

static void make_scalar(struct orders_op *op)
{
    static const char *const names[] = {"add", "mul", "xor", "div"};
    const unsigned d = pick(4), s = pick(4), t = pick(4), line = pick(2);
    switch (pick(3)) {
    case 0:
        snprintf(op->text, LINE, " lw a%u, %u(s0)\n", d, 32 * line);
        op->reads = 1U << (MEMORY + line);
        op->writes = 1U << (X + d);
        break;
    case 1:
        snprintf(op->text, LINE, " sw a%u, %u(s0)\n", s, 32 * line);
        op->reads = 1U << (X + s);
        op->writes = 1U << (MEMORY + line);
        break;
    default:
        snprintf(op->text, LINE, " %s a%u, a%u, a%u\n", names[pick(4)], d, s, t);
        op->reads = 1U << (X + s) | 1U << (X + t);
        op->writes = 1U << (X + d);
        break;
    }
}

static void make_vector(struct orders_op *op)
{
    const unsigned d = pick(4), s = pick(4), t = pick(4), line = pick(2);
    op->reads = op->writes = 1U << (V + d);
    switch (pick(6)) {
    case 0:
        snprintf(op->text, LINE, " vld.w.x v%u, s%u\n", 16 * d, line);
        op->reads = 1U << (MEMORY + line);
        break;
    case 1:
        snprintf(op->text, LINE, " vst.w.x v%u, s%u\n", 16 * s, line);
        op->reads = 1U << (V + s);
        op->writes = 1U << (MEMORY + line);
        break;
    case 2:
        snprintf(op->text, LINE, " vmul.w.vx.m v%u, v%u, a%u\n", 16 * d, 16 * s, t);
        op->reads = 1U << (V + s) | 1U << (X + t);
        break;
    case 3:
        snprintf(op->text, LINE, " aconv.vxv v48, v%u, a7, v%u\n", 16 * s, 16 * t);
        op->reads = 1U << (V + s) | 1U << (V + t) | 1U << ACCUMULATOR;
        op->writes = 1U << ACCUMULATOR;
        break;
    case 4:
        snprintf(op->text, LINE, " vmacc.w.vv.m v%u, v%u, v%u\n", 16 * d, 16 * s, 16 * t);
        op->reads |= 1U << (V + s) | 1U << (V + t);
        break;
    default:
        snprintf(op->text, LINE, " vadd.w.vv v%u, v%u, v%u\n", 16 * d, 16 * s, 16 * t);
        op->reads = 1U << (V + s) | 1U << (V + t);
        break;
    }
}

/* The bound does not include that the second line of code arrives 2 cycles after the first, and
 * that a scalar access may precede an earlier vector access: a few cycles of 15 to 70. */
static void best_order_is_not_below(void **unused)
{
    (void)unused;
    static const char *const fast[] = {"memory_latency=1", NULL};
    struct orders_sum sum = {.programs = 0};
    const size_t programs = often(SMALL);
    for (size_t p = 0; p < programs; p++) {
        struct orders o = {.subject = {.machine = &machine_kelvin, .sets = p % 2 ? fast : NULL},
                           .before = "_start: la s0, b\n la s1, b+32\n li a7, 7 << 7\n.data\n"
                                     ".balign 32\nb: .zero 64\n.text\n",
                           .after = " mpause\n",
                           .count = 2 + pick(ORDERS_MOST - 1)};
        for (unsigned k = 0; k < o.count; k++)
            if (pick(3))
                make_vector(&o.ops[k]);
            else
                make_scalar(&o.ops[k]);
        orders_try(&o, &sum);
    }
    orders_say(&sum);
    assert_true(100 * sum.gap <= 15 * (double)programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_total),
                                       cmocka_unit_test(streams_are_bound_by_their_units),
                                       cmocka_unit_test(both_units_wait_for_what_locks_them),
                                       cmocka_unit_test(cold_lines_are_part_of_any_order),
                                       cmocka_unit_test(best_order_is_not_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
