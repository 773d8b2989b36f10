/*
 * schedule: Kelvin programs in other orders: random ones keep their values in every order that
 * keeps what depends on what, as texts and as ELF files, and a schedule is never longer; small ones
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
#include "tests/kelvin/random_text.h"
#include "tests/often.h"
#include "tests/shuffled.h"
#include "timing/machines.h"

enum { PROGRAMS = 120, MEMORIES = 160, ELVES = 40, ORDERS = 3, SCHEDULES = 8 };

static struct dice dice = {31};

/* --- random programs -------------------------------------------------------------------------- */

static size_t shuffle(const char *name, const char *text, size_t size, bool cycles)
{
    char error[MACHINE_ERROR] = "";
    const struct shuffled program = {&machine_kelvin, name, text, size};
    const size_t moved = shuffled_check(&program, ORDERS, &dice, error);
    if (moved == SIZE_MAX && (strstr(error, "cycle counter") != NULL) != cycles)
        fail_msg("%s\n%.*s", error, (int)size, text);
    assert_true(moved == SIZE_MAX || !cycles);
    return moved == SIZE_MAX ? 0 : moved;
}

static void every_order_keeps_values(void **unused)
{
    (void)unused;
    size_t moved = 0;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        static struct text text;
        random_text(&text, dice_next(&dice));
        moved += shuffle("k.kelvin", text.bytes, text.used, strstr(text.bytes, "mcycle"));
    }
    assert_true(moved > 20 * often(PROGRAMS));
}

/* Loads and stores by pointers into 256 bytes, of which the scheduler knows some distances. */
static void add_access(struct text *text)
{
    static const char *const scalars[] = {"lw", "sw", "sh", "lb"};
    static const char *const vectors[] = {"vld.w.x",   "vst.w.x",    "vld.w.p.x",
                                          "vst.w.p.x", "vst.w.l.xx", "vld.b.l.xx"};
    static const char *const pointers[] = {"s0", "s1", "s3", "s4"};
    const char *pointer = pointers[dice_below(&dice, 4)];
    const unsigned reg = (unsigned)dice_below(&dice, 6), which = (unsigned)dice_below(&dice, 6);
    switch (dice_below(&dice, 8)) {
    case 0:
        text_add(text, " addi %s, %s, %u\n", pointer, pointer, reg);
        return;
    case 1:
    case 2:
    case 3:
        text_add(text, " %s v%u, %s%s\n", vectors[which], reg, pointer, which > 3 ? ", a6" : "");
        return;
    default:
        text_add(text, " %s a%u, %u(%s)\n", scalars[which % 4], reg,
                 2 * (unsigned)dice_below(&dice, 40), pointer);
    }
}

static void memory_text(struct text *text)
{
    text->used = 0;
    text_add(text,
             "_start: la s0, b\n la s1, b\n lw t0, 256(s0)\n add s3, s0, t0\n li a6, %u\n"
             " addi s4, s3, %u\n",
             (unsigned)dice_below(&dice, 9), 4 * (unsigned)dice_below(&dice, 17));
    for (unsigned n = 0; n < 16; n++)
        add_access(text);
    text_add(text, " mpause\n.data\n.balign 32\nb: .zero 256\n .word %u\n .zero 1024\n",
             2 * (unsigned)dice_below(&dice, 40));
}

static void accesses_that_meet_keep_their_order(void **unused)
{
    (void)unused;
    size_t moved = 0;
    for (size_t p = 0; p < often(MEMORIES); p++) {
        static struct text text;
        memory_text(&text);
        moved += shuffle("k.kelvin", text.bytes, text.used, false);
    }
    assert_true(moved > 10 * often(MEMORIES));
}

/* Without symbols: where control can arrive follows from the code alone. */
static void elf_files_keep_values(void **unused)
{
    (void)unused;
    size_t moved = 0;
    for (size_t p = 0; p < often(ELVES); p++) {
        static struct text text;
        size_t size;
        random_text(&text, dice_next(&dice));
        const bool cycles = strstr(text.bytes, "mcycle"), calls = strstr(text.bytes, "call");
        char *elf = shuffled_elf(&machine_kelvin, text.bytes, &size);
        const size_t more = calls && !cycles ? 0 : shuffle("k.elf", elf, size, cycles);
        moved += more;
        free(elf);
    }
    assert_true(moved > 0);
}

static void schedules_are_not_longer(void **unused)
{
    (void)unused;
    size_t shorter = 0;
    for (size_t p = 0; p < often(SCHEDULES); p++) {
        static struct text text;
        struct schedule s;
        do
            random_text(&text, dice_next(&dice));
        while (strstr(text.bytes, "mcycle"));
        if (!improved_schedule(&machine_kelvin, text.bytes, NULL, &s))
            continue;
        shorter += s.after < s.before;
        schedule_free(&s);
    }
    assert_true(shorter > 0);
}

/* --- orders that are known -------------------------------------------------------------------- */

#define START  "_start: la s0, b\n lw t6, 0(s0)\n fence\n"
#define BUFFER " fence\n mpause\n.data\n.balign 32\nb: .word 5, 6, 7, 8\n .zero 48\n"

/* The line of the buffer is in the cache after the fence. A product is there mul_latency = 2 cycles
 * after its dispatch and a sum 1 (config/kelvin/kelvin.yaml). Each of three chains is a product and
 * a sum that waits for it. In this order they follow each other: products in cycles 0, 2, 4, and
 * the last sum in 6. The one multiplier takes a product a cycle: 0, 1, 2, the last sum in 4: two
 * cycles less, and no order takes fewer. */
static void products_overlap(void **unused)
{
    (void)unused;
    static const char text[] = START " mul a0, t6, t6\n add a1, a0, t6\n mul a2, a1, a1\n"
                                     " mul a3, t6, t6\n add a4, a3, a3\n mul a5, t6, t6\n"
                                     " add a6, a5, a5\n" BUFFER;
    struct schedule s;
    assert_true(improved_schedule(&machine_kelvin, text, NULL, &s));
    assert_true(s.after + 2 <= s.before);
    schedule_free(&s);
}

/* What is loaded can be used load_latency = 2 cycles later: as written the second sum waits for
 * its own load, which dispatches after the first sum: load 0, sum 2, load 2, sum 4. With the loads
 * first: 0, 1, sums 2, 3. One cycle less. */
static void a_load_moves_away_from_its_use(void **unused)
{
    (void)unused;
    static const char text[] = START " lw a0, 0(s0)\n add a2, a0, a0\n lw a1, 4(s0)\n"
                                     " add a3, a1, a1\n" BUFFER;
    struct schedule s;
    assert_true(improved_schedule(&machine_kelvin, text, NULL, &s));
    assert_int_equal(s.after, s.before - 1);
    assert_true(strstr(s.text, "lw a0, 0(s0)\n lw a1, 4(s0)\n") ||
                strstr(s.text, "lw a1, 4(s0)\n lw a0, 0(s0)\n"));
    schedule_free(&s);
}

/* --- which accesses may change their order ---------------------------------------------------- */

/* Whether the second of two lines can come before the first one in some order. */
static bool may_swap(const char *first, const char *second)
{
    char text[600];
    const int size = snprintf(text, sizeof text,
                              "_start: la s0, b\n la s1, b\n nop\n%s\n%s\n"
                              " mpause\n.data\n.balign 32\nb: .zero 4096\n",
                              first, second);
    return shuffled_may_swap(
        &(const struct shuffled){&machine_kelvin, "k.kelvin", text, (size_t)size});
}

static void accesses_keep_their_order_unless_they_cannot_meet(void **unused)
{
    (void)unused;
    static const struct {
        const char *first, *second;
        bool swap;
    } rows[] = {
        {" lw a0, 0(s0)", " lw a1, 0(s0)", true},        /* loads */
        {" sw a0, 0(s0)", " lw a1, 0(s0)", false},       /* the same word */
        {" sw a0, 0(s0)", " lw a1, 4(s0)", true},        /* the next word */
        {" sw a0, 0(s0)", " lh a1, 2(s0)", false},       /* half of it */
        {" sb a0, 1(s0)", " lb a1, 2(s0)", true},        /* the next byte */
        {" lw a1, 0(s0)", " sw a0, 0(s0)", false},       /* a store after a load */
        {" sw a0, 0(s0)", " sw a1, 0(s0)", false},       /* two stores */
        {" sw a0, 0(s0)", " sw a1, 64(s0)", true},       /* apart */
        {" sw a0, 0(s0)", " lw a1, 64(a5)", false},      /* an unknown address */
        {" sw a0, 0(s0)", " lw a1, 64(s1)", true},       /* a known one by another register */
        {" sw a0, 0(s0)", " lw a1, 0(s1)", false},       /* the same address by it */
        {" vst.w.x v0, s0", " lw a1, 28(s0)", false},    /* 32 bytes */
        {" vst.w.x v0, s0", " lw a1, 32(s0)", true},     /* after them */
        {" vst.w.x.m v0, s0", " lw a1, 124(s0)", false}, /* 128 bytes */
        {" vst.w.x.m v0, s0", " lw a1, 128(s0)", true},
        {" vst.w.l.xx v0, s0, a5", " lw a1, 28(s0)", false}, /* as many as it can be */
        {" vst.w.l.xx v0, s0, a5", " lw a1, 32(s0)", true},
        {" vst.w.s.xx v0, s0, a5", " lw a1, 2000(s0)", true},    /* one row */
        {" vst.w.s.xx.m v0, s0, a5", " lw a1, 2000(s0)", false}, /* rows at an unknown stride */
        {" vadd.w.vv v0, v1, v2", " vadd.w.vv v3, v4, v5", true},
        {" vadd.w.vv v0, v1, v2", " vadd.w.vv v3, v0, v5", false},     /* RAW */
        {" vadd.w.vv v0, v1, v2", " vadd.w.vv v1, v4, v5", false},     /* WAR */
        {" vadd.w.vv v0, v1, v2", " vadd.w.vv v0, v4, v5", false},     /* WAW */
        {" vadd.w.vv.m v0, v4, v8", " vadd.w.vv v20, v3, v21", false}, /* of its four */
        {" vcget v48", " actr.v v48, v0", false},                      /* the accumulators */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (may_swap(rows[i].first, rows[i].second) != rows[i].swap)
            fail_msg("%s;%s", rows[i].first, rows[i].second);
}

/* --- what stays ------------------------------------------------------------------------------- */

static void refused(const char *text, const char *why)
{
    char error[MACHINE_ERROR] = "";
    const struct shuffled program = {&machine_kelvin, "k.kelvin", text, strlen(text)};
    const size_t moved = shuffled_check(&program, 1, &dice, error);
    if (moved != SIZE_MAX || !strstr(error, why))
        fail_msg("%s\n%s", error, text);
}

static void some_programs_are_refused(void **unused)
{
    (void)unused;
    refused("_start: csrr a0, mcycle\n li a1, 1\n li a2, 2\n mpause\n", "cycle counter");
    refused("_start: fence\n fence\n mpause\n", "no block of it");
    /* It jumps to an unknown place, and there are no functions. */
    refused("a: la t3, b\n li a1, 1\n jr t3\nb: li a2, 2\n li a3, 3\n mpause\n", "no block of it");
    /* Several instructions in a line stay. */
    refused("_start: li a0, 1; li a1, 2; li a2, 3\n mpause\n", "no block of it");
    /* Labels, values that are printed and regions divide. */
    refused("_start: li a0, 1\na: li a1, 2\n b: li a2, 3\n# takt: get x10\n li a3, 4\n"
            "# takt: begin r\n li a4, 5\n# takt: end\n mpause\n",
            "no block of it");
    /* Words that are read as data stay, and a jump is last in its block. */
    refused("_start: la a0, c\n fence\n lw a1, 0(a0)\n fence\nc: li a2, 3\n li a3, 4\n"
            " lw a1, 4(a0)\n mpause\n",
            "no block of it");
    refused("_start: li a2, 3\n jal a3, d\nd: mpause\n", "no block of it");
}

/* Comments move with their instructions, everything else of the text stays. */
static void the_rest_of_the_text_stays(void **unused)
{
    (void)unused;
    static const char text[] = "# first\n_start: la s0, b # the buffer\n lw t6, 0(s0)\n fence\n"
                               "\tlw a0, 0(s0) # one\n# about nothing\n\n  add a2, a0, a0 // two\n"
                               " lw a1, 4(s0) /* three */\n add a3, a1, a1\n" BUFFER;
    struct schedule s;
    assert_true(improved_schedule(&machine_kelvin, text, NULL, &s));
    assert_int_equal(s.kept, false);
    char *moved = strstr(s.text, "lw a1, 4(s0)");
    assert_non_null(strstr(s.text, "# first\n_start: la s0, b # the buffer\n"));
    assert_non_null(strstr(s.text, "lw a0, 0(s0) # one\n"));
    assert_non_null(strstr(s.text, "\n# about nothing\n\n"));
    assert_non_null(strstr(s.text, "add a2, a0, a0 // two\n"));
    assert_true(moved && moved < strstr(s.text, "add a2, a0, a0 // two\n"));
    schedule_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_keeps_values),
        cmocka_unit_test(accesses_that_meet_keep_their_order),
        cmocka_unit_test(elf_files_keep_values),
        cmocka_unit_test(schedules_are_not_longer),
        cmocka_unit_test(products_overlap),
        cmocka_unit_test(a_load_moves_away_from_its_use),
        cmocka_unit_test(accesses_keep_their_order_unless_they_cannot_meet),
        cmocka_unit_test(some_programs_are_refused),
        cmocka_unit_test(the_rest_of_the_text_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
