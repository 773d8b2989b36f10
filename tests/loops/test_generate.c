/* Generated code: the rule of limits, that each element is visited exactly once, and the claims. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/loops/traverse.h"
#include "tests/often.h"
#include "tests/takt_expect.h"
#include "tests/takt_process.h"

/* A nest over these dimensions; the operands' addresses are numbers of elements, packed. */
static struct loops_nest nest_of(unsigned rank, const uint64_t *size, unsigned divided,
                                 enum loops_over over)
{
    struct loops_nest nest = {.rank = (uint8_t)rank};
    int64_t times = 1;
    for (unsigned i = rank; i-- > 0; times *= (int64_t)size[i]) {
        nest.loops[i].limit = size[i];
        nest.operand[LOOPS_TO].map.times[i] = times;
    }
    nest.loops[divided].over = (uint8_t)over;
    return nest;
}

static struct loops_code code_of(const struct loops_nest *nest, uint32_t tiles, uint32_t processors,
                                 uint32_t math)
{
    const struct loops_program program = {.tiles = tiles, .processors = processors, .math = math};
    struct loops_code code;
    loops_generate(&program, nest, &code);
    return code;
}

/* --- the rule --------------------------------------------------------------------------------- */

/* N <= U: limit N and no outer loop; a multiple: N / U times U; else one more, N mod U in the last.
 * By repeated subtraction. */
static void check_alternate(uint64_t n, uint64_t u)
{
    const struct loops_limits l = loops_limits(LOOPS_ALTERNATE, n, u);
    uint64_t left = n, outer = 0, last = 0;
    while (left) {
        last = left < u ? left : u;
        left -= last;
        outer++;
    }
    assert_true(l.outer == outer && l.first == (n < u ? n : u) && !l.rest && !l.masked);
    assert_true(l.alternate == (outer > 1 && last != u ? last : 0));
    assert_true(l.alternate < l.first);
}

/* The steps of the traversal unit cover 0 .. n-1 without a gap, in order; the limit is the
 * alternate one in the last outer iteration alone. */
static void check_visits(uint64_t n, uint64_t u)
{
    const struct loops_nest nest = nest_of(1, &n, 0, LOOPS_OVER_UNITS);
    const struct loops_code code = code_of(&nest, 1, 1, (uint32_t)u);
    const struct loops_part *part = &code.parts[0];
    struct loops_traversal t;
    loops_traversal_start(&t, &nest, part, part->sequential);
    uint64_t next = 0, steps = 0;
    do {
        const uint64_t lanes = t.limit[part->sequential];
        assert_true((uint64_t)t.address[LOOPS_TO] == next && lanes <= u);
        next += lanes;
        steps++;
        assert_true(lanes == u || next == n);
    } while (loops_traversal_next(&t) != LOOPS_LEVELS);
    assert_true(next == n && steps == part->steps && code.part_count == 1);
    assert_true(t.limit[part->sequential] == part->levels[part->sequential].limit);
}

/* The largest limit that divides n, by trying all of them. */
static void check_uniform(uint64_t n, uint64_t u)
{
    const struct loops_limits l = loops_limits(LOOPS_UNIFORM, n, u);
    uint64_t first = n < u ? n : u;
    while (n % first)
        first--;
    assert_true(l.first == first && l.outer == n / first && !l.alternate && !l.rest);
}

static void limits_follow_the_rule(void **state)
{
    (void)state;
    const bool all = often_long();
    for (uint64_t u = 1; u <= 512; u += all || u < 9 ? 1 : u % 64 == 63 || u % 64 == 0 ? 1 : 21)
        for (uint64_t n = 1; n <= 4096; n += all || n < 600 ? 1 : 7) {
            check_alternate(n, u);
            check_visits(n, u);
            if (n % 5 == u % 5)
                check_uniform(n, u);
        }
}

/* Element by element, with loops around and inside, by every strategy and both places. */
static void every_element_is_visited_once(void **state)
{
    (void)state;
    static const uint64_t sizes[][3] = {{1, 1, 1}, {3, 7, 5}, {5, 4, 9}, {2, 13, 1}, {6, 1, 17}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned variant = 0; variant < 3 * 2 * LOOPS_STRATEGIES * 10; variant++) {
            const unsigned divided = variant % 3, strategy = variant / 6 % LOOPS_STRATEGIES;
            struct loops_nest nest = nest_of(3, sizes[s], divided, LOOPS_OVER_UNITS);
            nest.outermost = variant / 3 % 2;
            nest.strategy = (uint8_t)strategy;
            const struct loops_code code =
                code_of(&nest, 1, 1, 1 + variant / (6 * LOOPS_STRATEGIES));
            unsigned seen[1000] = {0};
            uint64_t count = 0;
            for (unsigned p = 0; p < code.part_count; p++) {
                struct loops_traversal t;
                loops_traversal_start(&t, &nest, &code.parts[p], code.parts[p].count);
                do {
                    seen[t.address[LOOPS_TO]]++;
                    count++;
                } while (loops_traversal_next(&t) != LOOPS_LEVELS);
            }
            assert_int_equal(count, sizes[s][0] * sizes[s][1] * sizes[s][2]);
            for (uint64_t i = 0; i < count; i++)
                assert_int_equal(seen[i], 1);
        }
}

/* --- the table of the design ------------------------------------------------------------------ */

static void the_table_to_the_digit(void **state)
{
    (void)state;
    static const struct {
        unsigned rank;
        uint64_t size[3], units, outer, first, alternate, steps, uniform_outer, uniform,
            uniform_steps;
        const char *utilisation, *uniform_utilisation;
    } rows[] = {
        {3, {100, 30, 160}, 64, 3, 64, 32, 9000, 4, 40, 12000, "0.8333", "0.6250"},
        {1, {160}, 64, 3, 64, 32, 3, 4, 40, 4, "0.8333", "0.6250"},
        {1, {160}, 50, 4, 50, 10, 4, 4, 40, 4, "0.8000", "0.8000"},
        {1, {128}, 64, 2, 64, 0, 2, 2, 64, 2, "1.0000", "1.0000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned last = rows[i].rank - 1;
        struct loops_nest nest = nest_of(rows[i].rank, rows[i].size, last, LOOPS_OVER_UNITS);
        for (unsigned uniform = 0; uniform < 2; uniform++) {
            nest.strategy = uniform ? LOOPS_UNIFORM : LOOPS_ALTERNATE;
            const struct loops_limits l =
                loops_limits(nest.strategy, rows[i].size[last], rows[i].units);
            const struct loops_code code = code_of(&nest, 1, 1, (uint32_t)rows[i].units);
            const struct loops_part *part = &code.parts[0];
            char text[16];
            snprintf(text, sizeof text, "%.4f",
                     (double)loops_part_iterations(part) / (double)part->steps /
                         (double)rows[i].units);
            assert_int_equal(l.outer, uniform ? rows[i].uniform_outer : rows[i].outer);
            assert_int_equal(l.first, uniform ? rows[i].uniform : rows[i].first);
            assert_int_equal(l.alternate, uniform ? 0 : rows[i].alternate);
            assert_int_equal(part->steps, uniform ? rows[i].uniform_steps : rows[i].steps);
            assert_string_equal(text, uniform ? rows[i].uniform_utilisation : rows[i].utilisation);
        }
    }
}

/* With N loops: 3 (N + 1) + 1 elements with an alternate limit, 3 (N + 1) + 3 N peeled, and about
 * twice the instructions. */
static void state_is_that_of_the_design(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= LOOPS_RANK; n++) {
        static const uint64_t size[LOOPS_RANK] = {5, 5, 5, 5, 5, 5, 5, 5};
        struct loops_nest nest = nest_of(n, size, n - 1, LOOPS_OVER_UNITS);
        struct loops_code code = code_of(&nest, 1, 1, 2);
        assert_int_equal(code.part_count, 1);
        assert_int_equal(loops_part_state(&code.parts[0]), 3 * (n + 1) + 1);
        const uint64_t instructions = loops_part_instructions(&code.parts[0]);
        nest.strategy = LOOPS_PEELED;
        code = code_of(&nest, 1, 1, 2);
        assert_int_equal(code.part_count, 2);
        assert_int_equal(loops_part_state(&code.parts[0]) + loops_part_state(&code.parts[1]),
                         3 * (n + 1) + 3 * n);
        assert_int_equal(instructions, n + 3);
        assert_int_equal(loops_part_instructions(&code.parts[0]) +
                             loops_part_instructions(&code.parts[1]),
                         2 * n + 3);
    }
}

/* --- the claims ------------------------------------------------------------------------------- */

/* The limit changes behind the last but one outer iteration, and back when the outer loop begins
 * again, whether other loops stand between the two or not. */
static void the_limit_is_switched(void **state)
{
    (void)state;
    static const uint64_t size[] = {2, 3, 11};
    for (unsigned outermost = 0; outermost < 2; outermost++) {
        struct loops_nest nest = nest_of(3, size, 2, LOOPS_OVER_UNITS);
        nest.outermost = outermost;
        const struct loops_code code = code_of(&nest, 1, 1, 4);
        const struct loops_part *part = &code.parts[0];
        const unsigned outer = outermost ? 0 : 2, inner = 3;
        assert_true(part->levels[outer].kind == LOOPS_OUTER && part->levels[outer].limit == 3);
        assert_true(part->levels[inner].limit == 4 && part->levels[inner].alternate == 3);
        struct loops_traversal t;
        loops_traversal_start(&t, &nest, part, part->sequential);
        do
            assert_int_equal(t.limit[inner], t.limit[outer] - t.index[outer] == 1 ? 3 : 4);
        while (loops_traversal_next(&t) != LOOPS_LEVELS);
    }
}

/* Tiles, processors, math units or all of them: each kind counts as it says. */
static void any_kind_of_unit(void **state)
{
    (void)state;
    static const uint64_t size[] = {10};
    static const struct {
        enum loops_over over;
        uint64_t outer, first, alternate;
    } rows[] = {{LOOPS_OVER_TILES, 5, 2, 0},
                {LOOPS_OVER_PROCESSORS, 4, 3, 1},
                {LOOPS_OVER_MATH, 3, 4, 2},
                {LOOPS_OVER_UNITS, 1, 10, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct loops_nest nest = nest_of(1, size, 0, rows[i].over);
        const struct loops_code code = code_of(&nest, 2, 3, 4);
        const struct loops_part *part = &code.parts[0];
        assert_int_equal(part->steps, rows[i].outer);
        assert_int_equal(part->levels[part->sequential].limit, rows[i].first);
        assert_int_equal(part->levels[part->sequential].alternate, rows[i].alternate);
    }
}

/* address = base + sum of index * multiplier, with a carry at each limit. */
static void addresses_are_linear(void **state)
{
    (void)state;
    static const uint64_t size[] = {3, 4, 7};
    struct loops_nest nest = nest_of(3, size, 1, LOOPS_OVER_UNITS);
    nest.operand[LOOPS_A].map = (struct loops_map){.base = 1000, .times = {-50, 7, 0}};
    const struct loops_code code = code_of(&nest, 1, 1, 3);
    struct loops_traversal t;
    loops_traversal_start(&t, &nest, &code.parts[0], code.parts[0].count);
    uint64_t count = 0;
    do {
        int64_t address = 1000;
        for (unsigned k = 0; k < code.parts[0].count; k++)
            address += (int64_t)t.index[k] * t.multiplier[LOOPS_A][k];
        assert_int_equal(t.address[LOOPS_A], address);
        count++;
    } while (loops_traversal_next(&t) != LOOPS_LEVELS);
    assert_int_equal(count, 3 * 4 * 7);
}

/* --- takt loops ------------------------------------------------------------------------------- */

static void the_command(void **state)
{
    (void)state;
    takt_expect(ARGS("loops", "100x30x160", "--units", "64"), 0, "at least 7,500 steps", NULL);
    takt_expect(ARGS("loops", "100x30x160"), 0, "3 x 64 last 32        9,000       0.8333     13",
                NULL);
    takt_expect(ARGS("loops", "100x30x160"), 0, "2 x 50                9,600       0.7812     12",
                NULL);
    takt_expect(ARGS("loops", "100x30x160"), 0, "2 x 64 rest 32        9,000       0.8333     21",
                NULL);
    takt_expect(ARGS("loops", "100x30x160"), 0, "none below 9,000 steps", NULL);
    takt_expect(ARGS("loops", "100x30x160", "--as-written"), 0,
                "4 x 40               12,000       0.6250     12", NULL);
    takt_expect(ARGS("loops", "4x16", "--tiles", "4", "--math-units", "16"), 0, "4/tiles 16/math",
                NULL);
    takt_expect_json(ARGS("loops", "7x160", "--json", "--layout", "mncore2"));
    takt_expect(ARGS("loops", "0x4"), 2, NULL, "not a shape");
    takt_expect(ARGS("loops", "4x"), 2, NULL, "not a shape");
    takt_expect(ARGS("loops", "2147483649"), 2, NULL, "not a shape");
    takt_expect(ARGS("loops", "1x1x1x1x1x1x1x1x1"), 2, NULL, "not a shape");
    takt_expect(ARGS("loops"), 2, NULL, "which shape");
    takt_expect(ARGS("loops", "4", "--units", "4", "--tiles", "2"), 2, NULL, "--units are all");
    takt_expect(ARGS("loops", "4", "--tiles", "16", "--math-units", "65536"), 2, NULL, "more than");
    takt_expect(ARGS("loops", "4", "--layout", "amx"), 2, NULL, "no tree");
    takt_expect(ARGS("loops", "4", "--layout", "none"), 2, NULL, "no machine is named");
    /* 4096 PE: a multiple needs no padding, one element more doubles what each has. */
    takt_expect(ARGS("loops", "4096", "--layout", "mncore2"), 0, "1 elements each, utilisation 1.0",
                NULL);
    takt_expect(ARGS("loops", "4097", "--layout", "mncore2"), 0, "2 elements each, utilisation 0.5",
                NULL);
}

/* What --print writes runs, in the cycles of the table. */
static void what_it_prints_runs(void **state)
{
    (void)state;
    static const char *const strategies[][2] = {{"alternate", "27,050 cycles"},
                                                {"peeled", "27,085 cycles"},
                                                {"uniform", "1,440,047 cycles"}};
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        struct takt_result r = takt_run(ARGS("loops", "100x30x160", "--print", strategies[i][0]));
        assert_int_equal(r.exit_code, 0);
        const char *program = takt_temp_file("printed.loops", r.out);
        takt_expect(ARGS("run", program, "--timing-only"), 0, strategies[i][1], NULL);
        takt_result_free(&r);
    }
}

/* The rows of docs/loops.md are what the command says. */
static void the_page_of_networks(void **state)
{
    (void)state;
    char *page = takt_read_file("docs/loops.md", NULL);
    if (!page)
        skip(); /* not run from the root */
    unsigned rows = 0;
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        char name[80], shape[40];
        unsigned long steps[4], cycles[4];
        if (sscanf(line, "| %79[^|]| %39s | %lu, %lu | %lu, %lu | %lu, %lu | %lu, %lu |", name,
                   shape, &steps[0], &cycles[0], &steps[1], &cycles[1], &steps[2], &cycles[2],
                   &steps[3], &cycles[3]) != 10)
            continue;
        rows++;
        struct takt_result r = takt_run(ARGS("loops", shape, "--as-written", "--json"));
        const char *at = r.out;
        for (unsigned s = 0; s < 4; s++) {
            at = strstr(at, "\"steps\": ");
            assert_non_null(at);
            at += strlen("\"steps\": ");
            if (strtoul(at, NULL, 10) != steps[s])
                fail_msg("%s: steps %.10s", line, at);
            at = strstr(at, "\"cycles\": ") + strlen("\"cycles\": ");
            if (strtoul(at, NULL, 10) != cycles[s])
                fail_msg("%s: cycles %.10s", line, at);
        }
        takt_result_free(&r);
    }
    assert_int_equal(rows, 20);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_follow_the_rule), cmocka_unit_test(every_element_is_visited_once),
        cmocka_unit_test(the_table_to_the_digit), cmocka_unit_test(state_is_that_of_the_design),
        cmocka_unit_test(the_limit_is_switched),  cmocka_unit_test(any_kind_of_unit),
        cmocka_unit_test(addresses_are_linear),   cmocka_unit_test(the_command),
        cmocka_unit_test(what_it_prints_runs),    cmocka_unit_test(the_page_of_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
