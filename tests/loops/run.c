#include "tests/loops/run.h"
#include "timing/machines.h"
#include "timing/run.h"
#include "timing/costs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATEMENTS = 64 };
static uint64_t cycles, turns[STATEMENTS];
static int64_t slack[STATEMENTS];

static int take_summary(void *context, const struct sink_summary *summary)
{
    (void)context;
    cycles = summary->cycles;
    memset(slack, 0, sizeof slack);
    memset(turns, 0, sizeof turns);
    for (size_t i = 0; i < summary->slack_count; i++)
        for (uint32_t s = summary->slack[i].first_stmt;
             s <= summary->slack[i].last_stmt && s < STATEMENTS; s++)
            slack[s] = summary->slack[i].slack;
    size_t count;
    struct sink_stmt_total *rows = costs_rows(summary->costs, &count);
    assert_non_null(rows);
    for (size_t i = 0; i < count; i++) {
        const struct sink_stmt_total *t = &rows[i];
        if (t->stmt < STATEMENTS && t->reason == REASON_BUSY && t->execs > turns[t->stmt])
            turns[t->stmt] = t->execs;
    }
    free(rows);
    return 0;
}

struct one {
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program;
    struct machine_run *run;
};

static void open_one(struct one *one, const char *text, const char *const *settings,
                     const struct run_options *options)
{
    static const struct sink_ops ops = {.name = "test", .finish = take_summary};
    static const struct sink sink = {&ops, NULL};
    char error[MACHINE_ERROR];
    diag_list_init(&one->diags);
    assert_int_equal(source_from_text(&one->source, "test.loops", text, strlen(text)), 0);
    if (machine_loops.language->load(&one->program, &one->source, 1, &one->diags) != 0) {
        diag_print(&one->diags, &one->source, 1, stderr, false);
        fail_msg("refused:\n%s", text);
    }
    assert_int_equal(machine_config(&machine_loops, &one->config, error, sizeof error), 0);
    for (; settings && *settings; settings++)
        assert_int_equal(config_set(&one->config, *settings, error, sizeof error), 0);
    const struct run_setup setup = {one->program, &one->config, options, &sink};
    if (run_open(&one->run, &machine_loops, &setup, &one->diags, error) != 0)
        fail_msg("%s\n%s", error, text);
}

static void finish_one(struct one *one)
{
    char error[MACHINE_ERROR];
    enum run_status status = RUN_MORE;
    while (status == RUN_MORE)
        status = run_advance(one->run, 10007, &one->diags, error);
    if (status != RUN_DONE)
        fail_msg("%s", error);
}

static void close_one(struct one *one)
{
    run_close(one->run);
    machine_loops.language->unload(one->program);
    config_free(&one->config);
    diag_list_free(&one->diags);
    source_close(&one->source);
}

void loops_run_values(const char *text, const uint64_t *before, uint64_t *after, size_t words)
{
    const struct run_options options = {.functional_only = true};
    struct one one;
    char error[MACHINE_ERROR], spec[64];
    open_one(&one, text, NULL, &options);
    assert_int_equal(run_put(one.run, "m:0", before, words, error), 0);
    finish_one(&one);
    snprintf(spec, sizeof spec, "m:0+%zu", words);
    assert_int_equal(run_get(one.run, spec, after, words, error), 0);
    close_one(&one);
}

char *loops_run_dump(const char *text, const struct run_options *options)
{
    struct run_options with_dump = *options;
    struct one one;
    char *dump = NULL;
    size_t size = 0;
    with_dump.dump = open_memstream(&dump, &size);
    assert_non_null(with_dump.dump);
    open_one(&one, text, NULL, &with_dump);
    finish_one(&one);
    close_one(&one);
    assert_int_equal(fclose(with_dump.dump), 0);
    return dump;
}

uint64_t loops_run_events(const char *text, const char *const *settings, struct event_list *events)
{
    char *list;
    size_t size;
    FILE *file = open_memstream(&list, &size);
    assert_non_null(file);
    const struct run_options options = {.timing_only = true, .total_only = true, .events = file};
    struct one one;
    open_one(&one, text, settings, &options);
    finish_one(&one);
    close_one(&one);
    assert_int_equal(fclose(file), 0);
    event_list_read(events, list);
    free(list);
    return cycles;
}

uint64_t loops_run_cycles(const char *text, const char *const *settings, bool run_ahead)
{
    const struct run_options options = {
        .timing_only = true, .total_only = true, .no_run_ahead = !run_ahead};
    struct one one;
    open_one(&one, text, settings, &options);
    finish_one(&one);
    close_one(&one);
    return cycles;
}

void loops_run_slack(const char *text)
{
    const struct run_options options = {.timing_only = true, .no_range = true};
    struct one one;
    open_one(&one, text, NULL, &options);
    finish_one(&one);
    for (uint32_t s = 0; s < STATEMENTS; s++)
        for (unsigned i = 0; i < 2 && turns[s] > i && slack[s] >= 0; i++) {
            const struct machine_delay delay = {
                .stmt = s, .turn = i * (turns[s] - 1), .cycles = (uint64_t)slack[s]};
            uint64_t total;
            assert_int_equal(run_delayed(one.run, &delay, &total), 0);
            if (total != cycles)
                fail_msg("statement %u, turn %llu, %lld cycles: %llu, not %llu\n%s", s,
                         (unsigned long long)delay.turn, (long long)slack[s],
                         (unsigned long long)total, (unsigned long long)cycles, text);
        }
    close_one(&one);
}
