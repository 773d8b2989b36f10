#include "analysis/fit_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timing/machines.h"
#include "traces/sinks.h"

/* --- other quantities than totals ------------------------------------------------------------- */

/* The first visit of a unit to a line: intervals in a row. */
struct visit {
    double start; /* of the last of them */
    bool open, over;
};

/* What a sink looks for in one run. */
struct look {
    const struct fit_case *c;
    bool *issuing; /* by unit */
    size_t units;
    uint32_t counter; /* NONE_ID: not there */
    bool *of[2];      /* by statement: of the first and the second line, or of the region */
    size_t stmts;
    double at[2];         /* of the lines; below 0: not seen */
    struct visit *visits; /* by line and unit */
    uint64_t *time;       /* by unit: in the region */
    uint32_t streams;     /* issuing units */
    bool executed;        /* some of the region, in one of these */
    double value;
    bool found;
};

static int look_begin(void *context, const struct sink_header *header)
{
    struct look *look = context;
    const struct fit_measurement *m = look->c->measurement;
    look->units = header->unit_count;
    look->stmts = header->stmt_count;
    look->issuing = calloc(look->units + 1, sizeof *look->issuing);
    look->visits = calloc(2 * look->units + 1, sizeof *look->visits);
    look->time = calloc(look->units + 1, sizeof *look->time);
    look->of[0] = calloc(look->stmts + 1, 2 * sizeof **look->of);
    if (!look->issuing || !look->visits || !look->time || !look->of[0])
        return -1;
    for (uint32_t u = 0; u < header->unit_count; u++) {
        look->issuing[u] = strcmp(header->units[u].kind, "issue") == 0;
        look->streams += look->issuing[u];
    }
    for (uint32_t k = 0; m->kind == FIT_COUNTER && k < header->counter_count; k++)
        if (strcmp(header->counters[k].name, m->name) == 0)
            look->counter = k;
    look->of[1] = look->of[0] + look->stmts;
    for (size_t s = 0; s < look->stmts; s++) {
        const struct stmt_info *stmt = &header->stmts[s];
        look->of[0][s] = m->kind == FIT_REGION ? strcmp(header->regions[stmt->region], m->name) == 0
                                               : stmt->line == m->lines[0];
        look->of[1][s] = m->kind == FIT_BETWEEN && stmt->line == m->lines[1];
    }
    return 0;
}

static void look_free(struct look *look)
{
    free(look->issuing);
    free(look->visits);
    free(look->time);
    free(look->of[0]);
}

static void look_at(struct look *look, unsigned line, double cycle)
{
    if (look->at[line] < 0 || cycle < look->at[line])
        look->at[line] = cycle;
}

/* As analysis/measured.h has it: a statement issues where its unit works or its transfer goes; of
 * one that only passes time, its last interval in a row is the issue. */
static int look_interval(void *context, const struct sink_interval *interval)
{
    struct look *look = context;
    const uint32_t unit = interval->unit, stmt = interval->stmt;
    if (look->c->machine->language->wide || unit >= look->units || !look->issuing[unit])
        return 0;
    for (unsigned line = 0; line < 2; line++) {
        struct visit *visit = &look->visits[2 * unit + line];
        const bool here = stmt < look->stmts && look->of[line][stmt];
        visit->over |= visit->open && !here;
        if (!here)
            continue;
        if (interval->reason == REASON_BUSY)
            look_at(look, line, (double)interval->start);
        if (!visit->over)
            *visit = (struct visit){(double)interval->start, true, false};
    }
    return 0;
}

static int look_issue(void *context, const struct sink_transfer *transfer)
{
    struct look *look = context;
    for (unsigned line = 0; line < 2; line++)
        if (transfer->stmt < look->stmts && look->of[line][transfer->stmt])
            look_at(look, line, (double)transfer->issued);
    return 0;
}

/* Where a stream begins several in a cycle, intervals have the first one alone. */
static int look_execution(void *context, const struct sink_execution *execution)
{
    struct look *look = context;
    if (!look->c->machine->language->wide || execution->stream >= look->streams ||
        execution->stmt >= look->stmts)
        return 0;
    look->executed |= look->of[0][execution->stmt];
    for (unsigned line = 0; line < 2; line++)
        if (look->of[line][execution->stmt])
            look_at(look, line, (double)execution->start);
    return 0;
}

static void look_between(struct look *look)
{
    for (unsigned line = 0; line < 2; line++) {
        const bool works = look->at[line] >= 0;
        for (size_t u = 0; u < look->units && !works; u++)
            if (look->visits[2 * u + line].open)
                look_at(look, line, look->visits[2 * u + line].start);
    }
    look->found = look->at[0] >= 0 && look->at[1] >= 0;
    look->value = look->found ? fabs(look->at[1] - look->at[0]) : 0;
}

/* As takt report TRACE regions counts: all cycles of a stream at the region's statements. */
static int look_inside(void *context, const struct sink_interval *interval)
{
    struct look *look = context;
    if (interval->unit < look->units && look->issuing[interval->unit] &&
        interval->stmt < look->stmts && look->of[0][interval->stmt])
        look->time[interval->unit] += interval->duration;
    return 0;
}

/* Of several streams the one that is longest there. In another instruction's cycle a region takes
 * none. */
static void look_region(struct look *look)
{
    uint64_t most = 0;
    for (size_t u = 0; u < look->units; u++)
        most = look->time[u] > most ? look->time[u] : most;
    look->value = (double)most;
    look->found = most > 0 || look->executed;
}

static int look_transfer(void *context, const struct sink_transfer *transfer)
{
    struct look *look = context;
    if (!look->found && transfer->stmt < look->stmts && look->of[0][transfer->stmt]) {
        look->found = true;
        look->value = (double)(transfer->finished - transfer->issued);
    }
    return 0;
}

static int look_finish(void *context, const struct sink_summary *summary)
{
    struct look *look = context;
    const struct fit_measurement *m = look->c->measurement;
    for (size_t i = 0; m->kind == FIT_COUNTER && i < summary->counter_count; i++)
        if (summary->counters[i].counter == look->counter &&
            summary->counters[i].index == m->lines[0]) {
            look->found = true;
            look->value = (double)summary->counters[i].value;
        }
    if (m->kind == FIT_COUNTER && look->counter != NONE_ID && !look->found) {
        look->found = true; /* of no event */
        look->value = 0;
    }
    return 0;
}

static const struct sink_ops counting = {.name = "fit", .begin = look_begin, .finish = look_finish};
static const struct sink_ops transfers = {
    .name = "fit", .begin = look_begin, .transfer = look_transfer};
static const struct sink_ops lines = {.name = "fit",
                                      .begin = look_begin,
                                      .interval = look_interval,
                                      .transfer = look_issue,
                                      .execution = look_execution};
static const struct sink_ops regions = {
    .name = "fit", .begin = look_begin, .interval = look_inside, .execution = look_execution};

static int run_with(const struct fit_case *c, const struct config *config, const struct sink *sink)
{
    struct diag_list unsaid;
    char error[MACHINE_ERROR];
    struct machine_run *run;
    const struct run_setup setup = {c->program, config, &c->options, sink};
    diag_list_init(&unsaid);
    int status = run_open(&run, c->machine, &setup, &unsaid, error);
    if (status == 0)
        status = run_whole(run, &unsaid, error);
    run_close(run);
    diag_list_free(&unsaid);
    return status;
}

static int look_for(const struct fit_case *c, const struct config *config, double *value)
{
    struct look look = {.c = c, .counter = NONE_ID, .at = {-1, -1}};
    const enum fit_quantity kind = c->measurement->kind;
    const struct sink_ops *ops = kind == FIT_COUNTER    ? &counting
                                 : kind == FIT_TRANSFER ? &transfers
                                 : kind == FIT_REGION   ? &regions
                                                        : &lines;
    const struct sink sink = {ops, &look};
    const int status = run_with(c, config, &sink);
    if (status == 0 && kind == FIT_BETWEEN)
        look_between(&look);
    if (status == 0 && kind == FIT_REGION)
        look_region(&look);
    look_free(&look);
    *value = look.value;
    return status ? status : !look.found;
}

int fit_case_issues(const struct fit_case *c, const struct config *config,
                    struct measured_listener *listener, struct measured_answer *answer)
{
    *listener = (struct measured_listener){.wide = c->machine->language->wide, .sorts = c->sorts};
    *answer = (struct measured_answer){.count = 0};
    const struct sink sink = measured_sink(listener);
    const int status = run_with(c, config, &sink);
    return status == 0 ? measured_compare(answer, c->issues, listener) : status;
}

static int compare_issues(const struct fit_case *c, const struct config *config, double *value)
{
    struct measured_listener listener;
    struct measured_answer answer;
    const int status = fit_case_issues(c, config, &listener, &answer);
    *value = answer.worst;
    measured_listener_free(&listener);
    measured_answer_free(&answer);
    return status;
}

int fit_case_time(const struct fit_case *c, const struct config *config, bool alone, double *value)
{
    const enum fit_quantity kind = c->measurement->kind;
    if (kind == FIT_EVENTS)
        return compare_issues(c, config, value);
    if (kind != FIT_CYCLES && kind != FIT_TIME)
        return look_for(c, config, value);
    uint64_t cycles = 0;
    if (kind == FIT_CYCLES) {
        const int status = run_retime(c->run, config, alone, &cycles);
        *value = (double)cycles;
        return status;
    }
    /* Cycles of the clock that these numbers have, for a lower bound, too. */
    const struct model_options options = {.config = config, .alone = alone};
    const int status = run_again(c->run, &options, &cycles);
    *value = (double)cycles * (1e9 / run_clock(c->run, config));
    return status;
}

/* --- open and close --------------------------------------------------------------------------- */

static int open_run(struct fit_case *c, const struct config *config, struct diag_list *diags,
                    char error[MACHINE_ERROR])
{
    const struct run_setup setup = {c->program, config, &c->options, &run_unseen};
    int status = run_open(&c->run, c->machine, &setup, diags, error);
    return status == 0 ? run_whole(c->run, diags, error) : status;
}

static void take_work(struct fit_case *c)
{
    const struct kernel *kernel = &c->run->model->kernel;
    c->events = kernel->events + 1;
    c->work = c->events + kernel->wakes + kernel->unit_events;
}

/* Where it can, without values. */
static int execute(struct fit_case *c, const struct config *config, char error[MACHINE_ERROR])
{
    const struct fit_measurement *m = c->measurement;
    struct diag_list unsaid;
    diag_list_init(&unsaid);
    c->options.timing_only = !m->loads[0] && !m->init;
    int status = machine_accept(c->machine, &c->options, error);
    if (status == 0)
        status = open_run(c, config, &unsaid, error);
    struct run_options options = c->options;
    char refused[MACHINE_ERROR];
    options.timing_only = false;
    if (status > 0 && c->options.timing_only &&
        machine_accept(c->machine, &options, refused) == 0) {
        run_close(c->run);
        c->options = options;
        status = open_run(c, config, &unsaid, error);
    }
    diag_list_free(&unsaid);
    if (status == 0)
        take_work(c);
    return status;
}

/* Why nothing of a list of issues can be compared. */
static int compare_first(const struct fit_case *c, const struct config *config,
                         char error[FIT_ERROR])
{
    struct measured_listener listener;
    struct measured_answer answer;
    const char *list = c->measurement->name, *program = c->measurement->path;
    const int status = fit_case_issues(c, config, &listener, &answer);
    if (status > 0 && answer.intervals && answer.unmatched == c->issues->count)
        snprintf(error, FIT_ERROR,
                 "%.300s: the run of %.300s issues nothing at a place and in a stream of the list",
                 list, program);
    else if (status > 0 && !answer.intervals)
        snprintf(error, FIT_ERROR, "%.300s cannot be run", program);
    else if (status > 0)
        snprintf(error, FIT_ERROR,
                 "%.300s: no two issues of a stream are in the list and in the run of %.300s", list,
                 program);
    measured_listener_free(&listener);
    measured_answer_free(&answer);
    return status;
}

static int load(struct fit_case *c, const struct config *config, char error[FIT_ERROR])
{
    struct diag_list diags;
    diag_list_init(&diags);
    const int loaded = c->machine->language->load(&c->program, &c->source, 1, &diags);
    const int status =
        machine_legal(c->machine, loaded, c->program, config, c->options.settings, &diags);
    diag_sort(&diags);
    const struct diag *first = NULL;
    for (size_t i = 0; i < diags.count && !first; i++)
        if (diags.items[i].severity == DIAG_ERROR)
            first = &diags.items[i];
    const struct machine *other = status > 0 ? machine_of(c->measurement->path) : NULL;
    const bool foreign = other && other != c->machine;
    if (status > 0)
        snprintf(error, FIT_ERROR, "%.150s:%u: %.200s%s%s%s%s", c->source.name,
                 first ? first->line : 0, first ? first->message : "the program has errors",
                 foreign ? "; it is a program of " : "", foreign ? other->title : "",
                 foreign ? ", and the list is of " : "", foreign ? c->machine->title : "");
    diag_list_free(&diags);
    return status;
}

/* Its quantity in a run: why there is none. */
static int look_first(struct fit_case *c, const struct config *config, char error[FIT_ERROR])
{
    const struct fit_measurement *m = c->measurement;
    const struct riscv_image *(*const image_of)(const struct machine_program *program) =
        c->machine->language->image;
    double value;
    int status = 0;
    if (m->kind != FIT_EVENTS) {
        status = fit_case_time(c, config, false, &value);
        if (status > 0)
            snprintf(error, FIT_ERROR, "the run has no %.60s", m->quantity);
        return status;
    }
    status = measured_read(&c->issues, m->name, image_of ? image_of(c->program) : NULL, error);
    if (status == 0) {
        c->issues->start = m->start;
        status = compare_first(c, config, error);
    }
    return status;
}

/* The sentence with its place in the list. */
static void say_where(const struct fit_measurement *m, enum fit_field field, const char *why,
                      char error[FIT_ERROR])
{
    const struct fit_spot *spot = &m->spots[field];
    const char *colon = m->place ? strrchr(m->place, ':') : NULL;
    if (colon && spot->line)
        snprintf(error, FIT_ERROR, "%.*s:%zu:%zu: error: %.400s",
                 (int)(colon - m->place < 240 ? colon - m->place : 240), m->place, spot->line,
                 spot->column, why);
    else
        snprintf(error, FIT_ERROR, "%s", why);
}

int fit_case_open(struct fit_case *c, const struct machine *machine, const struct config *config,
                  const struct fit_measurement *m, char error[FIT_ERROR])
{
    char why[FIT_ERROR] = "";
    enum fit_field field = FIT_AT_PROGRAM;
    *c = (struct fit_case){.measurement = m, .machine = machine};
    c->options = (struct run_options){.settings = m->settings,
                                      .init = m->init,
                                      .loads = (const char *const *)m->loads,
                                      .total_only = true,
                                      .no_range = true,
                                      .threads = 1};
    int status = m->text ? source_from_text(&c->source, m->path, m->text, m->text_size)
                         : source_open(&c->source, m->path, why, sizeof why);
    if (status == 0)
        status = load(c, config, why);
    if (status == 0) {
        field = FIT_AT_OPTIONS;
        status = execute(c, config, why);
    }
    if (status == 0) {
        field = FIT_AT_QUANTITY;
        status = look_first(c, config, why);
    }
    if (status != 0 && why[0])
        say_where(m, field, why, error);
    return status;
}

void fit_case_close(struct fit_case *c)
{
    run_close(c->run);
    if (c->program)
        c->machine->language->unload(c->program);
    if (c->source.name)
        source_close(&c->source);
    measured_free(c->issues);
    *c = (struct fit_case){.run = NULL};
}
