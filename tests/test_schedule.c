/*
 * schedule and advise: small programs whose best order was worked out by hand; and the examples
 * written naively, which must come back at least as good as they were written by hand. What is
 * found is held to what it says by tests/improved.h; for random programs in the suites of the
 * machines.
 *
 * TAKT_UPDATE_DOCS=1 writes the table of the examples into docs/schedules.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tests/improved.h"
#include "tests/often.h"
#include "tests/naive.h"
#include "tests/takt_process.h"
#include "timing/machines.h"

/* --- by hand ---------------------------------------------------------------------------------- */

struct known {
    const char *why, *text;
    uint64_t cycles;
    bool optimal;
};

/* Without packing: 4 cycles a step. A GRF can be read two steps after it was written, LM three; the
 * last write has landed 6 cycles after its step (3.6.3.9). */
static const struct known known[] = {
    {"two chains of three steps of the ALU, each step two behind the one before: 5 steps for one, "
     "and the other goes one step behind it",
     "lpassa $lm0v $lr0v\nnop\nladd $lr0v $lr0v $lr8v\nnop\nladd $lr8v $lr8v $ls0v\n"
     "lpassa $lm8v $lr16v\nnop\nladd $lr16v $lr16v $lr24v\nnop\nladd $lr24v $lr24v $ls8v\n",
     24 + 6, true},
    {"ALU and MAU in one step each",
     "lpassa $lm0v $lr0v\nlpassa $lm0v $lr8v\ndvpassa $ln0v $ls0v\ndvpassa $ln0v $ls8v\n", 8 + 6,
     true},
    {"the register forwards: nothing may come between, but beside it",
     "lpassa $lm0v $nowrite\nladd $aluf $lr0v $lr8v\ndvpassa $ln0v $ls0v\ndvpassa $ln0v $ls8v\n",
     8 + 6, true},
    {"a chain by forwarding needs its step; what is not wanted there can stand noforward",
     "lpassa $lm0v $nowrite\nladd $aluf $lr0v $lr8v\nnop\nladd $lr8v $lr8v $lr16v\n", 16 + 6, true},
    {"an LM turns in two empty steps, a GRF's value needs one, and the ALU takes one a step: of four "
     "steps the last would be the reader of LM, and the reader of GRF stand there too",
     "lpassa $lr0v $lm0v\nnop/2\nlpassa $lm0v $ls0v\nlpassa $lr8v $lr16v\nnop\nlpassa $lr16v $ls8v\n",
     20 + 6, true},
    {"nops that nothing asks for", "lpassa $lm0v $lr0v\nnop/24\nlpassa $lm0v $lr8v\n", 8 + 6, true},
    {"one swaps what the other reads: they stay in one step",
     "lpassa $lr0v $ls0v; dvpassa $ls0v $lr0v\nnop/5\nlpassa $lr0v $lr8v\n", 12 + 6, true},
};

static void hand_derived(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct schedule s;
        assert_true(improved_schedule(&machine_mncore2, known[i].text, "none", &s));
        if (s.after != known[i].cycles || s.optimal != known[i].optimal)
            fail_msg("%s: %llu cycles, optimal %d\n%s", known[i].why, (unsigned long long)s.after,
                     s.optimal, s.text ? s.text : "kept");
        schedule_free(&s);
    }
}

/* Two statements that write the same words of L1BM are one step apart (3.6.4), whichever they
 * are: no rule of 3.6.3 requires more. With a third beside one of them that is two steps, and 6
 * cycles until the last has landed; l2bmi lands 10 after its own. */
static void writers_of_l1bm(void **state)
{
    (void)state;
    static const char *const first[] = {"l2bmd $lc0 $lb0",      "l2bmb $lc0 $lb0",
                                        "l2bmb2 $lc0 $lb0",     "l2bmi@0/0 $lb64 $lb0",
                                        "l1bmd $lr0v $lb0",     "l1bmm@3 $lr0v $lb0",
                                        "l1bmrffadd $lr0v $lb0"},
                             *const second[] = {"l2bmd $lc512 $lb0",  "l2bmb $lc512 $lb0",
                                                "l2bmb2 $lc512 $lb0", "l1bmd $lr8v $lb0",
                                                "l1bmm@3 $lr8v $lb0", "l1bmrffadd $lr8v $lb0"};
    enum { FIRST = sizeof first / sizeof *first, SECOND = sizeof second / sizeof *second };
    for (size_t i = 0; i < FIRST * SECOND; i += often_long() ? 1 : 5) {
        char text[128];
        struct schedule s;
        snprintf(text, sizeof text, "lpassa $lm0v $ls0v\n%s\n%s\n", first[i / SECOND],
                 second[i % SECOND]);
        assert_true(improved_schedule(&machine_mncore2, text, "none", &s));
        if (s.after != 8 + 6 || s.bound > s.after)
            fail_msg("%llu cycles, bound %llu\n%s", (unsigned long long)s.after,
                     (unsigned long long)s.bound, text);
        schedule_free(&s);
    }
}

/* --- transfers -------------------------------------------------------------------------------- */

/* In another order transfers take another time, by which the next order is chosen. As written they
 * take 84 cycles; with the lengths that they have there the best order takes 76; with those that
 * they have in it, 72: the waits change places. */
static void lengths_are_learnt(void **state)
{
    (void)state;
    static const char text[] = "mvr4liadd/n128i01p1 $lc0 $d1536\nmvp/n256i02 $lc512@.1 $d3584\n"
                               "mvp/n64p3 $lc0@.0 $d2560\nnop; wait i01\nnop; wait i02\n";
    struct schedule s;
    assert_true(improved_schedule(&machine_mncore2, text, NULL, &s));
    assert_int_equal(s.after, 72);
    assert_true(s.optimal);
    schedule_free(&s);
}

/* --- what is not for the machine -------------------------------------------------------------- */

/* Comments, directives and regions: in this order, once each. */
static void keeps_in_order(const struct machine *machine, const char *text,
                           const char *const *pieces)
{
    struct schedule s;
    assert_true(improved_schedule(machine, text, NULL, &s));
    assert_false(s.kept);
    const char *at = s.text;
    for (; *pieces; pieces++) {
        const char *found = strstr(at, *pieces);
        if (!found || strstr(found + 1, *pieces))
            fail_msg("'%s' is not there once, or not in its place:\n%s", *pieces, s.text);
        at = found;
    }
    schedule_free(&s);
}

static void comments_and_regions(void **state)
{
    (void)state;
    static const char steps[] =
        "# a program\n# takt: begin load\n# fetch\nmvb2/n64i01 $d0 $lc0  # x\n"
        "mvb2/n64i02 $d1024 $lc1024\n# takt: end\n# takt: expect cycles <= 1\n"
        "nop; wait i01\n# takt: begin product\nlpassa $lm0v $lr0v # copy\nnop\n"
        "ladd $lr0v $lr0v $lr8v\ndvpassa $ln0v $ls8v # beside\nnop/8\n"
        "# last\nladd $lr8v $lr8v $ls0v\n# takt: end\nlpassa $lm8v $lr32v\n"
        "nop; wait i02 # done\n# bye\n";
    static const char *const in_steps[] = {
        "# a program\n",
        "# takt: begin load\n",
        "# fetch\n",
        "# 4: x\n",
        "lc1024  # 5\n",
        "# takt: end\n# takt: expect cycles <= 1\n",
        "wait i01",
        "# takt: begin product\n",
        "lpassa $lm0v $lr0v; dvpassa $ln0v $ls8v  # 10: copy 13: beside\n",
        "# last\n",
        "ladd $lr8v",
        "# takt: end\nlpassa $lm8v",
        "19: done\n",
        "# bye\n",
        NULL};
    keeps_in_order(&machine_mncore2, steps, in_steps);
    /* Two products that wait for themselves, and one that would fit in between but for a region. */
    static const char threads[] = "matfp f64 x=0 y=0 z=0 # first\nmatfp f64 x=0 y=0 z=0\n"
                                  "matfp f64 x=0 y=0 z=1\n# takt: begin other\n"
                                  "matfp f64 x=0 y=0 z=2\n# takt: end\n";
    static const char *const in_threads[] = {"z=1\n", "y=0 z=0\n# takt: begin other\n",
                                             "z=2\n# takt: end\n", NULL};
    keeps_in_order(&machine_amx, threads, in_threads);
}

/* --- the examples, written naively ------------------------------------------------------------ */

struct example {
    const struct machine *machine;
    const char *path;
    uint64_t naive, scheduled, written, bound;
    bool optimal, large;
};

static struct example examples[] = {
    {&machine_mncore2, "examples/mncore2/fma.vsm", 0, 0, 0, 0, false, true},
    {&machine_mncore2, "examples/mncore2/matmul.vsm", 0, 0, 0, 0, false, false},
    {&machine_mncore2, "examples/mncore2/reduce.vsm", 0, 0, 0, 0, false, false},
    {&machine_amx, "examples/amx/accumulators.amx", 0, 0, 0, 0, false, true},
    {&machine_amx, "examples/amx/block.amx", 0, 0, 0, 0, false, true},
    {&machine_amx, "examples/amx/matmul.amx", 0, 0, 0, 0, false, false},
    {&machine_amx, "examples/amx/threads.amx", 0, 0, 0, 0, false, true},
};

/* The large examples take seconds: make test-long has them, and whoever writes the table. */
static bool long_campaign(void)
{
    return often_long() || getenv("TAKT_UPDATE_DOCS");
}

static void examples_come_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct example *e = &examples[i];
        if (e->large && !long_campaign())
            continue;
        const bool steps = e->machine == &machine_mncore2;
        char *text = takt_read_file(e->path, NULL);
        char *naive = steps ? naive_steps(e->machine, text) : naive_loads(e->machine, text);
        struct schedule s;
        struct outcome written = improved_run(e->machine, text, NULL),
                       of_naive = improved_run(e->machine, naive, NULL);
        improved_equal(&written, &of_naive, naive);
        assert_true(improved_schedule(e->machine, naive, NULL, &s));
        e->written = written.cycles;
        e->naive = of_naive.cycles;
        e->scheduled = s.after;
        e->optimal = s.optimal;
        e->bound = s.bound;
        assert_true(e->scheduled <= e->written);
        improved_free(&written);
        improved_free(&of_naive);
        schedule_free(&s);
        free(naive);
        free(text);
    }
}

/* The page shows the figures of this run. */
static void table_of_examples(void **state)
{
    (void)state;
    if (!long_campaign())
        return;
    static const char *const begin = "| program | naive | scheduled | by hand | any order needs |\n"
                                     "|---|---|---|---|---|\n";
    const char *path = "docs/schedules.md";
    char *table = NULL, *page = takt_read_file(path, NULL);
    size_t size = 0;
    FILE *out = open_memstream(&table, &size);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        fprintf(out, "| `%s` | %llu | %llu%s | %llu | %llu |\n", examples[i].path,
                (unsigned long long)examples[i].naive, (unsigned long long)examples[i].scheduled,
                examples[i].optimal ? ", optimal" : "", (unsigned long long)examples[i].written,
                (unsigned long long)examples[i].bound);
    fclose(out);
    assert_non_null(page);
    char *from = strstr(page, begin);
    assert_non_null(from);
    from += strlen(begin);
    const char *behind = from;
    while (*behind == '|')
        behind += strcspn(behind, "\n") + 1;
    if (getenv("TAKT_UPDATE_DOCS")) {
        FILE *file = fopen(path, "w");
        fprintf(file, "%.*s%s%s", (int)(from - page), page, table, behind);
        fclose(file);
    } else if (strncmp(from, table, size) != 0) {
        fail_msg("%s is not what is found: TAKT_UPDATE_DOCS=1 build/tests/test_schedule\n%s", path,
                 table);
    }
    free(table);
    free(page);
}

/* --- advice ----------------------------------------------------------------------------------- */

static void advice_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t items;
    } programs[] = {
        {"lpassa $lm0v $lr0v\nnop/24\nlpassa $lm0v $lr8v\n", 1},
        /* 3 empty steps are due in front of a read of LM; a nop of 8 has 6 that go */
        {"lpassa $lr0v $lm0v\nnop/8\nlpassa $lm0v $ls0v\n", 1},
        {"lpassa $lm0v $lr0v\ndvpassa $ln0v $ls0v # beside\n", 1},
        {"lpassa $lm0v $lr0v\nladd $lr8v $lr8v $lr16v\n", 0}, /* one ALU */
        /* A transfer in flight: what stands behind it is no shorter by its nops alone. */
        {"mvp/n64i01 $d0 $lc0\nnop/2\nlpassa $lm0v $lr0v\nnop; wait i01\nl2bmb $lc0 $lb0\n", 1},
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i += long_campaign() ? 1 : 2) {
        const size_t items =
            improved_advice(&machine_mncore2, programs[i].text, "none", long_campaign());
        if ((items > 0) != (programs[i].items > 0))
            fail_msg("%zu items\n%s", items, programs[i].text);
    }
    /* Three steps a unit, and the transfer goes behind one: one line has three to spare, and no
     * other line has, but two have together. */
    assert_int_equal(improved_advice(&machine_mncore2,
                                     "lpassa $lm0v $lr0v\nnop/2\nl1bmd $lr0v $lb0\nnop/4\n"
                                     "l2bmd $lb0 $lc0\nnop/3\nmvp/n64 $lc0@.0 $d0\n",
                                     "auto", false),
                     2);
    char *text = takt_read_file("examples/amx/matmul.amx", NULL);
    char *naive = naive_loads(&machine_amx, text);
    improved_advice(&machine_amx, naive, NULL, true);
    free(naive);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_derived),       cmocka_unit_test(writers_of_l1bm),
        cmocka_unit_test(lengths_are_learnt), cmocka_unit_test(comments_and_regions),
        cmocka_unit_test(examples_come_back), cmocka_unit_test(table_of_examples),
        cmocka_unit_test(advice_by_hand)};
    return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
