/*
 * Properties of the timing model over random legal programs: the accounts add up, slices never
 * overlap, the interlock finds nothing to wait for, values change no cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/gen_program.h"
#include "tests/mncore2/timing_kit.h"

static const char *const packings[] = {"none", "auto", "flat", NULL};

static char *program(uint64_t seed, unsigned features, unsigned statements)
{
    const struct gen_options options = {.features = features,
                                        .statements = statements,
                                        .tightness = (unsigned)(seed % 101),
                                        .sets = 2,
                                        .gets = 1};
    char *text = gen_program(seed, &options, NULL);
    assert_non_null(text);
    return text;
}

static void run(struct kit *kit, uint64_t seed, const char *text)
{
    if (kit_run(kit, text) != 0)
        fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, kit->error, text);
    kit_consistent(kit);
}

/* Everything but indirect DRAM, which needs values. */
enum { TIMED = GEN_ALL & ~GEN_DAR };

static void accounts_add_up(void **unused)
{
    (void)unused;
    for (uint64_t seed = 0; seed < 400; seed++) {
        const unsigned features = seed % 2 ? TIMED : TIMED & ~GEN_FLAT;
        char *text = program(seed, features, 60);
        const char *packing = packings[seed % 4];
        if (seed % 2 && seed % 4 == 1)
            packing = "none"; /* flat operands cannot be packed as auto */
        struct kit sliced = {.options = {.packing = packing}, .detail = true};
        struct kit plain = {.options = {.packing = packing}, .budget = 7};
        run(&sliced, seed, text);
        run(&plain, seed, text);
        assert_int_equal(sliced.summary.cycles, plain.summary.cycles);
        assert_int_equal(sliced.edge_count, plain.edge_count);
        kit_free(&sliced);
        kit_free(&plain);
        free(text);
    }
}

/* A legal program needs no interlock: not one cycle is waited for a hazard. */
static void interlock_is_idle(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1000; seed < 1200; seed++) {
        char *text = program(seed, TIMED, 60);
        struct kit strict = {.options = {.packing = "none"}, .checked = true};
        struct kit locked = {.options = {.packing = "none", .interlock = true}};
        run(&strict, seed, text);
        run(&locked, seed, text);
        assert_int_equal(strict.summary.cycles, locked.summary.cycles);
        assert_int_equal(kit_cycles(&locked, "issue", REASON_DATA), 0);
        assert_int_equal(kit_cycles(&locked, "issue", REASON_PORT), 0);
        kit_free(&strict);
        kit_free(&locked);
        free(text);
    }
}

/* Time does not depend on data; with values only the DAR matters. */
static void values_change_no_cycle(void **unused)
{
    (void)unused;
    for (uint64_t seed = 2000; seed < 2030; seed++) {
        char *text = program(seed, TIMED, 40);
        struct kit timed = {.options = {.packing = "none"}};
        struct kit coupled = {.options = {.packing = "none"}, .values = true};
        run(&timed, seed, text);
        run(&coupled, seed, text);
        assert_int_equal(timed.summary.cycles, coupled.summary.cycles);
        assert_int_equal(timed.summary.cycles_documented, coupled.summary.cycles_documented);
        kit_free(&timed);
        kit_free(&coupled);
        free(text);
    }
    for (uint64_t seed = 3000; seed < 3030; seed++) {
        char *text = program(seed, GEN_MV | GEN_DAR | GEN_L2BM, 40);
        struct kit coupled = {.options = {.packing = "none"}, .values = true, .detail = true};
        run(&coupled, seed, text);
        kit_free(&coupled);
        free(text);
    }
}

/* The rows of two runs are the same, in whatever order; they are compared as 64-bit words. */
static size_t row_words;

static int by_words(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    for (size_t i = 0; i < row_words; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static void same_rows(uint64_t *a, uint64_t *b, size_t count, size_t words, const char *what)
{
    row_words = words;
    qsort(a, count, words * sizeof *a, by_words);
    qsort(b, count, words * sizeof *b, by_words);
    for (size_t i = 0; i < count; i++)
        if (by_words(a + i * words, b + i * words) != 0)
            fail_msg("row %zu of %s differs", i, what);
    free(a);
    free(b);
}

static uint64_t *edge_rows(const struct kit *kit)
{
    enum { WORDS = 8 };
    uint64_t *rows = malloc((kit->edge_count + 1) * WORDS * sizeof *rows);
    for (size_t i = 0; i < kit->edge_count; i++) {
        const struct sink_edge *e = &kit->edges[i];
        const uint64_t row[WORDS] = {e->src,      e->dst, e->kind,   e->unit,
                                     e->released, e->at,  e->waited, e->times};
        memcpy(rows + i * WORDS, row, sizeof row);
    }
    return rows;
}

static uint64_t *transfer_rows(const struct kit *kit)
{
    enum { WORDS = 8 };
    uint64_t *rows = malloc((kit->transfer_count + 1) * WORDS * sizeof *rows);
    for (size_t i = 0; i < kit->transfer_count; i++) {
        const struct sink_transfer *t = &kit->transfers[i];
        const uint64_t row[WORDS] = {t->stmt,     t->tag,    t->issued,    t->started,
                                     t->finished, t->waited, t->waited_by, t->limited_by};
        memcpy(rows + i * WORDS, row, sizeof row);
    }
    return rows;
}

static uint64_t *interval_rows(const struct kit *kit)
{
    enum { WORDS = 5 };
    uint64_t *rows = malloc((kit->interval_count + 1) * WORDS * sizeof *rows);
    for (size_t i = 0; i < kit->interval_count; i++) {
        const struct sink_interval *v = &kit->intervals[i];
        const uint64_t row[WORDS] = {v->unit, v->start, v->duration, v->reason, v->stmt};
        memcpy(rows + i * WORDS, row, sizeof row);
    }
    return rows;
}

static void same_totals(const struct kit *a, const struct kit *b)
{
    assert_int_equal(a->stmt_total_count, b->stmt_total_count);
    for (size_t i = 0; i < a->stmt_total_count; i++) {
        assert_int_equal(a->stmt_totals[i].stmt, b->stmt_totals[i].stmt);
        assert_int_equal(a->stmt_totals[i].unit, b->stmt_totals[i].unit);
        assert_int_equal(a->stmt_totals[i].cycles, b->stmt_totals[i].cycles);
        assert_int_equal(a->stmt_totals[i].bytes, b->stmt_totals[i].bytes);
    }
}

static void same_summary(const struct sink_summary *a, const struct sink_summary *b)
{
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->cycles_documented, b->cycles_documented);
    assert_int_equal(a->events, b->events);
    assert_true(a->events > 0);
    assert_int_equal(a->window, b->window);
    assert_int_equal(a->unit_total_count, b->unit_total_count);
    for (size_t i = 0; i < a->unit_total_count; i++) {
        assert_int_equal(a->unit_totals[i].unit, b->unit_totals[i].unit);
        assert_int_equal(a->unit_totals[i].reason, b->unit_totals[i].reason);
        assert_int_equal(a->unit_totals[i].cycles, b->unit_totals[i].cycles);
        assert_int_equal(a->unit_totals[i].events, b->unit_totals[i].events);
    }
    assert_int_equal(a->slack_count, b->slack_count);
    for (size_t i = 0; i < a->slack_count; i++) {
        assert_int_equal(a->slack[i].first_stmt, b->slack[i].first_stmt);
        assert_int_equal(a->slack[i].slack, b->slack[i].slack);
    }
    assert_int_equal(a->window_count, b->window_count);
    for (size_t i = 0; i < a->window_count; i++) {
        assert_int_equal(a->windows[i].unit, b->windows[i].unit);
        assert_int_equal(a->windows[i].index, b->windows[i].index);
        assert_int_equal(a->windows[i].busy, b->windows[i].busy);
    }
    assert_int_equal(a->crit_count, b->crit_count);
    for (size_t i = 0; i < a->crit_count; i++) {
        assert_int_equal(a->crit[i].start, b->crit[i].start);
        assert_int_equal(a->crit[i].unit, b->crit[i].unit);
        assert_int_equal(a->crit[i].first_stmt, b->crit[i].first_stmt);
        assert_int_equal(a->crit[i].reason, b->crit[i].reason);
    }
}

/* Whether processes run ahead, and in which slices the run advances, changes nothing. */
static void run_ahead_is_the_same(void **unused)
{
    (void)unused;
    for (uint64_t seed = 5000; seed < 5300; seed++) {
        char *text = program(seed, TIMED & ~GEN_FLAT, 60);
        const struct kit_options options = {.packing = packings[seed % 4],
                                            .interlock = seed % 3 == 0};
        struct kit ahead = {.options = options, .detail = true}, step = ahead;
        step.options.no_run_ahead = true;
        step.budget = 1 + seed % 7;
        run(&ahead, seed, text);
        run(&step, seed, text);
        same_summary(&ahead.summary, &step.summary);
        same_totals(&ahead, &step);
        assert_int_equal(ahead.transfer_count, step.transfer_count);
        assert_int_equal(ahead.edge_count, step.edge_count);
        assert_int_equal(ahead.interval_count, step.interval_count);
        same_rows(transfer_rows(&ahead), transfer_rows(&step), ahead.transfer_count, 8,
                  "transfers");
        same_rows(edge_rows(&ahead), edge_rows(&step), ahead.edge_count, 8, "edges");
        same_rows(interval_rows(&ahead), interval_rows(&step), ahead.interval_count, 5,
                  "intervals");
        kit_free(&ahead);
        kit_free(&step);
        free(text);
    }
}

/* Pairs that use the same ports for other numbers of words, or as often for other numbers of
 * operations. */
static void alike_is_not_the_same(void **unused)
{
    (void)unused;
    static const char text[] = "mvb4/n64 $d0 $lc0\n"
                               "mvb/n64 $d64 $lc64\n"
                               "mvb4/n64 $d128 $lc128\n"
                               "mvb4/n128 $d192 $lc192\n"
                               "mvb/n64 $p0@1 $lc320\n"
                               "mvd/n64 $p512@1 $lc384\n"
                               "mvb/n64 $p64@1 $lc448\n"
                               "mvp/n64 $p128@1 $d512@1\n"
                               "mvp/n64 $d576@1 $p192@1\n";
    struct kit kit = {.options = {.packing = "none"}};
    run(&kit, 0, text);
    /* 3.5.8.16, .20: a DRAM gives 32 and 16 long words of each operation. */
    static const uint64_t bytes[] = {32 * 8, 16 * 8, 32 * 8, 2 * 32 * 8};
    for (uint32_t stmt = 0; stmt < 4; stmt++) {
        size_t found = 0;
        for (size_t i = 0; i < kit.stmt_total_count; i++) {
            const struct sink_stmt_total *line = &kit.stmt_totals[i];
            if (line->stmt == stmt && line->unit == kit_unit(&kit, "dram0")) {
                assert_int_equal(line->bytes, bytes[stmt]);
                found++;
            }
        }
        assert_int_equal(found, 1);
    }
    kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_add_up),        cmocka_unit_test(interlock_is_idle),
        cmocka_unit_test(values_change_no_cycle), cmocka_unit_test(run_ahead_is_the_same),
        cmocka_unit_test(alike_is_not_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
