#include "tests/mncore2/timing_kit.h"
#include "timing/costs.h"
#include "timing/machines.h"
#include "timing/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *copy(const void *from, size_t count, size_t size)
{
    void *to = malloc(count * size + 1);
    assert_non_null(to);
    if (count)
        memcpy(to, from, count * size);
    return to;
}

static void *grow(void *rows, size_t count, size_t size)
{
    if (count & (count - 1))
        return rows;
    rows = realloc(rows, (count ? 2 * count : 1) * size);
    assert_non_null(rows);
    return rows;
}

static int take_begin(void *context, const struct sink_header *header)
{
    struct kit *kit = context;
    kit->units = copy(header->units, header->unit_count, sizeof *kit->units);
    kit->unit_count = header->unit_count;
    for (size_t u = 0; u < kit->unit_count; u++)
        kit->units[u].name = strdup(header->units[u].name);
    kit->counters = copy(header->counters, header->counter_count, sizeof *kit->counters);
    return 0;
}

static int take_transfer(void *context, const struct sink_transfer *transfer)
{
    struct kit *kit = context; /* kept in the order of issue, which is that of the statements */
    kit->transfers = grow(kit->transfers, kit->transfer_count, sizeof *kit->transfers);
    kit->transfers[kit->transfer_count++] = *transfer;
    return 0;
}

static int take_edge(void *context, const struct sink_edge *edge)
{
    struct kit *kit = context;
    kit->edges = grow(kit->edges, kit->edge_count, sizeof *kit->edges);
    kit->edges[kit->edge_count++] = *edge;
    return 0;
}

static int take_interval(void *context, const struct sink_interval *interval)
{
    struct kit *kit = context;
    kit->intervals = grow(kit->intervals, kit->interval_count, sizeof *kit->intervals);
    kit->intervals[kit->interval_count++] = *interval;
    return 0;
}

static int by_issue(const void *a, const void *b)
{
    const struct sink_transfer *x = a, *y = b;
    return x->stmt < y->stmt ? -1 : x->stmt > y->stmt;
}

static int take_finish(void *context, const struct sink_summary *s)
{
    struct kit *kit = context;
    struct sink_summary *t = &kit->summary;
    *t = *s;
    if (s->range)
        kit->range = *s->range;
    kit->range.rows = NULL;
    t->unit_totals = copy(s->unit_totals, s->unit_total_count, sizeof *s->unit_totals);
    if (kit->transfer_count)
        qsort(kit->transfers, kit->transfer_count, sizeof *kit->transfers, by_issue);
    kit->stmt_totals = costs_rows(s->costs, &kit->stmt_total_count);
    t->counters = copy(s->counters, s->counter_count, sizeof *s->counters);
    t->crit = copy(s->crit, s->crit_count, sizeof *s->crit);
    t->slack = copy(s->slack, s->slack_count, sizeof *s->slack);
    t->windows = copy(s->windows, s->window_count, sizeof *s->windows);
    return 0;
}

static const struct sink_ops plain_ops = {.name = "kit",
                                          .begin = take_begin,
                                          .transfer = take_transfer,
                                          .edge = take_edge,
                                          .finish = take_finish};
static const struct sink_ops interval_ops = {.name = "kit",
                                             .begin = take_begin,
                                             .interval = take_interval,
                                             .transfer = take_transfer,
                                             .edge = take_edge,
                                             .finish = take_finish};

static void advance_all(struct kit *kit, struct machine_run *run, struct diag_list *diags)
{
    enum run_status status = RUN_MORE;
    if (kit->stop_after) {
        status = run_advance(run, kit->stop_after, diags, kit->error);
        if (status == RUN_MORE) {
            assert_int_equal(run_stop(run), 0);
            return;
        }
    }
    while (status == RUN_MORE)
        status = run_advance(run, kit->budget ? kit->budget : UINT64_MAX, diags, kit->error);
    if (status == RUN_FAILED)
        fail_msg("%s", kit->error);
    kit->status = status == RUN_FAULT;
    kit->hash = run_hash(run);
    kit->early = run_early(run);
}

void kit_settings(const struct kit_options *options, struct machine_setting list[KIT_SETTINGS])
{
    if (options->packing)
        *list++ = (struct machine_setting){"packing", options->packing};
    if (options->dar)
        *list++ = (struct machine_setting){"dar", options->dar};
    if (options->interlock)
        *list++ = (struct machine_setting){"interlock", ""};
    if (options->drop_nops)
        *list++ = (struct machine_setting){"drop-nops", ""};
    *list = (struct machine_setting){NULL, NULL};
}

int kit_run(struct kit *kit, const char *text)
{
    struct machine_setting settings[KIT_SETTINGS];
    kit_settings(&kit->options, settings);
    const struct run_options options = {.settings = settings,
                                        .documented = kit->options.documented,
                                        .no_run_ahead = kit->options.no_run_ahead,
                                        .events = kit->events,
                                        .timing_only = !kit->values,
                                        .no_range = !kit->ranges};
    const struct machine *machine = &machine_mncore2;
    struct source source;
    assert_int_equal(source_from_text(&source, "k.vsm", text, strlen(text)), 0);
    struct diag_list diags;
    diag_list_init(&diags);
    struct machine_program *program = NULL;
    struct config config;
    char error[MACHINE_ERROR] = "";
    if (machine_config(machine, &config, error, sizeof error) != 0)
        fail_msg("%s", error);
    for (size_t i = 0; i < KIT_SETS && kit->sets[i]; i++)
        if (config_set(&config, kit->sets[i], error, sizeof error) != 0)
            fail_msg("%s", error);
    kit->status = machine->language->load(&program, &source, 1, &diags);
    assert_true(kit->status >= 0);
    if (kit->status == 0 && kit->checked)
        kit->status = machine->language->check(program, &config, settings, &diags);
    const struct sink sink = {kit->detail ? &interval_ops : &plain_ops, kit};
    const struct run_setup setup = {program, &config, &options, &sink};
    struct machine_run *run = NULL;
    if (kit->status == 0)
        kit->status = run_open(&run, machine, &setup, &diags, kit->error);
    if (kit->status < 0)
        fail_msg("%s", kit->error);
    if (run) {
        advance_all(kit, run, &diags);
        run_close(run);
    }
    kit->errors = diags.errors;
    for (size_t i = 0; i < diags.count && !kit->error[0]; i++)
        if (diags.items[i].severity == DIAG_ERROR)
            snprintf(kit->error, sizeof kit->error, "%u:%u: %.200s", diags.items[i].line,
                     diags.items[i].column, diags.items[i].message);
    machine->language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    return kit->status;
}

void kit_free(struct kit *kit)
{
    struct sink_summary *s = &kit->summary;
    free((void *)(uintptr_t)s->unit_totals);
    free(kit->stmt_totals);
    free((void *)(uintptr_t)s->crit);
    free((void *)(uintptr_t)s->slack);
    free((void *)(uintptr_t)s->windows);
    free((void *)(uintptr_t)s->counters);
    free(kit->counters);
    for (size_t u = 0; u < kit->unit_count; u++)
        free((void *)(uintptr_t)kit->units[u].name);
    free(kit->units);
    free(kit->transfers);
    free(kit->edges);
    free(kit->intervals);
    *kit = (struct kit){0};
}

uint32_t kit_unit(const struct kit *kit, const char *name)
{
    for (uint32_t u = 0; u < kit->unit_count; u++)
        if (strcmp(kit->units[u].name, name) == 0)
            return u;
    fail_msg("no unit is named %s", name);
    return NONE_ID;
}

uint64_t kit_cycles(const struct kit *kit, const char *unit, uint32_t reason)
{
    const uint32_t u = kit_unit(kit, unit);
    for (size_t i = 0; i < kit->summary.unit_total_count; i++)
        if (kit->summary.unit_totals[i].unit == u && kit->summary.unit_totals[i].reason == reason)
            return kit->summary.unit_totals[i].cycles;
    return 0;
}

uint64_t kit_indexed(const struct kit *kit, const char *name, uint32_t index)
{
    uint64_t value = 0;
    for (size_t i = 0; i < kit->summary.counter_count; i++) {
        const struct sink_counter *row = &kit->summary.counters[i];
        if (row->index == index && strcmp(kit->counters[row->counter].name, name) == 0)
            value = row->value;
    }
    return value;
}

uint64_t kit_counter(const struct kit *kit, const char *name)
{
    return kit_indexed(kit, name, 0);
}

int64_t kit_slack(const struct kit *kit, uint32_t stmt)
{
    for (size_t i = 0; i < kit->summary.slack_count; i++)
        if (kit->summary.slack[i].first_stmt <= stmt && stmt <= kit->summary.slack[i].last_stmt)
            return kit->summary.slack[i].slack;
    fail_msg("statement %u has no slack", stmt);
    return 0;
}

static void sums(const struct kit *kit, uint64_t *total, uint64_t *busy, uint64_t *stmts,
                 uint64_t *windows)
{
    const struct sink_summary *s = &kit->summary;
    for (size_t i = 0; i < s->unit_total_count; i++) {
        const struct sink_unit_total *row = &s->unit_totals[i];
        total[row->unit] += row->cycles;
        if (row->reason == REASON_BUSY)
            busy[row->unit] += row->cycles;
    }
    for (size_t i = 0; i < kit->stmt_total_count; i++)
        if (kit->stmt_totals[i].reason == REASON_BUSY)
            stmts[kit->stmt_totals[i].unit] += kit->stmt_totals[i].cycles;
    for (size_t i = 0; i < s->window_count; i++) {
        assert_true(s->windows[i].busy <= s->window);
        assert_true(s->windows[i].index * s->window < s->cycles);
        windows[s->windows[i].unit] += s->windows[i].busy;
    }
}

/* Intervals are in order and never overlap, and add up to the totals, reason by reason. */
static void intervals_tile(const struct kit *kit)
{
    uint64_t *end = calloc(kit->unit_count, sizeof *end);
    uint64_t(*sum)[REASON_MAX] = calloc(kit->unit_count, sizeof *sum);
    for (size_t i = 0; i < kit->interval_count; i++) {
        const struct sink_interval *interval = &kit->intervals[i];
        if (interval->start < end[interval->unit])
            fail_msg("intervals of %s overlap at %llu", kit->units[interval->unit].name,
                     (unsigned long long)interval->start);
        end[interval->unit] = interval->start + interval->duration;
        assert_true(end[interval->unit] <= kit->summary.cycles);
        assert_true(interval->duration > 0);
        assert_int_not_equal(interval->reason, REASON_IDLE);
        sum[interval->unit][interval->reason] += interval->duration;
    }
    for (size_t i = 0; i < kit->summary.unit_total_count; i++) {
        const struct sink_unit_total *row = &kit->summary.unit_totals[i];
        if (row->reason != REASON_IDLE && sum[row->unit][row->reason] != row->cycles)
            fail_msg("%s, reason %u: intervals of %llu cycles, total %llu",
                     kit->units[row->unit].name, row->reason,
                     (unsigned long long)sum[row->unit][row->reason],
                     (unsigned long long)row->cycles);
        sum[row->unit][row->reason] = 0;
    }
    for (size_t u = 0; u < kit->unit_count; u++)
        for (unsigned r = 0; r < REASON_MAX; r++)
            assert_true(r == REASON_IDLE || sum[u][r] == 0);
    free(end);
    free(sum);
}

void kit_consistent(const struct kit *kit)
{
    const struct sink_summary *s = &kit->summary;
    uint64_t *rows = calloc(4 * kit->unit_count, sizeof *rows);
    uint64_t *total = rows, *busy = rows + kit->unit_count, *stmts = rows + 2 * kit->unit_count,
             *windows = rows + 3 * kit->unit_count;
    sums(kit, total, busy, stmts, windows);
    for (size_t u = 0; u < kit->unit_count && s->cycles; u++) {
        if (total[u] != s->cycles)
            fail_msg("%s: %llu cycles of %llu", kit->units[u].name, (unsigned long long)total[u],
                     (unsigned long long)s->cycles);
        assert_int_equal(busy[u], windows[u]);
        if (strcmp(kit->units[u].kind, "channel") != 0 && s->complete)
            assert_int_equal(busy[u], stmts[u]);
    }
    uint64_t at = 0;
    for (size_t i = 0; i < s->crit_count; i++) {
        assert_int_equal(s->crit[i].start, at);
        at += s->crit[i].duration;
    }
    assert_int_equal(at, s->cycles);
    for (size_t i = 0; s->complete && i < s->slack_count; i++)
        assert_true(s->slack[i].slack >= 0);
    if (kit->detail)
        intervals_tile(kit);
    free(rows);
}

uint64_t kit_total(const char *packing, const char *const *sets, const char *text)
{
    struct kit kit = {.options = {.packing = packing}};
    for (size_t i = 0; sets && sets[i]; i++)
        kit.sets[i] = sets[i];
    if (kit_run(&kit, text) != 0)
        fail_msg("%s", kit.error);
    kit_consistent(&kit);
    const uint64_t total = kit.summary.cycles;
    kit_free(&kit);
    return total;
}

void kit_direct(struct kit *kit, const char *const *sets, const char *text)
{
    *kit = (struct kit){.options = {.packing = "none"}, .sets = {KIT_DIRECT}};
    size_t count = 0;
    while (kit->sets[count])
        count++;
    for (; sets && *sets; sets++)
        kit->sets[count++] = *sets;
    if (kit_run(kit, text) != 0)
        fail_msg("%s\n%s", kit->error, text);
    kit_consistent(kit);
}

void kit_races(const struct kit_race *races, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct kit kit;
        kit_direct(&kit, races[i].sets, races[i].text);
        for (size_t t = 0; t < 4 && races[i].finished[t]; t++)
            if (kit.transfers[t].finished != races[i].finished[t])
                fail_msg("%stransfer %zu: %llu, expected %llu", races[i].text, t,
                         (unsigned long long)kit.transfers[t].finished,
                         (unsigned long long)races[i].finished[t]);
        kit_free(&kit);
    }
}
