/*
 * Properties of the timing model over random legal programs: the accounts add up, slices never
 * overlap, the interlock finds nothing to wait for, values change no cycle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

static int by_line(const void *a, const void *b)
{
    const struct sink_stmt_total *x = a, *y = b;
    const uint64_t one[] = {x->stmt, x->unit, x->reason, x->cycles, x->execs, x->ops, x->bytes};
    const uint64_t other[] = {y->stmt, y->unit, y->reason, y->cycles, y->execs, y->ops, y->bytes};
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (one[i] != other[i])
            return one[i] < other[i] ? -1 : 1;
    return 0;
}

static void same_lines(struct kit *a, struct kit *b, uint64_t seed)
{
    const size_t count = a->summary.stmt_total_count;
    if (count != b->summary.stmt_total_count)
        fail_msg("seed %llu: %zu and %zu lines", (unsigned long long)seed, count,
                 b->summary.stmt_total_count);
    struct sink_stmt_total *x = (void *)(uintptr_t)a->summary.stmt_totals,
                           *y = (void *)(uintptr_t)b->summary.stmt_totals;
    qsort(x, count, sizeof *x, by_line);
    qsort(y, count, sizeof *y, by_line);
    for (size_t i = 0; i < count; i++)
        if (by_line(&x[i], &y[i]) != 0)
            fail_msg("seed %llu: statement %u costs %llu of unit %u, or %llu", (unsigned long long)seed,
                     x[i].stmt, (unsigned long long)x[i].cycles, x[i].unit,
                     (unsigned long long)y[i].cycles);
}

/* Costs that are shared are those of each statement, and transfers that are asked for are those that are
 * told, in a whole run and in one that stops in the middle. */
static void shared_is_the_same(void **unused)
{
    (void)unused;
    size_t shared = 0, stopped = 0;
    for (uint64_t seed = 5000; seed < 5300; seed++) {
        char *text = program(seed, TIMED & ~GEN_FLAT, 60);
        const struct run_options options = {.packing = packings[seed % 4],
                                            .interlock = seed % 3 == 0};
        struct kit whole = {.options = options, .stop_after = seed % 2 ? 20 + seed % 37 : 0};
        struct kit shares = whole;
        shares.shares = true;
        run(&whole, seed, text);
        run(&shares, seed, text);
        same_lines(&whole, &shares, seed);
        assert_int_equal(whole.transfer_count, shares.transfer_count);
        assert_int_equal(whole.edge_count, shares.edge_count);
        for (size_t i = 0; i < whole.transfer_count; i++) {
            assert_int_equal(whole.transfers[i].stmt, shares.transfers[i].stmt);
            assert_int_equal(whole.transfers[i].finished, shares.transfers[i].finished);
            assert_int_equal(whole.transfers[i].waited, shares.transfers[i].waited);
        }
        for (size_t i = 0; i < whole.edge_count; i++) {
            assert_int_equal(whole.edges[i].src, shares.edges[i].src);
            assert_int_equal(whole.edges[i].dst, shares.edges[i].dst);
            assert_int_equal(whole.edges[i].waited, shares.edges[i].waited);
        }
        shared += shares.shared_stmts;
        stopped += !shares.summary.complete;
        assert_int_equal(whole.shared_stmts, 0);
        kit_free(&whole);
        kit_free(&shares);
        free(text);
    }
    assert_true(shared > 1000 && stopped > 50);
}

/* Pairs that use the same ports for other numbers of words, or as often for other numbers of operations. */
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
    struct kit whole = {.options = {.packing = "none"}}, shares = whole;
    shares.shares = true;
    run(&whole, 0, text);
    run(&shares, 0, text);
    same_lines(&whole, &shares, 0);
    assert_int_equal(shares.shared_stmts, 9);
    /* 3.5.8.16, .20: a DRAM gives 32 and 16 long words of each operation. */
    static const uint64_t bytes[] = {32 * 8, 16 * 8, 32 * 8, 2 * 32 * 8};
    for (uint32_t stmt = 0; stmt < 4; stmt++) {
        size_t found = 0;
        for (size_t i = 0; i < shares.summary.stmt_total_count; i++) {
            const struct sink_stmt_total *line = &shares.summary.stmt_totals[i];
            if (line->stmt == stmt && line->unit == kit_unit(&shares, "dram0")) {
                assert_int_equal(line->bytes, bytes[stmt]);
                found++;
            }
        }
        assert_int_equal(found, 1);
    }
    kit_free(&whole);
    kit_free(&shares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_add_up),
        cmocka_unit_test(interlock_is_idle),
        cmocka_unit_test(values_change_no_cycle),
        cmocka_unit_test(shared_is_the_same),
        cmocka_unit_test(alike_is_not_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
