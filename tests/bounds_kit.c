#include "tests/bounds_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "traces/sinks.h"

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
    int status = s->machine->load(&l->program, &l->source, 1, &l->diags);
    bool interlock = false;
    for (const struct machine_setting *m = s->settings; m && m->name; m++)
        interlock |= strcmp(m->name, "interlock") == 0;
    if (status == 0 && !interlock)
        status = s->machine->check(l->program, &l->config, s->settings, &l->diags);
    assert_true(status >= 0);
    return status == 0;
}

static void unload(const struct subject *s, struct loaded *l)
{
    s->machine->unload(l->program);
    config_free(&l->config);
    diag_list_free(&l->diags);
}

static uint64_t run(const struct subject *s, struct loaded *l)
{
    char error[MACHINE_ERROR] = "";
    struct machine_run *run;
    struct run_progress progress;
    const struct sink sink = sink_null();
    const struct run_options options = {.timing_only = true, .settings = s->settings, .threads = 1};
    const struct run_setup setup = {l->program, &l->config, &options, &sink};
    const int status = s->machine->open(&run, &setup, &l->diags, error);
    assert_true(status >= 0);
    if (status > 0)
        return 0;
    enum run_status advanced;
    do
        advanced = s->machine->advance(run, UINT64_MAX, &l->diags, error);
    while (advanced == RUN_MORE);
    assert_int_not_equal(advanced, RUN_FAILED);
    s->machine->progress(run, &progress);
    s->machine->close(run);
    return advanced == RUN_DONE ? progress.total : 0;
}

uint64_t subject_total(const struct subject *subject, const char *text)
{
    struct loaded l;
    const uint64_t cycles = load(subject, text, &l) ? run(subject, &l) : 0;
    unload(subject, &l);
    return cycles;
}

bool subject_take(struct subject *s, const char *text)
{
    char error[MACHINE_ERROR] = "";
    struct loaded l;
    s->graph = (struct graph){.nodes = NULL};
    s->bounds = (struct bounds){.rows = NULL};
    s->cycles = load(s, text, &l) ? run(s, &l) : 0;
    if (s->cycles) {
        assert_int_equal(
            s->machine->graph(l.program, &l.config, s->settings, false, &s->graph, error), 0);
        assert_int_equal(bounds_find(&s->bounds, &s->graph), 0);
    }
    unload(s, &l);
    return s->cycles != 0;
}

void subject_free(struct subject *s)
{
    bounds_free(&s->bounds);
    graph_free(&s->graph);
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

void subject_sound(const struct subject *s, const char *text)
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
