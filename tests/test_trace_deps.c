/* deps: rows of binding edges are what their definition says, in whatever order the edges come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "traces/deps.h"

enum { EDGES = 3000 };

static struct dice dice;

static unsigned draw(unsigned below)
{
    return (unsigned)dice_below(&dice, below);
}

static const char *const rules[] = {"b", "a", "", "c"};

static bool same_row(const struct sink_edge *a, const struct sink_edge *b)
{
    return a->src == b->src && a->dst == b->dst && a->kind == b->kind && a->unit == b->unit &&
           !strcmp(a->rule, b->rule);
}

/* The definition of a row: over all edges that are the same as edges[first]. */
static struct dep row_of(const struct sink_edge *edges, size_t count, size_t first)
{
    struct dep row = {.min_slack = UINT64_MAX, .first_at = UINT64_MAX};
    for (size_t i = 0; i < count; i++) {
        const struct sink_edge *e = &edges[i];
        if (!same_row(&edges[i], &edges[first]))
            continue;
        row.times += e->times;
        row.waited += e->waited;
        row.tight += e->at == e->released ? e->times : 0;
        row.min_slack = e->at - e->released < row.min_slack ? e->at - e->released : row.min_slack;
        row.first_at = e->at < row.first_at ? e->at : row.first_at;
        row.last_at = e->at > row.last_at ? e->at : row.last_at;
    }
    return row;
}

/* By dst, src, kind, unit and the text of the rule. */
static bool follows(const struct dep *a, const struct dep *b)
{
    const uint32_t x[] = {a->dst, a->src, a->kind, a->unit, a->rule};
    const uint32_t y[] = {b->dst, b->src, b->kind, b->unit, b->rule};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return false;
}

static void gathers(void **unused)
{
    (void)unused;
    static struct sink_edge edges[EDGES];
    static const unsigned cases[][2] = {{1, 0},    {1, 1},      {2, 100},
                                        {3, 2000}, {40, EDGES}, {2000, EDGES}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const unsigned stmts = cases[c][0], count = cases[c][1];
        dice.state = c + 1;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t released = draw(1000);
            edges[i] = (struct sink_edge){.src = draw(8) ? draw(stmts) : NONE_ID,
                                          .dst = draw(stmts),
                                          .kind = (enum edge_kind)draw(EDGE_KINDS),
                                          .unit = draw(2) ? draw(3) : NONE_ID,
                                          .rule = rules[draw(4)],
                                          .released = released,
                                          .at = released + draw(3),
                                          .waited = draw(50),
                                          .times = 1 + draw(4)};
        }
        struct deps deps[2] = {{0}, {0}};
        for (int turned = 0; turned < 2; turned++) {
            struct strings strings = {0};
            for (unsigned k = 0; k < count; k++) {
                const struct sink_edge *e = &edges[turned ? count - 1 - k : k];
                uint32_t rule;
                assert_int_equal(strings_add(&strings, e->rule, &rule), 0);
                assert_int_equal(deps_add(&deps[turned], e, rule), 0);
            }
            assert_int_equal(strings_sort(&strings), 0);
            deps_sort(&deps[turned], &strings);
            strings_free(&strings);
        }
        size_t rows = 0;
        for (unsigned i = 0; i < count; i++) {
            bool seen = false;
            for (unsigned k = 0; k < i && !seen; k++)
                seen = same_row(&edges[i], &edges[k]);
            if (seen)
                continue;
            rows++;
            const struct dep expected = row_of(edges, count, i);
            bool found = false;
            for (size_t k = 0; k < deps[0].count && !found; k++) {
                const struct dep *d = &deps[0].rows[k];
                found = d->src == edges[i].src && d->dst == edges[i].dst &&
                        d->kind == (uint32_t)edges[i].kind && d->unit == edges[i].unit &&
                        d->times == expected.times && d->waited == expected.waited &&
                        d->tight == expected.tight && d->min_slack == expected.min_slack &&
                        d->first_at == expected.first_at && d->last_at == expected.last_at;
            }
            assert_true(found);
        }
        assert_int_equal(deps[0].count, rows);
        assert_int_equal(deps[1].count, rows);
        for (size_t k = 1; k < rows; k++)
            assert_true(follows(&deps[0].rows[k - 1], &deps[0].rows[k]));
        for (size_t k = 0; k < rows; k++) {
            const struct dep *a = &deps[0].rows[k], *b = &deps[1].rows[k];
            assert_true(a->src == b->src && a->dst == b->dst && a->kind == b->kind &&
                        a->unit == b->unit && a->rule == b->rule && a->times == b->times &&
                        a->waited == b->waited && a->first_released == b->first_released &&
                        a->first_at == b->first_at && a->last_released == b->last_released &&
                        a->last_at == b->last_at && a->tight == b->tight &&
                        a->min_slack == b->min_slack);
        }
        deps_free(&deps[0]);
        deps_free(&deps[1]);
    }
}

/* Ids are places in the sorted list; none for no text. */
static void strings_are_sorted(void **unused)
{
    (void)unused;
    struct strings strings = {0};
    uint32_t numbers[1000], again;
    char text[16];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, "%03u", i * 7 % 1000);
        assert_int_equal(strings_add(&strings, text, &numbers[i]), 0);
        assert_int_equal(strings_add(&strings, text, &again), 0);
        assert_int_equal(again, numbers[i]);
    }
    assert_int_equal(strings_add(&strings, "", &again), 0);
    assert_int_equal(again, NONE_ID);
    assert_int_equal(strings_add(&strings, NULL, &again), 0);
    assert_int_equal(again, NONE_ID);
    assert_int_equal(strings.count, 1000);
    assert_int_equal(strings_sort(&strings), 0);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(strings_id(&strings, numbers[i]), i * 7 % 1000 + 1);
    assert_int_equal(strings_id(&strings, NONE_ID), NONE_ID);
    strings_free(&strings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gathers),
                                       cmocka_unit_test(strings_are_sorted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
