#include "editor/study.h"

#include <stdlib.h>
#include <string.h>

#include "timing/run.h"

/* Statements or events of a slice; of a run that is given up; nodes of a graph that is proven. */
enum { SLICE = 5000, MOST_WORK = 100000000, MOST_NODES = 20000 };

/* --- what the run reports --------------------------------------------------------------------- */

static int begin(void *context, const struct sink_header *header)
{
    struct study *study = context;
    study->issues = calloc(header->stmt_count + 1, sizeof *study->issues);
    return study->issues ? study->next.ops->begin(study->next.context, header) : -1;
}

static void issue(struct study *study, uint32_t stmt, uint64_t start, bool busy)
{
    if (stmt >= study->run->store.header.stmt_count)
        return;
    struct study_issue *issue = &study->issues[stmt];
    const bool first =
        !issue->known || (busy && !issue->busy) || (busy == issue->busy && start < issue->first);
    issue->first = first ? start : issue->first;
    issue->busy |= busy;
    issue->known = true;
}

/* Of machines without loops, whose summary has one row for all equal statements. */
static bool is_once(const struct study *study)
{
    return study->program->machine->machine->language->once;
}

static int wait(struct study *study, const struct sink_interval *interval)
{
    struct sink_stmt_total *row =
        charges_at(&study->waits, interval->stmt, interval->unit, interval->reason);
    if (row)
        row->cycles += interval->duration;
    return row ? 0 : -1;
}

static int interval(void *context, const struct sink_interval *interval)
{
    struct study *study = context;
    const struct sink_header *header = &study->run->store.header;
    if (!study->executions && strcmp(header->units[interval->unit].kind, "issue") == 0) {
        const bool busy = interval->reason == REASON_BUSY;
        issue(study, interval->stmt, interval->start, busy);
        if (!busy && is_once(study) && interval->stmt < header->stmt_count &&
            wait(study, interval) != 0)
            return -1;
    }
    return study->next.ops->interval ? study->next.ops->interval(study->next.context, interval) : 0;
}

/* They say all: intervals do not count. */
static int execution(void *context, const struct sink_execution *execution)
{
    struct study *study = context;
    if (!study->executions)
        memset(study->issues, 0, (study->run->store.header.stmt_count + 1) * sizeof *study->issues);
    study->executions = true;
    issue(study, execution->stmt, execution->start, true);
    return 0;
}

static int transfer(void *context, const struct sink_transfer *transfer)
{
    struct study *study = context;
    return study->next.ops->transfer(study->next.context, transfer);
}

static int finish(void *context, const struct sink_summary *summary)
{
    struct study *study = context;
    return study->next.ops->finish(study->next.context, summary);
}

static const struct sink_ops study_ops = {.name = "study",
                                          .begin = begin,
                                          .interval = interval,
                                          .transfer = transfer,
                                          .execution = execution,
                                          .finish = finish};

/* --- check ------------------------------------------------------------------------------------ */

static int open_program(struct study *study, const struct machine *machine,
                        const struct takt_text *text)
{
    struct takt_machine *chip = library_machine(machine);
    char error[MACHINE_ERROR];
    if (!chip)
        return -1;
    study->program = library_program(chip, 1);
    int status = study->program ? 0 : -1;
    if (status == 0)
        status = machine_config(machine, &chip->config, error, sizeof error);
    if (status == 0)
        status = source_from_text(study->program->sources, text->name, text->text, text->size);
    if (status == 0)
        status = library_judge(study->program, NULL);
    if (status >= 0)
        library_raise_traps(study->program);
    takt_machine_close(chip);
    return status;
}

/* Where it cannot begin without values, it begins with them. */
static int begin_run(struct study *study)
{
    const struct run_options options = {
        .timing_only = true, .no_range = true, .threads = 1, .command = "lsp"};
    study->run = library_run(study->program, &options);
    if (!study->run)
        return -1;
    int status = library_keep(study->run, false, study->why);
    if (status != 0)
        return status;
    study->next = library_sink(study->run);
    status = library_begin(study->run, (struct sink){&study_ops, study}, study->why);
    if (status > 0) {
        study->run->options.timing_only = false;
        status = library_begin(study->run, (struct sink){&study_ops, study}, study->why);
    }
    return status;
}

void study_open(struct study *study, const struct machine *machine, const struct takt_text *text)
{
    *study = (struct study){.stage = STUDY_RUNNING};
    const int status = open_program(study, machine, text);
    if (status < 0)
        study->stage = STUDY_FAILED;
    else if (status > 0 || study->program->diags.errors)
        study->stage = STUDY_ERRORS;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* The row of a statement, or NULL. */
static struct study_line *row_of(struct study *study, uint32_t stmt)
{
    const struct stmt_info *info = store_stmt(&study->run->store, stmt);
    return info && info->line <= study->line_count ? &study->lines[info->line] : NULL;
}

static int open_lines(struct study *study)
{
    const struct sink_header *header = &study->run->store.header;
    for (size_t i = 0; i < header->stmt_count; i++)
        if (header->stmts[i].line > study->line_count)
            study->line_count = header->stmts[i].line;
    study->lines = calloc((size_t)study->line_count + 1, sizeof *study->lines);
    for (uint32_t i = 0; study->lines && i <= study->line_count; i++)
        study->lines[i].issue = study->lines[i].slack = STUDY_NEVER;
    return study->lines ? 0 : -1;
}

static void list_issues(struct study *study)
{
    for (size_t i = 0; i < study->run->store.header.stmt_count; i++) {
        const struct study_issue *issue = &study->issues[i];
        struct study_line *row = row_of(study, (uint32_t)i);
        if (!row)
            continue;
        row->last = (uint32_t)i + 1;
        if (issue->known && issue->first < row->issue)
            row->issue = issue->first;
    }
}

static void add_wait(struct study *study, const struct sink_stmt_total *wait)
{
    struct study_line *row = row_of(study, wait->stmt);
    if (!row)
        return;
    row->lost += wait->cycles;
    if (wait->cycles > row->most) {
        row->most = wait->cycles;
        row->reason = study->run->store.header.reasons[wait->reason].name;
    }
}

/* Where each statement is executed once. Of reasons that costs of statements have: others have no
 * statement. */
static int list_waits(struct study *study)
{
    size_t count;
    struct sink_stmt_total *rows = costs_rows(study->run->store.summary.costs, &count);
    const struct sink_header *header = &study->run->store.header;
    bool *charged = rows ? calloc(header->reason_count + 1, sizeof *charged) : NULL;
    for (size_t i = 0; charged && i < count; i++)
        charged[rows[i].reason] |= strcmp(header->units[rows[i].unit].kind, "issue") == 0;
    for (size_t i = 0; charged && i < study->waits.count; i++)
        if (charged[study->waits.list[i].row.reason])
            add_wait(study, &study->waits.list[i].row);
    const bool lost = !charged;
    free(charged);
    free(rows);
    return lost ? -1 : 0;
}

/* Executions, and cycles of issuing units that are not work. */
static int list_losses(struct study *study)
{
    const struct sink_header *header = &study->run->store.header;
    size_t count;
    struct sink_stmt_total *rows = costs_rows(study->run->store.summary.costs, &count);
    for (size_t i = 0; rows && i < count; i++) {
        struct study_line *row = row_of(study, rows[i].stmt);
        if (!row || strcmp(header->units[rows[i].unit].kind, "issue") != 0)
            continue;
        row->times = rows[i].execs > row->times ? rows[i].execs : row->times;
        if (rows[i].reason != REASON_BUSY)
            add_wait(study, &rows[i]);
    }
    const bool lost = !rows && count;
    free(rows);
    return lost ? -1 : 0;
}

static void list_slacks(struct study *study)
{
    size_t count;
    const struct sink_slack *slacks = store_slacks(&study->run->store, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t stmt = slacks[i].first_stmt; stmt <= slacks[i].last_stmt; stmt++) {
            struct study_line *row = row_of(study, stmt);
            const uint64_t slack = slacks[i].slack > 0 ? (uint64_t)slacks[i].slack : 0;
            if (!row || slack >= row->slack)
                continue;
            row->slack = slack;
            row->exact = slacks[i].exact;
        }
}

const struct study_line *study_line(const struct study *study, uint32_t line)
{
    return study->lines && line <= study->line_count && study->lines[line].issue != STUDY_NEVER
               ? &study->lines[line]
               : NULL;
}

/* --- time ------------------------------------------------------------------------------------- */

static void settle(struct study *study)
{
    struct run_progress progress;
    run_progress(study->run->run, &progress);
    study->cycles = progress.total;
    study->stage = STUDY_TIMED;
    if (open_lines(study) != 0 || (is_once(study) ? list_waits(study) : list_losses(study)) != 0 ||
        verdict_find(&study->run->store, &study->limit) != 0) {
        study->stage = STUDY_FAILED;
        return;
    }
    list_issues(study);
    list_slacks(study);
}

static void stop(struct study *study, int status, const char *why)
{
    study->stage = status < 0 ? STUDY_FAILED : STUDY_STOPPED;
    if (!study->why[0])
        snprintf(study->why, sizeof study->why, "%s", why);
}

static void run_slice(struct study *study)
{
    const int begun = study->run ? 0 : begin_run(study);
    if (begun != 0) {
        stop(study, begun, "the run cannot begin");
        return;
    }
    const enum run_status status = library_advance(study->run, SLICE, study->why);
    study->spent += SLICE;
    if (status == RUN_DONE)
        settle(study);
    else if (status == RUN_FAULT)
        stop(study, 1, "the program fails when it runs");
    else if (status == RUN_FAILED)
        stop(study, -1, "");
    else if (study->spent >= MOST_WORK)
        stop(study, 1, "the run takes too long for an editor");
}

static uint64_t best_of(const struct bounds *bounds)
{
    uint64_t most = 0;
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].class == BOUND_ANY_ORDER && bounds->rows[i].cycles > most)
            most = bounds->rows[i].cycles;
    return most;
}

bool study_has_range(const struct study *study)
{
    return study->stage == STUDY_TIMED &&
           range_is_cheap(&study->program->machine->config, study->run->store.summary.events);
}

void study_prove(struct study *study)
{
    char error[MACHINE_ERROR] = "";
    if (study->stage != STUDY_TIMED || study->tried)
        return;
    study->tried = true;
    int status = library_prove(study->run, MOST_NODES, error);
    if (status == 0)
        status = library_search_quickly(study->run);
    study->proven = status == 0;
    study->bound = status == 0 ? best_of(&study->run->proof.bounds) : study->bound;
}

bool study_advance(struct study *study)
{
    if (study->stage == STUDY_RUNNING)
        run_slice(study);
    return study->stage == STUDY_RUNNING;
}

void study_close(struct study *study)
{
    takt_run_close(study->run);
    takt_program_close(study->program);
    charges_free(&study->waits);
    free(study->issues);
    free(study->lines);
    *study = (struct study){.stage = STUDY_FAILED};
}
