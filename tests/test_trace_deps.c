/* deps: gathered edges against a list that is searched from its begin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/deps.h"

enum { EDGES = 20000, KINDS = EDGE_SUPPLY + 1 };

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static struct sink_edge any_edge(unsigned stmts)
{
    const uint64_t released = draw(1000);
    return (struct sink_edge){.src = draw(8) ? draw(stmts) : NONE_ID,
                              .dst = draw(stmts),
                              .kind = (enum edge_kind)draw(KINDS),
                              .unit = draw(2) ? draw(3) : NONE_ID,
                              .released = released,
                              .at = released + draw(3),
                              .waited = draw(50),
                              .times = draw(4)};
}

/* The definition of a row, edge by edge. */
static void add_slowly(struct dep *rows, size_t *count, const struct sink_edge *e, uint32_t rule)
{
    struct dep *row = rows;
    while (row < rows + *count && (row->src != e->src || row->dst != e->dst || row->unit != e->unit ||
                                   row->rule != rule || row->kind != (uint32_t)e->kind)) {
        row++;
    }
    const uint64_t slack = e->at - e->released, times = e->times ? e->times : 1;
    if (row == rows + *count) {
        memset(row, 0, sizeof *row);
        row->order = ++*count;
        row->src = e->src;
        row->dst = e->dst;
        row->unit = e->unit;
        row->rule = rule;
        row->kind = e->kind;
        row->min_slack = slack;
        row->first_released = e->released;
        row->first_at = e->at;
    }
    row->times += times;
    row->waited += e->waited;
    row->tight += slack ? 0 : times;
    row->min_slack = slack < row->min_slack ? slack : row->min_slack;
    row->last_released = e->released;
    row->last_at = e->at;
}

static void expect_same(const struct dep *a, const struct dep *b)
{
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->src, b->src);
    assert_int_equal(a->dst, b->dst);
    assert_int_equal(a->unit, b->unit);
    assert_int_equal(a->rule, b->rule);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->times, b->times);
    assert_int_equal(a->waited, b->waited);
    assert_int_equal(a->tight, b->tight);
    assert_int_equal(a->min_slack, b->min_slack);
    assert_int_equal(a->first_released, b->first_released);
    assert_int_equal(a->first_at, b->first_at);
    assert_int_equal(a->last_released, b->last_released);
    assert_int_equal(a->last_at, b->last_at);
}

static int longest_first(const void *a, const void *b)
{
    const struct dep *x = a, *y = b;
    if (x->kind != y->kind) {
        return x->kind < y->kind ? -1 : 1;
    }
    return x->waited != y->waited ? (x->waited > y->waited ? -1 : 1)
                                  : (x->order > y->order) - (x->order < y->order);
}

/* From few statements, so that most edges repeat, to so many that few do. */
static void gathers(void **unused)
{
    (void)unused;
    static struct dep rows[EDGES];
    static const struct {
        unsigned stmts;
        size_t edges;
    } cases[] = {{1, 0},  {1, 1},   {1, DEPS_BLOCK},  {2, DEPS_BLOCK + 1}, {3, 5000},
                 {20, EDGES}, {300, EDGES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct deps deps = {.aside = i % 2 ? aside_open() : NULL};
        size_t count = 0;
        state = i + 1;
        for (size_t k = 0; k < cases[i].edges; k++) {
            const struct sink_edge edge = any_edge(cases[i].stmts);
            const uint32_t rule = draw(2) ? 1 + draw(2) : NONE_ID;
            add_slowly(rows, &count, &edge, rule);
            assert_int_equal(deps_add(&deps, &edge, rule), 0);
        }
        assert_int_equal(deps_settle(&deps), 0);
        assert_int_equal(deps.count, count);
        for (size_t k = 0; k < count; k++) {
            expect_same(&deps.rows[k], &rows[k]);
        }
        struct aside *aside = deps.aside;
        deps_free(&deps);
        aside_close(aside);
    }
}

static void keeps_the_longest(void **unused)
{
    (void)unused;
    static struct dep rows[EDGES];
    for (size_t most = 1; most <= 300; most = most * 2 + 1) {
        struct deps deps = {0};
        size_t count = 0;
        state = most;
        for (size_t k = 0; k < 3000; k++) {
            struct sink_edge edge = any_edge(40);
            edge.kind = draw(10) ? edge.kind : EDGE_TAG;
            add_slowly(rows, &count, &edge, NONE_ID);
            assert_int_equal(deps_add(&deps, &edge, NONE_ID), 0);
        }
        qsort(rows, count, sizeof *rows, longest_first);
        assert_int_equal(deps_keep_longest(&deps, most), 0);
        size_t kept = 0, of_kind = 0;
        for (size_t k = 0; k < count; k++) {
            of_kind = k && rows[k].kind == rows[k - 1].kind ? of_kind + 1 : 0;
            if (of_kind < most) {
                assert_true(kept < deps.count);
                expect_same(&deps.rows[kept++], &rows[k]);
            }
        }
        assert_int_equal(deps.count, kept);
        deps_free(&deps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(gathers),
                                       cmocka_unit_test(keeps_the_longest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
