#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/app_answer.h"
#include "host/failure.h"
#include "host/text.h"

/* What is open while an application is timed. */
struct job {
    struct takt_machine *machine; /* of the file, where the caller has none */
    struct source source;
    bool opened;
    struct diag_list diags;
    struct app app;
    struct run_options options;
    struct app_answer found;
};

struct app_handle {
    struct takt_app answer;
    struct library_copy *copies;
};

void takt_app_close(struct takt_app *app)
{
    struct app_handle *h = (struct app_handle *)app;
    if (!h)
        return;
    library_copies_free(h->copies);
    free(h);
}

/* --- what is wrong ---------------------------------------------------------------------------- */

/* Errors of the application, or of the first program that has some. */
static enum takt_status wrong(const struct job *job, int status, struct takt_error *error)
{
    if (status < 0)
        return library_no_memory(error);
    if (job->diags.errors)
        return library_fault(error, &job->diags, &job->source);
    for (size_t i = 0; i < job->app.program_count; i++)
        if (job->app.programs[i].diags.errors)
            return library_fault(error, &job->app.programs[i].diags, &job->app.programs[i].source);
    return library_fail(error, TAKT_INPUT, "%s: the application cannot be timed", job->source.name);
}

/* A turn that failed. */
static enum takt_status turn_wrong(const struct job *job, int status, const struct diag_list *fault,
                                   struct takt_error *error)
{
    const struct app_turns *turns = &job->found.time.turns;
    const struct app_program *program =
        turns->faulty < job->app.program_count ? &job->app.programs[turns->faulty] : NULL;
    if (fault->errors && program)
        return library_fault(error, fault, &program->source);
    if (*turns->error)
        return library_fail(error, status < 0 ? TAKT_HOST : TAKT_INPUT, "%s: %s",
                            program ? program->path : job->source.name, turns->error);
    return wrong(job, status, error);
}

/* --- timing it -------------------------------------------------------------------------------- */

static enum takt_status open_text(struct job *job, const struct takt_text *text,
                                  struct takt_error *error)
{
    char sentence[MACHINE_ERROR] = "";
    const int status = library_open_text(&job->source, text, sentence, sizeof sentence);
    job->opened = status == 0;
    return library_below(error, status, sentence);
}

/* What the text says, without its programs. */
static enum takt_status read_text(struct job *job, const struct takt_text *text,
                                  struct takt_error *error)
{
    const enum takt_status opened = open_text(job, text, error);
    if (opened != TAKT_FINE)
        return opened;
    const int status = app_read(&job->app, &job->source, &job->diags);
    return status == 0 ? TAKT_FINE : wrong(job, status, error);
}

static enum takt_status find(struct job *job, const struct takt_machine *machine,
                             struct takt_error *error)
{
    int status;
    if (machine && machine->machine != job->app.machine)
        return library_fail(error, TAKT_MISUSE, "%s is for the machine %s", job->source.name,
                            job->app.machine->name);
    if (!machine) {
        const enum takt_status opened =
            takt_machine_open(&job->machine, job->app.machine->name, error);
        if (opened != TAKT_FINE)
            return opened;
        machine = job->machine;
    }
    char sentence[MACHINE_ERROR] = "";
    status = library_machine_fits(machine, sentence);
    if (status != 0)
        return library_below(error, status, sentence);
    job->options.settings = machine->settings;
    job->found.how = (struct app_how){
        .app = &job->app, .config = &machine->config, .options = &job->options, .shown = true};
    status = app_load(&job->app, &machine->config, machine->settings, &job->diags);
    if (status != 0)
        return wrong(job, status, error);
    struct diag_list fault;
    diag_list_init(&fault);
    status = app_answer_find(&job->found, 1, &fault);
    const enum takt_status found = status == 0 ? TAKT_FINE : turn_wrong(job, status, &fault, error);
    diag_list_free(&fault);
    return found;
}

/* --- the answer ------------------------------------------------------------------------------- */

static bool list_steps(struct app_handle *h, const struct job *job)
{
    const size_t count = job->app.count;
    struct takt_app_step *steps = library_kept(&h->copies, NULL, count * sizeof *steps);
    bool whole = steps != NULL;
    for (size_t s = 0; s < count && whole; s++) {
        const struct app_step *step = &job->app.steps[s];
        const struct app_sum *sum = &job->found.time.sums[s];
        char text[APP_TEXT];
        steps[s] = (struct takt_app_step){
            .kind = app_kind_name(step->kind),
            .text = library_kept_text(&h->copies, app_step_text(&job->app, step, text)),
            .line = step->line,
            .depth = step->depth,
            .times = step->times,
            .done = sum->done,
            .cycles = sum->own,
            .exposed = sum->exposed};
        whole = steps[s].text;
    }
    h->answer.steps = steps;
    h->answer.step_count = count;
    return whole;
}

/* NULL: no memory. json_dumps may leave out a part then. */
static char *write_json(const struct app_answer *answer)
{
    json_t *json = app_answer_json(answer);
    char *text = NULL;
    size_t size = 0;
    FILE *out = json ? text_open(&text, &size) : NULL;
    const int status = out ? json_dumpf(json, out, JSON_COMPACT | JSON_REAL_PRECISION(15)) : -1;
    json_decref(json);
    if ((out && text_close(out, &text) != 0) || status != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static struct takt_app *list_answer(const struct job *job)
{
    const struct app_answer *a = &job->found;
    struct app_handle *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    char limit[APP_LIMIT];
    char *text = write_json(a);
    h->answer = (struct takt_app){
        .machine = job->app.machine->name,
        .boards = job->app.boards,
        .cycles = a->time.total,
        .cycles_documented = job->options.documented ? a->time.total : a->documented,
        .clock_hz = a->time.clock_hz,
        .has_range = a->range.known,
        .range_low = a->range.low,
        .range_high = a->range.high,
        .simulated = a->time.turns.simulated,
        .limit = library_kept_text(&h->copies, app_answer_limit(a, limit)),
        .json = text ? library_kept_text(&h->copies, text) : NULL};
    const bool whole = h->answer.limit && h->answer.json && list_steps(h, job);
    free(text);
    if (whole)
        return &h->answer;
    takt_app_close(&h->answer);
    return NULL;
}

static void close_job(struct job *job)
{
    app_answer_free(&job->found);
    app_free(&job->app);
    diag_list_free(&job->diags);
    if (job->opened)
        source_close(&job->source);
    takt_machine_close(job->machine);
}

enum takt_status takt_app_machine(struct takt_machine **result, const struct takt_text *text,
                                  struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!text || !text->name)
        return library_missing(error, "the name of a text");
    struct job job = {.machine = NULL};
    diag_list_init(&job.diags);
    const unsigned long failures = failure_count_host();
    enum takt_status status = read_text(&job, text, error);
    if (status != TAKT_HOST && failure_count_host() != failures)
        status = library_no_memory(error);
    if (status == TAKT_FINE)
        status = takt_machine_open(result, job.app.machine->name, error);
    close_job(&job);
    return status;
}

enum takt_status takt_app_open(struct takt_app **result, struct takt_machine *machine,
                               const struct takt_text *text, unsigned flags,
                               struct takt_error *error)
{
    if (!result)
        return library_missing(error, "the place of the answer");
    *result = NULL;
    if (!text || !text->name)
        return library_missing(error, "the name of a text");
    if (flags & ~(unsigned)(TAKT_DOCUMENTED | TAKT_RANGE))
        return library_fail(error, TAKT_MISUSE,
                            "an application takes TAKT_DOCUMENTED and TAKT_RANGE only");
    struct job job = {.options = {.timing_only = true,
                                  .documented = flags & TAKT_DOCUMENTED,
                                  .no_range = !(flags & TAKT_RANGE)}};
    diag_list_init(&job.diags);
    const unsigned long failures = failure_count_host();
    job.diags.silenced = machine ? (const char *const *)machine->silenced : NULL;
    enum takt_status status = read_text(&job, text, error);
    if (status == TAKT_FINE)
        status = find(&job, machine, error);
    if (status == TAKT_FINE && !(*result = list_answer(&job)))
        status = library_no_memory(error);
    if (status != TAKT_HOST && failure_count_host() != failures) {
        takt_app_close(*result);
        *result = NULL;
        status = library_no_memory(error);
    }
    close_job(&job);
    return status;
}
