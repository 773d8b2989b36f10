#include "tests/bounds_kit.h"
#include "timing/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/range.h"
#include "traces/sinks.h"
#include "traces/starts.h"

struct loaded {
    struct machine_program *program;
    struct config config;
    struct diag_list diags;
    struct source source;
};

static bool load(const struct subject *s, const char *text, struct loaded *l)
{
    char error[MACHINE_ERROR] = "";
    *l = (struct loaded){.source = {.name = "program", .text = text, .size = strlen(text)}};
    diag_list_init(&l->diags);
    assert_int_equal(machine_config(s->machine, &l->config, error, sizeof error), 0);
    for (const char *const *set = s->sets; set && *set; set++)
        assert_int_equal(config_set(&l->config, *set, error, sizeof error), 0);
    int status = s->machine->language->load(&l->program, &l->source, 1, &l->diags);
    bool interlock = false;
    for (const struct machine_setting *m = s->settings; m && m->name; m++)
        interlock |= strcmp(m->name, "interlock") == 0;
    if (status == 0 && !interlock)
        status = s->machine->language->check(l->program, &l->config, s->settings, &l->diags);
    assert_true(status >= 0);
    return status == 0;
}

static void unload(const struct subject *s, struct loaded *l)
{
    s->machine->language->unload(l->program);
    config_free(&l->config);
    diag_list_free(&l->diags);
}

/* low: NULL, or where the low end of the plausible totals goes. */
static uint64_t run(const struct subject *s, struct loaded *l, const struct sink *sink,
                    uint64_t *low)
{
    char error[MACHINE_ERROR] = "";
    struct machine_run *run;
    struct run_progress progress;
    const struct run_options options = {
        .timing_only = true, .settings = s->settings, .threads = 1, .no_range = true};
    const struct run_setup setup = {l->program, &l->config, &options, sink};
    const int status = run_open(&run, s->machine, &setup, &l->diags, error);
    assert_true(status >= 0);
    if (status > 0)
        return 0;
    enum run_status advanced;
    do
        advanced = run_advance(run, UINT64_MAX, &l->diags, error);
    while (advanced == RUN_MORE);
    assert_int_not_equal(advanced, RUN_FAILED);
    run_progress(run, &progress);
    if (low && advanced == RUN_DONE) {
        struct range range;
        assert_int_equal(run_range(run, 1, &range), 0);
        *low = range.low;
        range_free(&range);
    }
    run_close(run);
    return advanced == RUN_DONE ? progress.total : 0;
}

uint64_t subject_total(const struct subject *subject, const char *text)
{
    struct loaded l;
    const struct sink sink = sink_null();
    const uint64_t cycles = load(subject, text, &l) ? run(subject, &l, &sink, NULL) : 0;
    unload(subject, &l);
    return cycles;
}

uint64_t subject_low(const struct subject *subject, const char *text)
{
    struct loaded l;
    uint64_t low = 0;
    const struct sink sink = sink_null();
    if (load(subject, text, &l))
        run(subject, &l, &sink, &low);
    unload(subject, &l);
    return low;
}

/* The critical path: its rows come one behind the other, from cycle 0 on. */
static int take_critical(void *context, const struct sink_summary *summary)
{
    uint64_t *critical = context;
    *critical = 0;
    for (size_t i = 0; i < summary->crit_count; i++) {
        assert_int_equal(summary->crit[i].start, *critical);
        *critical += summary->crit[i].duration;
    }
    return 0;
}

bool subject_take(struct subject *s, const char *text)
{
    char error[MACHINE_ERROR] = "";
    struct loaded l;
    struct starts starts;
    static const struct sink_ops ops = {.name = "critical", .finish = take_critical};
    starts_open(&starts, &(const struct sink){&ops, &s->critical});
    const struct sink sink = starts_sink(&starts);
    s->graph = (struct graph){.nodes = NULL};
    s->bounds = (struct bounds){.rows = NULL};
    s->started = s->finished = NULL;
    s->critical = 0;
    s->cycles = load(s, text, &l) ? run(s, &l, &sink, NULL) : 0;
    if (s->cycles) {
        const struct run_options options = {.settings = s->settings};
        const struct run_setup setup = {l.program, &l.config, &options, NULL};
        assert_int_equal(s->machine->advice->graph(&setup, &s->graph, error), 0);
        assert_int_equal(bounds_find(&s->bounds, &s->graph), 0);
        assert_int_equal(starts_nodes(&starts, &s->graph, &s->started, &s->finished), 0);
    }
    starts_close(&starts);
    unload(s, &l);
    return s->cycles != 0;
}

void subject_free(struct subject *s)
{
    bounds_free(&s->bounds);
    graph_free(&s->graph);
    free(s->started);
    free(s->finished);
}

static void fail_row(const struct subject *s, const struct bound *row, const char *what,
                     const char *text)
{
    for (const char *const *set = s->sets; set && *set; set++)
        print_message("--set %s\n", *set);
    for (const struct machine_setting *m = s->settings; m && m->name; m++)
        print_message("--%s %s\n", m->name, m->value);
    fail_msg("%s %s %s: %llu, %s, total %llu\n%s", bound_class_names[row->class],
             bound_kind_names[row->kind],
             row->unit == GRAPH_NONE ? "" : s->graph.units[row->unit].name,
             (unsigned long long)row->cycles, what, (unsigned long long)s->cycles, text);
}

static void rows_sound(const struct subject *s, const char *text)
{
    uint64_t best[BOUND_CLASSES] = {0};
    for (size_t i = 0; i < s->bounds.count; i++) {
        const struct bound *row = &s->bounds.rows[i];
        struct bound more = *row;
        more.cycles++;
        if (row->cycles > s->cycles)
            fail_row(s, row, "above the total", text);
        if (!bound_certified(row, &s->graph))
            fail_row(s, row, "no certificate", text);
        if (bound_certified(&more, &s->graph))
            fail_row(s, row, "the certificate proves more", text);
        if (row->cycles > best[row->class])
            best[row->class] = row->cycles;
    }
    assert_true(best[BOUND_ANY_ORDER] <= best[BOUND_THIS_ORDER]);
    assert_true(best[BOUND_FREE_PLACES] <= best[BOUND_ANY_ORDER]);
}

/* Of the statements [first, end). */
static void part_sound(const struct subject *s, uint32_t first, uint32_t end, const char *text)
{
    struct subject part = *s;
    bool *chosen = calloc(s->graph.node_count + 1, sizeof *chosen);
    uint64_t begin = UINT64_MAX, over = 0;
    for (size_t n = 0; n < s->graph.node_count; n++) {
        const struct graph_node *node = &s->graph.nodes[n];
        chosen[n] = node->stmt >= first && node->stmt < end && s->started[n] != STARTS_NONE;
        if (!chosen[n])
            continue;
        const uint64_t transfer = s->finished[n] == STARTS_NONE ? 0 : s->finished[n];
        const uint64_t stream = s->started[n] + node->length;
        begin = s->started[n] < begin ? s->started[n] : begin;
        over = stream > over ? stream : over;
        over = transfer > over ? transfer : over;
    }
    part.cycles = over > begin ? over - begin : 0;
    part.bounds = (struct bounds){.rows = NULL};
    assert_int_equal(graph_select(&part.graph, &s->graph, chosen), 0);
    assert_int_equal(bounds_find(&part.bounds, &part.graph), 0);
    rows_sound(&part, text);
    bounds_free(&part.bounds);
    graph_free(&part.graph);
    free(chosen);
}

/* A proof names units. */
static void names_differ(const struct graph *graph)
{
    for (uint32_t u = 0; u < graph->unit_count; u++)
        for (uint32_t other = 0; other < u; other++)
            assert_string_not_equal(graph->units[u].name, graph->units[other].name);
}

void subject_sound(const struct subject *s, const char *text)
{
    names_differ(&s->graph);
    enum { PARTS = 4 };
    uint32_t stmts = 0;
    rows_sound(s, text);
    for (size_t n = 0; n < s->graph.node_count; n++)
        if (s->graph.nodes[n].stmt != GRAPH_NONE && s->graph.nodes[n].stmt >= stmts)
            stmts = s->graph.nodes[n].stmt + 1;
    for (uint32_t p = 0; p < PARTS; p++)
        part_sound(s, p * stmts / PARTS, (p + 2) * stmts / PARTS, text);
}

void subject_keeps_arcs(const struct subject *s, const char *text)
{
    size_t looked = 0;
    for (size_t a = 0; a < s->graph.arc_count; a++) {
        const struct graph_arc *arc = &s->graph.arcs[a];
        const uint64_t from = s->started[arc->from], to = s->started[arc->to],
                       end = s->finished[arc->from];
        if (from == STARTS_NONE || to == STARTS_NONE)
            continue;
        looked++;
        if (to < from + arc->lag ||
            (arc->completes && (end == STARTS_NONE || to < end + arc->after)))
            fail_msg("%s %s of lag %llu from statement %u to %u: cycles %llu, %llu\n%s",
                     graph_arc_names[arc->kind], arc->rule, (unsigned long long)arc->lag,
                     s->graph.nodes[arc->from].stmt, s->graph.nodes[arc->to].stmt,
                     (unsigned long long)from, (unsigned long long)to, text);
    }
    assert_true(looked > 0);
}
