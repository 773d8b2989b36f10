#include "tests/improved.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advise.h"
#include "timing/run.h"

/* --- a run ------------------------------------------------------------------------------------ */

static int finish(void *context, const struct sink_summary *summary)
{
    *(uint64_t *)context = summary->cycles;
    return 0;
}

void improved_free(struct outcome *outcome)
{
    free(outcome->dump);
}

/* From one start of the memories. */
static struct outcome run_from(const struct machine *machine, const char *text, const char *packing,
                               const char *init)
{
    static const struct sink_ops ops = {.name = "total", .finish = finish};
    const struct machine_setting settings[] = {{"packing", packing}, {NULL, NULL}};
    struct outcome outcome = {.cycles = 0};
    struct run_options options = {
        .settings = packing ? settings : NULL, .init = init, .threads = 1, .total_only = true};
    const struct sink sink = {&ops, &outcome.cycles};
    struct source source;
    struct diag_list diags;
    struct config config;
    struct machine_program *program = NULL;
    struct machine_run *run = NULL;
    char error[MACHINE_ERROR] = "";
    diag_list_init(&diags);
    options.dump = open_memstream(&outcome.dump, &outcome.dump_size);
    assert_int_equal(source_from_text(&source, "k", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &config, error, sizeof error), 0);
    int status = machine->language->load(&program, &source, 1, &diags);
    const struct run_setup setup = {program, &config, &options, &sink};
    status = machine_legal(machine, status, program, &config, options.settings, &diags);
    enum run_status advanced = RUN_FAULT;
    if (status == 0)
        status = run_open(&run, machine, &setup, &diags, error);
    if (status == 0)
        do
            advanced = run_advance(run, UINT64_MAX, &diags, error);
        while (advanced == RUN_MORE);
    if (advanced != RUN_DONE) {
        diag_print(&diags, &source, 1, stderr, false);
        fail_msg("not legal: %s\n%s", error, text);
    }
    outcome.hash = run_hash(run);
    outcome.early = run_early(run);
    fclose(options.dump);
    run_close(run);
    machine->language->unload(program);
    config_free(&config);
    source_close(&source);
    diag_list_free(&diags);
    return outcome;
}

struct outcome improved_run(const struct machine *machine, const char *text, const char *packing)
{
    /* The time of some programs depends on values, and then takt advise takes those from zero. */
    struct outcome zero = run_from(machine, text, packing, NULL),
                   other = run_from(machine, text, packing, "random:5");
    other.cycles = zero.cycles;
    other.early = zero.early;
    improved_free(&zero);
    return other;
}

/* The last program that was run as written: it is asked for again and again. */
static struct {
    const struct machine *machine;
    char *text, *packing;
    struct outcome outcome;
} last;

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const struct outcome *run_as_written(const struct machine *machine, const char *text,
                                            const char *packing)
{
    if (last.machine == machine && same_text(last.text, text) && same_text(last.packing, packing))
        return &last.outcome;
    free(last.text);
    free(last.packing);
    improved_free(&last.outcome);
    last.machine = machine;
    last.text = strdup(text);
    last.packing = packing ? strdup(packing) : NULL;
    last.outcome = improved_run(machine, text, packing);
    return &last.outcome;
}

void improved_equal(const struct outcome *a, const struct outcome *b, const char *text)
{
    if (a->hash != b->hash || a->dump_size != b->dump_size ||
        memcmp(a->dump, b->dump, a->dump_size) != 0)
        fail_msg("%s differ\n%s", a->hash == b->hash ? "dumps" : "states", text);
}

/* --- a program that is to be improved --------------------------------------------------------- */

struct opened {
    struct config config;
    struct source source;
    struct diag_list diags;
    struct machine_setting settings[2];
    struct candidate_setup setup;
    struct candidates *candidates;
    char error[MACHINE_ERROR];
};

static size_t asks_left = SIZE_MAX;

void improved_stop(size_t asked)
{
    asks_left = asked;
}

static bool stop(void *unused)
{
    (void)unused;
    if (asks_left && asks_left != SIZE_MAX)
        asks_left--;
    return asks_left == 0;
}

static void open_text(struct opened *o, const struct machine *machine, const char *text,
                      const char *packing)
{
    diag_list_init(&o->diags);
    assert_int_equal(source_from_text(&o->source, "k", text, strlen(text)), 0);
    assert_int_equal(machine_config(machine, &o->config, o->error, sizeof o->error), 0);
    o->settings[0] = (struct machine_setting){packing ? "packing" : NULL, packing};
    o->settings[1] = (struct machine_setting){NULL, NULL};
    o->setup = (struct candidate_setup){.machine = machine,
                                        .config = &o->config,
                                        .source = &o->source,
                                        .settings = o->settings,
                                        .stop = stop};
    if (candidate_open(&o->candidates, &o->setup, &o->diags, o->error) != 0) {
        diag_print(&o->diags, &o->source, 1, stderr, false);
        fail_msg("%s\n%s", o->error, text);
    }
}

static void close_text(struct opened *o)
{
    candidate_free(o->candidates);
    diag_list_free(&o->diags);
    source_close(&o->source);
    config_free(&o->config);
}

bool improved_schedule(const struct machine *machine, const char *text, const char *packing,
                       struct schedule *schedule)
{
    return improved_job(machine, text, packing, &(struct schedule_job){.tags = false}, schedule);
}

bool improved_job(const struct machine *machine, const char *text, const char *packing,
                  const struct schedule_job *like, struct schedule *schedule)
{
    struct opened o;
    struct schedule_job job = *like;
    open_text(&o, machine, text, packing);
    job.setup = &o.setup;
    const int status = schedule_find(o.candidates, &job, schedule, o.error);
    if (status < 0)
        fail_msg("%s\n%s", o.error, text);
    if (status == 0) {
        const struct outcome *before = run_as_written(machine, text, packing);
        assert_int_equal(schedule->before, before->cycles);
        if (!schedule->kept) {
            struct outcome after = improved_run(machine, schedule->text, packing);
            assert_int_equal(schedule->after, after.cycles);
            assert_true(after.early <= (job.tags ? 0 : before->early));
            improved_equal(before, &after, text);
            improved_free(&after);
        }
        if (schedule->after >= schedule->before + schedule->kept ||
            schedule->bound > schedule->after)
            fail_msg("%llu -> %llu, bound %llu, kept %d\n%s", (unsigned long long)schedule->before,
                     (unsigned long long)schedule->after, (unsigned long long)schedule->bound,
                     schedule->kept, text);
    } else {
        assert_true(o.error[0] != '\0');
        schedule_free(schedule);
    }
    close_text(&o);
    return status == 0;
}

bool improved_renamed(const struct machine *machine, const char *text, const char *packing,
                      struct schedule *s)
{
    struct opened o;
    open_text(&o, machine, text, packing);
    const struct schedule_job job = {.setup = &o.setup};
    const int status = schedule_find_renamed(o.candidates, &job, s, o.error);
    if (status < 0)
        fail_msg("%s\n%s", o.error, text);
    if (status == 0) {
        const struct outcome *before = run_as_written(machine, text, packing);
        struct outcome after = improved_run(machine, s->kept ? text : s->text, packing);
        assert_int_equal(s->before, before->cycles);
        assert_int_equal(s->after, after.cycles);
        assert_true(s->after <= s->unrenamed && s->unrenamed <= s->before);
        assert_true((s->after < s->unrenamed) == (s->renamed.count > 0));
        assert_true(s->free_places <= s->after && s->bound <= s->after);
        assert_true(after.early <= before->early);
        if (s->renamed.count)
            after.hash = before->hash;
        improved_equal(before, &after, text);
        improved_free(&after);
    } else {
        schedule_free(s);
    }
    close_text(&o);
    return status == 0;
}

/* --- loops ------------------------------------------------------------------------------------ */

static void pipeline_holds(const struct opened *o, const struct pipeline *p, const char *text,
                           const char *packing)
{
    const struct outcome *before = run_as_written(o->setup.machine, text, packing);
    const uint64_t bound = p->intervals[INTERVAL_ANY_ORDER].cycles;
    assert_int_equal(p->before, before->cycles);
    assert_true(p->intervals[INTERVAL_FREE_PLACES].cycles <= bound);
    assert_true(p->intervals[INTERVAL_WAITS].cycles >= bound);
    if (p->kept) {
        assert_int_equal(p->after, p->before);
        return;
    }
    struct outcome after = improved_run(o->setup.machine, p->text, packing);
    assert_int_equal(p->after, after.cycles);
    assert_true(after.early <= before->early);
    improved_equal(before, &after, text);
    improved_free(&after);
    if (p->after >= p->before || p->found.interval < bound)
        fail_msg("%llu -> %llu cycles, interval %llu, bound %llu\n%s\n%s",
                 (unsigned long long)p->before, (unsigned long long)p->after,
                 (unsigned long long)p->found.interval, (unsigned long long)bound, text, p->text);
}

bool improved_pipeline(const struct machine *machine, const char *text, const char *packing,
                       const char *region, struct pipeline *pipeline, char *error)
{
    struct opened o;
    open_text(&o, machine, text, packing);
    const struct pipeline_job job = {.setup = &o.setup, .region = region};
    const int status = pipeline_find(o.candidates, &job, pipeline, o.error);
    if (status < 0)
        fail_msg("%s\n%s", o.error, text);
    if (status == 0)
        pipeline_holds(&o, pipeline, text, packing);
    else
        pipeline_free(pipeline);
    snprintf(error, MACHINE_ERROR, "%s", o.error);
    assert_true((status == 0) == (error[0] == '\0'));
    close_text(&o);
    return status == 0;
}

struct original {
    struct opened opened;
};

struct original *improved_open(const struct machine *machine, const char *text, const char *packing)
{
    struct original *original = calloc(1, sizeof *original);
    assert_non_null(original);
    open_text(&original->opened, machine, text, packing);
    return original;
}

void improved_close(struct original *original)
{
    close_text(&original->opened);
    free(original);
}

uint64_t improved_same(struct original *original, const char *text)
{
    return improved_below(original, text, UINT64_MAX);
}

uint64_t improved_below(struct original *original, const char *text, uint64_t limit)
{
    const struct candidate candidate = {.text = text, .size = strlen(text)};
    struct candidates *candidates = original->opened.candidates;
    uint64_t cycles;
    bool equal = false;
    assert_int_equal(candidate_time(candidates, &candidate, &cycles), 0);
    if (cycles < limit)
        assert_int_equal(candidate_compare(candidates, &candidate, false, &equal), 0);
    return equal ? cycles : UINT64_MAX;
}

void improved_find(struct original *original, const struct schedule_job *like,
                   struct schedule *schedule)
{
    struct opened *o = &original->opened;
    struct schedule_job job = *like;
    job.setup = &o->setup;
    assert_int_equal(schedule_find(o->candidates, &job, schedule, o->error), 0);
}

uint64_t improved_advised(struct original *original)
{
    const struct opened *o = &original->opened;
    struct advice advice;
    const struct advise_job job = {.setup = &o->setup,
                                   .text = o->source.text,
                                   .size = o->source.size,
                                   .cycles = candidate_cycles(o->candidates),
                                   .budget = ADVISE_BUDGET};
    assert_int_equal(advise_find(o->candidates, &job, &advice), 0);
    const uint64_t cycles = advice.after;
    advise_free(&advice);
    return cycles;
}

/* --- advice ----------------------------------------------------------------------------------- */

/* The edits of an item done to a text, by nobody's code but this. */
static char *edited(const char *text, const struct advice_item *item)
{
    char *result = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&result, &size);
    uint32_t line = 1;
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n', line++) {
        const struct advice_edit *edit = NULL;
        for (size_t e = 0; e < item->edit_count; e++)
            if (item->edits[e].line == line)
                edit = &item->edits[e];
        if (edit && edit->text)
            fprintf(out, "%s\n", edit->text);
        else if (!edit)
            fprintf(out, "%.*s\n", (int)strcspn(at, "\n"), at);
    }
    fclose(out);
    return result;
}

/* Equal dumps, and the state as well unless the item says that it differs. */
static void item_holds(const struct machine *machine, const char *text, const char *packing,
                       const struct advice_item *item, const struct outcome *as_written)
{
    struct outcome now = improved_run(machine, text, packing);
    assert_int_equal(now.cycles, item->after);
    if (item->dumps_only)
        now.hash = as_written->hash;
    improved_equal(as_written, &now, text);
    improved_free(&now);
}

/* Of any order, of the program as written. */
static uint64_t bound_of(const struct opened *o)
{
    char error[MACHINE_ERROR];
    const struct run_options options = {.settings = o->settings};
    const struct run_setup setup = {
        .program = candidate_program(o->candidates), .config = &o->config, .options = &options};
    struct machine_proof proof;
    assert_int_equal(machine_prove(&proof, o->setup.machine, &setup, 0, error), 0);
    const struct bound *best = bounds_best(&proof.bounds, BOUND_ANY_ORDER);
    const uint64_t cycles = best ? best->cycles : 0;
    machine_proof_free(&proof);
    return cycles;
}

size_t improved_advice(const struct machine *machine, const char *text, const char *packing,
                       bool findings)
{
    struct opened o;
    struct advice advice;
    size_t items = 0;
    uint64_t saved = 0;
    open_text(&o, machine, text, packing);
    const struct advise_job job = {.setup = &o.setup,
                                   .text = text,
                                   .size = strlen(text),
                                   .cycles = candidate_cycles(o.candidates),
                                   .budget = ADVISE_BUDGET,
                                   .findings = findings};
    assert_int_equal(advise_find(o.candidates, &job, &advice), 0);
    const struct outcome *as_written = run_as_written(machine, text, packing);
    assert_int_equal(as_written->cycles, advice.before);
    char *now = strdup(text);
    for (size_t i = 0; i < advice.count; i++) {
        const struct advice_item *item = &advice.items[i];
        if (item->edit_count == 0) /* other options */
            continue;
        char *next = edited(now, item);
        item_holds(machine, next, packing, item, as_written);
        assert_int_equal(item->before, advice.before - saved);
        assert_true(item->finding || item->after < item->before);
        if (item->finding) {
            free(next);
            continue;
        }
        saved += item->before - item->after;
        items++;
        free(now);
        now = next;
    }
    assert_int_equal(advice.before - advice.after, saved);
    assert_string_equal(now, advice.text);
    if (advice.after < bound_of(&o))
        fail_msg("%llu cycles, below the bound: what depends on what was not kept\n%s",
                 (unsigned long long)advice.after, text);
    advise_free(&advice);
    close_text(&o);
    free(now);
    return items;
}
