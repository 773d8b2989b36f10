#include "tests/ventus/timed.h"
#include "timing/machines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int keep_units(void *context, const struct sink_header *header)
{
    struct ran *ran = context;
    assert_true(header->unit_count <= 128);
    memcpy(ran->units, header->units, header->unit_count * sizeof *header->units);
    return 0;
}

static int keep_issue(void *context, const struct sink_interval *interval)
{
    struct ran *ran = context;
    const uint64_t end = interval->start + interval->duration;
    ran->last = end > ran->last ? end : ran->last;
    const char *dot = strstr(ran->units[interval->unit].name, ".warp");
    if (dot && interval->reason == REASON_BUSY)
        for (uint64_t c = interval->start; c < interval->start + interval->duration && c < 4096;
             c++)
            ran->issued[c] = (uint32_t)atoi(dot + 5) + 1;
    return 0;
}

static int keep_counters(void *context, const struct sink_summary *summary)
{
    struct ran *ran = context;
    ran->cycles = summary->cycles;
    assert_true(ran->last <= ran->cycles);
    for (size_t i = 0; i < summary->counter_count; i++) {
        const struct sink_counter *c = &summary->counters[i];
        ran->counters[c->counter] = c->value;
        ran->idle += c->counter == VENTUS_COUNTER_IDLE_AT ? c->value : 0;
        if (c->counter == VENTUS_COUNTER_ACCESSES_OF)
            ran->of_lines[c->index] = c->value;
    }
    return 0;
}

static const struct sink_ops keep = {
    .name = "keep", .begin = keep_units, .interval = keep_issue, .finish = keep_counters};

void read_config(struct config *config, const char *settings)
{
    char error[400], words[400];
    assert_int_equal(machine_config(&machine_ventus, config, error, sizeof error), 0);
    snprintf(words, sizeof words, "%s", settings);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        if (config_set(config, word, error, sizeof error) != 0)
            fail_msg("%s", error);
}

void open_text(struct opened *o, struct ran *ran, const char *text, const struct config *config,
               bool no_run_ahead)
{
    char error[MACHINE_ERROR];
    *ran = (struct ran){0};
    diag_list_init(&o->diags);
    assert_int_equal(source_from_text(&o->source, "k.ventus", text, strlen(text)), 0);
    if (ventus_program_load(&o->program.program, &o->source, 1, &o->diags) != 0 ||
        machine_ventus.language->check(&o->program, config, NULL, &o->diags) != 0) {
        diag_print(&o->diags, &o->source, 1, stderr, false);
        fail_msg("%s", text);
    }
    const struct run_options options = {.total_only = true, .no_run_ahead = no_run_ahead};
    o->sink = (struct sink){&keep, ran};
    const struct run_setup setup = {&o->program, config, &options, &o->sink};
    assert_int_equal(run_open(&o->run, &machine_ventus, &setup, &o->diags, error), 0);
    enum run_status status;
    while ((status = run_advance(o->run, 1000, &o->diags, error)) == RUN_MORE)
        continue;
    if (status != RUN_DONE) {
        diag_print(&o->diags, &o->source, 1, stderr, false);
        fail_msg("%s\n%s", error, text);
    }
}

void close_text(struct opened *o)
{
    run_close(o->run);
    ventus_program_free(&o->program.program);
    diag_list_free(&o->diags);
    source_close(&o->source);
}

void run_text(struct ran *ran, const char *text, const struct config *config, bool no_run_ahead)
{
    struct opened opened;
    open_text(&opened, ran, text, config, no_run_ahead);
    close_text(&opened);
}

uint64_t number(const struct config *config, const char *name)
{
    for (size_t i = 0; i < config->count; i++)
        if (!strcmp(config->rows[i].name, name))
            return config_integer(config, i, false);
    fail_msg("%s", name);
    return 0;
}
