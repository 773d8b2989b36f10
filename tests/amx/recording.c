#include "tests/amx/recording.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "timing/costs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t recording_budget = 1000;
bool recording_ranges;

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static int on_begin(void *context, const struct sink_header *header)
{
    struct recording *r = context;
    assert_true(header->unit_count <= RECORDING_UNITS);
    assert_string_equal(header->machine, "amx");
    assert_int_equal(header->reason_count, REASON_MACHINE);
    assert_true(header->counter_count <= RECORDING_COUNTERS);
    r->counter_count = header->counter_count;
    for (size_t i = 0; i < header->counter_count; i++)
        snprintf(r->counter_name[i], sizeof r->counter_name[i], "%s", header->counters[i].name);
    r->unit_count = header->unit_count;
    r->stmt_count = header->stmt_count;
    r->clock_hz = header->clock_hz;
    for (size_t i = 0; i < header->unit_count; i++)
        snprintf(r->unit_name[i], sizeof r->unit_name[i], "%s", header->units[i].name);
    return 0;
}

static int on_interval(void *context, const struct sink_interval *interval)
{
    struct recording *r = context;
    const uint32_t unit = interval->unit;
    if (interval->reason >= REASON_IDLE)
        r->unsound = "an interval of idle, or of a reason without a row";
    if (interval->start < r->interval_end[unit])
        r->unsound = "intervals overlap or run backwards";
    if (interval->stmt != NONE_ID && interval->stmt >= r->stmt_count)
        r->unsound = "an interval of an unknown statement";
    if (interval->duration == 0)
        r->unsound = "an empty interval";
    r->interval_end[unit] = interval->start + interval->duration;
    r->seen[unit][interval->reason] += interval->duration;
    const uint64_t of =
        mix(mix(mix(interval->reason, interval->stmt), interval->start), interval->duration);
    r->intervals_hash[unit] = mix(r->intervals_hash[unit], of);
    return 0;
}

static int on_edge(void *context, const struct sink_edge *edge)
{
    struct recording *r = context;
    if (edge->released > edge->at)
        r->unsound = "an edge binds before it is released";
    if (edge->dst >= r->stmt_count || (edge->src != NONE_ID && edge->src >= r->stmt_count))
        r->unsound = "an edge of an unknown statement";
    const uint64_t who = mix(mix(mix(edge->src, edge->dst), edge->kind), edge->unit);
    r->edges_hash += mix(mix(mix(who, edge->released), edge->at), edge->waited);
    if (r->edge_count < RECORDING_EDGES)
        r->edges[r->edge_count++] = *edge;
    return 0;
}

static void *copy(const void *rows, size_t count, size_t size)
{
    void *to = malloc(count * size + 1);
    assert_non_null(to);
    if (count)
        memcpy(to, rows, count * size);
    return to;
}

static int on_finish(void *context, const struct sink_summary *summary)
{
    struct recording *r = context;
    r->summary = *summary;
    for (size_t i = 0; i < summary->unit_total_count; i++)
        r->total[summary->unit_totals[i].unit][summary->unit_totals[i].reason] +=
            summary->unit_totals[i].cycles;
    for (size_t i = 0; i < summary->window_count; i++)
        r->window_busy[summary->windows[i].unit] += summary->windows[i].busy;
    assert_true(summary->counter_count <= r->counter_count);
    if (summary->counter_count)
        memcpy(r->counters, summary->counters, summary->counter_count * sizeof *r->counters);
    r->crit = copy(summary->crit, summary->crit_count, sizeof *r->crit);
    if (summary->range)
        r->range = *summary->range;
    r->range.rows = NULL;
    r->slack = copy(summary->slack, summary->slack_count, sizeof *r->slack);
    r->stmt_totals = costs_rows(summary->costs, &r->stmt_total_count);
    assert_non_null(r->stmt_totals);
    return 0;
}

static const struct sink_ops ops = {.name = "recording",
                                    .begin = on_begin,
                                    .interval = on_interval,
                                    .edge = on_edge,
                                    .finish = on_finish};

static void run_program(struct recording *r, const struct machine_program *program,
                        const struct config *config, const struct run_options *options)
{
    const struct sink sink = {&ops, r};
    struct machine_run *run;
    const struct run_setup setup = {program, config, options, &sink};
    r->status = run_open(&run, &machine_amx, &setup, &r->diags, r->error);
    if (r->status != 0)
        return;
    enum run_status status;
    do
        status = run_advance(run, recording_budget, &r->diags, r->error);
    while (status == RUN_MORE);
    r->status = status == RUN_DONE ? 0 : status == RUN_FAULT ? 1 : -1;
    r->hash = run_hash(run);
    run_close(run);
}

struct recording *recording_run(const char *text, const struct run_options *options,
                                const char *const *sets)
{
    struct recording *r = calloc(1, sizeof *r);
    assert_non_null(r);
    diag_list_init(&r->diags);
    assert_int_equal(source_from_text(&r->source, "k.amx", text, strlen(text)), 0);
    struct config config;
    char error[400] = "";
    if (machine_config(&machine_amx, &config, error, sizeof error) != 0)
        fail_msg("%s", error);
    for (; sets && *sets; sets++)
        if (config_set(&config, *sets, error, sizeof error) != 0)
            fail_msg("%s", error);

    struct machine_program *program = NULL;
    struct run_options all = options ? *options : (struct run_options){0};
    FILE *dump = open_memstream(&r->dump, &r->dump_size);
    assert_non_null(dump);
    all.dump = dump;
    all.no_range = !recording_ranges;
    r->status = machine_amx.language->load(&program, &r->source, 1, &r->diags);
    if (r->status == 0)
        r->status = machine_amx.language->check(program, &config, NULL, &r->diags);
    if (r->status == 0)
        run_program(r, program, &config, &all);
    machine_amx.language->unload(program);
    fclose(dump);
    config_free(&config);
    return r;
}

void recording_free(struct recording *r)
{
    source_close(&r->source);
    diag_list_free(&r->diags);
    free(r->dump);
    free(r->crit);
    free(r->slack);
    free(r->stmt_totals);
    free(r);
}

size_t recording_unit(const struct recording *r, const char *name)
{
    for (size_t i = 0; i < r->unit_count; i++)
        if (strcmp(r->unit_name[i], name) == 0)
            return i;
    fail_msg("there is no unit %s", name);
    return 0;
}

uint64_t recording_busy(const struct recording *r, const char *name)
{
    return r->total[recording_unit(r, name)][REASON_BUSY];
}

uint64_t recording_counter(const struct recording *r, const char *name)
{
    for (size_t i = 0; i < r->summary.counter_count; i++)
        if (strcmp(r->counter_name[r->counters[i].counter], name) == 0)
            return r->counters[i].value;
    fail_msg("there is no counter %s", name);
    return 0;
}

void recording_assert_sound(const struct recording *r)
{
    const struct sink_summary *s = &r->summary;
    if (r->unsound)
        fail_msg("%s", r->unsound);
    assert_int_equal(r->status, 0);
    for (size_t u = 0; u < r->unit_count; u++) {
        uint64_t sum = 0;
        for (unsigned reason = 0; reason < REASON_MACHINE; reason++) {
            sum += r->total[u][reason];
            if (reason != REASON_IDLE)
                assert_int_equal(r->total[u][reason], r->seen[u][reason]);
        }
        assert_int_equal(sum, s->cycles);
        assert_int_equal(r->window_busy[u], r->total[u][REASON_BUSY]);
    }
    uint64_t by_stmt[RECORDING_UNITS][REASON_MACHINE] = {{0}};
    for (size_t i = 0; i < r->stmt_total_count; i++)
        by_stmt[r->stmt_totals[i].unit][r->stmt_totals[i].reason] += r->stmt_totals[i].cycles;
    for (size_t u = 0; u < r->unit_count; u++)
        for (unsigned reason = 0; reason < REASON_DRAINED; reason++)
            assert_int_equal(by_stmt[u][reason], r->total[u][reason]);
    uint64_t at = 0;
    for (size_t i = 0; i < s->crit_count; i++) {
        assert_int_equal(r->crit[i].start, at);
        at += r->crit[i].duration;
    }
    assert_int_equal(at, s->cycles);
    for (size_t i = 0; i < s->slack_count; i++)
        assert_true(r->slack[i].slack >= 0 && (uint64_t)r->slack[i].slack <= s->cycles);
}

void recording_assert_same(const struct recording *a, const struct recording *b)
{
    const struct sink_summary *s = &a->summary, *o = &b->summary;
    assert_int_equal(a->status, b->status);
    assert_int_equal(s->cycles, o->cycles);
    assert_int_equal(s->cycles_documented, o->cycles_documented);
    assert_int_equal(s->events, o->events);
    assert_int_equal(a->edges_hash, b->edges_hash);
    assert_memory_equal(a->intervals_hash, b->intervals_hash, sizeof a->intervals_hash);
    assert_memory_equal(a->total, b->total, sizeof a->total);
    assert_memory_equal(a->window_busy, b->window_busy, sizeof a->window_busy);
    assert_memory_equal(a->counters, b->counters, sizeof a->counters);
    assert_int_equal(a->stmt_total_count, b->stmt_total_count);
    for (size_t i = 0; i < a->stmt_total_count; i++) {
        const struct sink_stmt_total *x = &a->stmt_totals[i], *y = &b->stmt_totals[i];
        assert_true(x->stmt == y->stmt && x->unit == y->unit && x->reason == y->reason);
        assert_true(x->cycles == y->cycles && x->execs == y->execs);
        assert_true(x->ops == y->ops && x->bytes == y->bytes);
    }
    assert_int_equal(s->crit_count, o->crit_count);
    for (size_t i = 0; i < s->crit_count; i++) {
        const struct sink_crit *x = &a->crit[i], *y = &b->crit[i];
        assert_true(x->start == y->start && x->duration == y->duration);
        assert_true(x->first_stmt == y->first_stmt && x->last_stmt == y->last_stmt);
        assert_true(x->unit == y->unit && x->reason == y->reason);
    }
    assert_int_equal(s->slack_count, o->slack_count);
    for (size_t i = 0; i < s->slack_count; i++) {
        assert_int_equal(a->slack[i].first_stmt, b->slack[i].first_stmt);
        assert_int_equal(a->slack[i].last_stmt, b->slack[i].last_stmt);
        assert_int_equal(a->slack[i].slack, b->slack[i].slack);
    }
}
