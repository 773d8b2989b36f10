/*
 * bounds: units of several alike instances. Small random graphs are scheduled in every order: a
 * node starts as soon as those that it needs and as many instances as it takes let it. No bound is
 * above the best schedule, certificates hold, and one that claims a cycle more has none.
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
#include "timing/bounds.h"

enum { GRAPHS = 400, MOST = 6, HORIZON = 200 };

static struct dice dice = {41};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

static void no_lag(const void *context, const struct graph *graph, struct graph_arc *arc)
{
    (void)context;
    (void)graph;
    (void)arc;
}

static void make(struct graph *graph)
{
    const unsigned nodes = 1 + pick(MOST);
    const struct graph_spans none = {.list = NULL};
    *graph = (struct graph){.quantum = 1, .end = pick(3)};
    for (unsigned u = 0; u < 2; u++) {
        graph_add_unit(graph, u ? "second" : "first", u);
        graph->units[u].width = 1 + pick(3);
    }
    for (unsigned n = 0; n < nodes; n++) {
        struct graph_node *node = graph_add_node(graph);
        assert_non_null(node);
        node->stmt = n;
        node->stream = n; /* the order is free */
        node->release = pick(4);
        node->length = 1 + pick(8);
        for (unsigned u = 0; u < 2; u++) {
            const struct graph_use use = {.unit = u,
                                          .instances = pick(graph->units[u].width + 1),
                                          .offset = pick(3),
                                          .cycles = 1 + pick(5)};
            if (pick(3))
                graph_add_use(graph, &use);
        }
        for (unsigned from = 0; from < n; from++) {
            const uint64_t lag = pick(6);
            if (pick(4) == 0)
                graph_add_arc(graph, &(struct graph_arc){.from = from,
                                                         .to = n,
                                                         .kind = ARC_RAW,
                                                         .certain = true,
                                                         .lag = lag,
                                                         .least = lag,
                                                         .rule = ""});
        }
    }
    assert_int_equal(graph_link(graph, &none, no_lag, NULL), 0);
}

/* --- every schedule --------------------------------------------------------------------------- */

struct board {
    const struct graph *graph;
    uint32_t taken[2][HORIZON]; /* instances by cycle */
    uint64_t start[MOST], end, best;
    unsigned done;
};

static bool fits(const struct board *b, unsigned n, uint64_t at)
{
    const struct graph_node *node = &b->graph->nodes[n];
    for (size_t u = node->use; u < node->use + node->use_count; u++) {
        const struct graph_use *use = &b->graph->uses[u];
        const uint32_t wanted = use->instances ? use->instances : 1;
        for (uint64_t c = at + use->offset; c < at + use->offset + use->cycles; c++)
            if (b->taken[use->unit][c] + wanted > b->graph->units[use->unit].width)
                return false;
    }
    return true;
}

static void take(struct board *b, unsigned n, uint64_t at)
{
    const struct graph_node *node = &b->graph->nodes[n];
    for (size_t u = node->use; u < node->use + node->use_count; u++) {
        const struct graph_use *use = &b->graph->uses[u];
        for (uint64_t c = at + use->offset; c < at + use->offset + use->cycles; c++)
            b->taken[use->unit][c] += use->instances ? use->instances : 1;
    }
    b->start[n] = at;
    b->end = at + node->length > b->end ? at + node->length : b->end;
    b->done |= 1U << n;
}

static void place(struct board *best, const struct board *b)
{
    if (b->done + 1 == 1U << b->graph->node_count) {
        best->best = b->end + b->graph->end < best->best ? b->end + b->graph->end : best->best;
        return;
    }
    for (unsigned n = 0; n < b->graph->node_count; n++) {
        uint64_t at = b->graph->nodes[n].release;
        bool may = !(b->done >> n & 1);
        for (size_t a = 0; a < b->graph->arc_count && may; a++) {
            const struct graph_arc *arc = &b->graph->arcs[a];
            if (arc->to != n)
                continue;
            may = b->done >> arc->from & 1;
            if (may && b->start[arc->from] + arc->lag > at)
                at = b->start[arc->from] + arc->lag;
        }
        if (!may)
            continue;
        struct board next = *b;
        while (!fits(&next, n, at))
            at++;
        take(&next, n, at);
        place(best, &next);
    }
}

static void never_above_the_best_schedule(void **unused)
{
    (void)unused;
    size_t equal = 0;
    for (size_t g = 0; g < often(GRAPHS); g++) {
        struct graph graph;
        struct bounds bounds;
        make(&graph);
        struct board best = {.graph = &graph, .best = UINT64_MAX};
        const struct board empty = best;
        place(&best, &empty);
        assert_int_equal(bounds_find(&bounds, &graph), 0);
        for (size_t i = 0; i < bounds.count; i++) {
            const struct bound *row = &bounds.rows[i];
            struct bound more = *row;
            more.cycles++;
            if (row->class != BOUND_THIS_ORDER && row->cycles > best.best)
                fail_msg("graph %zu: %s %s %llu, the best schedule takes %llu", g,
                         bound_class_names[row->class], bound_kind_names[row->kind],
                         (unsigned long long)row->cycles, (unsigned long long)best.best);
            assert_true(bound_certified(row, &graph));
            assert_false(bound_certified(&more, &graph));
        }
        equal += bounds_best(&bounds, BOUND_ANY_ORDER)->cycles == best.best;
        bounds_free(&bounds);
        graph_free(&graph);
    }
    printf("%zu graphs: %.1f %% equal to the best schedule\n", often(GRAPHS),
           100.0 * (double)equal / (double)often(GRAPHS));
    assert_true(2 * equal > often(GRAPHS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_best_schedule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
