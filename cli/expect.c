/* expect: hold a run against what is expected of it, for builds that shall fail when it gets
 * worse. */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/expectation.h"
#include "analysis/sarif.h"
#include "analysis/slacks.h"
#include "analysis/utf8_json.h"
#include "analysis/app_trace.h"
#include "cli/application_answers.h"
#include "cli/expect_reports.h"
#include "cli/expect_values.h"
#include "cli/files.h"
#include "cli/open_trace.h"
#include "cli/reports.h"
#include "cli/session.h"
#include "functional/directive.h"
#include "functional/text.h"
#include "host/grow.h"
#include "host/text.h"
#include "timing/slack.h"
#include "traces/store_read.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt expect [OPTION]... PROGRAM|TRACE [EXPECTATION]...\n"
    "Whether a run is as expected, by the arguments and by comments\n"
    "  # takt: expect cycles <= 1400\n"
    "in the program. Each that does not hold is printed with both numbers.\n"
    "\n"
    "An expectation is NAME <= NUMBER, or with >= < > == !=; NUMBER% is a hundredth,\n"
    "and baseline the same of the run that --baseline gives.\n"
    "  cycles             of the run; cycles(REGION): of a region\n"
    "  util(UNIT)         share of the run in which the unit is busy, 0 to 1\n"
    "  busy(UNIT)         the same in cycles\n"
    "  wait(REASON)       cycles in which issuing units are held for it\n"
    "  bound(CLASS)       a proven lower bound: of class this-order, any-order or\n"
    "                     free-places, as takt run prints it (takt bound searches\n"
    "                     longer, and may prove more)\n"
    "  gap(CLASS)         distance of the run to it, as a share of the run\n"
    "  slack(LINE)        cycles that the line's statements could issue later; in a\n"
    "                     trace it may be known to be no less only\n"
    "  warnings           how many; warnings(NAME): of this name\n"
    "  values == baseline what d get prints is equal, or where nothing prints the\n"
    "                     final state; of a trace the state, if it was recorded with\n"
    "                     takt run --hash. Also values != baseline\n"
    "  steps, ...         a counter, as takt report TRACE counters names it\n"
    "\n"
    "  --junit FILE       the expectations as JUnit XML, too (- is standard output);\n"
    "                     with an error for each if the command ends early\n"
    "  --sarif FILE       the same as SARIF 2.1.0\n"
    "  --baseline RUN     a trace or a program to compare with, which is run with the\n"
    "                     same options; where one fails, also what takt diff says of\n"
    "                     it and this run\n"
    "@common\n"
    "\n"
    "@exit 0 all hold, 1 not, or errors in the program\n";

enum { MOST_NODES = 1000000 }; /* of a graph */

struct job {
    bool json;
    const char *path, *baseline_path;
    char **texts; /* of the command line */
    size_t text_count;
    sqlite3 *db, *baseline;        /* of traces; else NULL */
    const struct store *store;     /* of the run */
    struct store read, other;      /* of traces: the run's, the baseline's */
    const struct store *other_run; /* of the baseline */
    struct session base;           /* of the baseline, where it is a program */
    const struct session *given;   /* options for it */
    struct expect_values values;
    struct expect_reports reports;
    struct expect_row *rows;
    size_t count, capacity;
};

/* --- what is expected ------------------------------------------------------------------------ */

/* An expectation that means nothing: a usage error, or the program's fault. */
static int wrong(const struct expect_row *row, const char *error)
{
    if (!row->file)
        return cli_usage("expect", "%s", error);
    return cli_fail(EXIT_INPUT, "expect", "%s:%u: %s", row->file, row->line, error);
}

static int add(struct job *job, const struct expect_row *from, const char *text, size_t length)
{
    if (!grow_list(&job->rows, &job->capacity, job->count + 1, sizeof *job->rows))
        return cli_fail(EXIT_HOST, "expect", "out of memory");
    struct expect_row *added = &job->rows[job->count];
    *added = *from;
    added->text = strndup(text, length);
    if (!added->text)
        return cli_fail(EXIT_HOST, "expect", "out of memory");
    job->count++;
    char error[EXPECTATION_ERROR];
    if (expectation_parse(&added->expectation, text, length, error) != 0)
        return wrong(added, error);
    if (added->expectation.baseline && !job->baseline_path) {
        snprintf(error, sizeof error, "%.*s: --baseline RUN is required",
                 (int)(length < 200 ? length : 200), text);
        return wrong(added, error);
    }
    return EXIT_FINE;
}

static int add_comments(struct job *job, const struct source *sources, size_t count)
{
    struct directives directives;
    int code = directives_read(&directives, sources, count, NULL) < 0
                   ? cli_fail(EXIT_HOST, "expect", "out of memory")
                   : EXIT_FINE;
    for (size_t i = 0; i < directives.expect_count && code == EXIT_FINE; i++) {
        const struct directive_expect *e = &directives.expects[i];
        code = add(job, &(const struct expect_row){.file = sources[e->file].name, .line = e->line},
                   e->text, e->length);
    }
    directives_free(&directives);
    return code;
}

static int add_arguments(struct job *job)
{
    int code = EXIT_FINE;
    for (size_t i = 0; i < job->text_count && code == EXIT_FINE; i++)
        code = add(job, &(const struct expect_row){.file = NULL}, job->texts[i],
                   strlen(job->texts[i]));
    if (code == EXIT_FINE && !job->count)
        code = cli_usage("expect", "nothing is expected, neither here nor in comments of %s",
                         job->path);
    return code;
}

/* What is expected is known, and nothing is run. */
static int announce(struct job *job)
{
    const struct session *s = job->given;
    struct expect_reports *r = &job->reports;
    struct cli_files files = {.out_of_memory = false};
    r->rows = job->rows;
    r->count = job->count;
    files_read(&files, job->path);
    files_read(&files, job->baseline_path);
    files_read_list(&files, &s->files);
    for (size_t i = 0; i < s->loads.count; i++) {
        const char *equals = strchr(s->loads.items[i], '=');
        files_read(&files, equals ? equals + 1 : NULL);
    }
    files_written(&files, "--junit", r->junit);
    files_written(&files, "--sarif", r->sarif);
    const int code = files_check(&files, "expect");
    return code == EXIT_FINE ? expect_reports_early(r) : code;
}

/* --- values ---------------------------------------------------------------------------------- */

static bool compares_values(const struct job *job)
{
    for (size_t i = 0; i < job->count; i++)
        if (expectation_compares_values(&job->rows[i].expectation))
            return true;
    return false;
}

static int find_values(struct job *job, struct expect_row *row)
{
    const char *paths[2] = {job->baseline_path, job->path};
    char error[EXPECTATION_ERROR];
    const int code = expect_values_find(&job->values, paths, error);
    if (code == EXIT_USAGE)
        return wrong(row, error);
    row->value = job->values.found.verdict == DIFF_EQUAL;
    row->expectation.limit = 1;
    return code;
}

/* --- the answer ------------------------------------------------------------------------------ */

static int find(struct job *job, struct expect_row *row)
{
    struct expectation *e = &row->expectation;
    char error[EXPECTATION_ERROR];
    if (expectation_compares_values(e)) {
        const int code = find_values(job, row);
        row->holds = expectation_holds(e, row->value);
        return code;
    }
    int status = expectation_value(job->store, e, &row->value, error);
    if (status == 0 && e->baseline) {
        struct expectation other = *e;
        status = expectation_value(job->other_run, &other, &e->limit, error);
        e->limit_at_least = other.at_least;
    }
    if (status != 0)
        return wrong(row, error);
    row->holds = expectation_holds(e, row->value);
    return EXIT_FINE;
}

static bool all_hold(const struct job *job)
{
    for (size_t i = 0; i < job->count; i++)
        if (!job->rows[i].holds)
            return false;
    return true;
}

/* One side, from its trace, or without one (db is NULL) from its run. Returns an SQLite code. */
static int read_side(struct diff_side *side, sqlite3 *db, const struct store *store,
                     struct strings *strings)
{
    if (db)
        return diff_side_trace(side, db, strings);
    return diff_side_read(side, store, NULL, strings) == 0 ? SQLITE_OK : SQLITE_NOMEM;
}

/* Where the run is not as the baseline, as takt diff says it. */
static int print_diff(const struct job *job, FILE *out)
{
    struct strings strings = {0};
    struct diff_side sides[2] = {{.cycles = 0}};
    struct diff diff = {.difference = 0};
    const struct diff_answer answer = {.diff = &diff,
                                       .names = {job->baseline_path, job->path},
                                       .values = job->values.found,
                                       .width = cli_width(stdout)};
    int rc = read_side(&sides[0], job->baseline, job->other_run, &strings);
    if (rc == SQLITE_OK)
        rc = read_side(&sides[1], job->db, job->store, &strings);
    int code = rc == SQLITE_OK && diff_make(&diff, &sides[0], &sides[1], &strings) == 0
                   ? EXIT_FINE
                   : cli_fail(rc == SQLITE_CORRUPT ? EXIT_INPUT : EXIT_HOST, "expect",
                              "the run and %s could not be compared", job->baseline_path);
    if (code == EXIT_FINE &&
        (job->json ? diff_print_json(&answer, out) : diff_print_text(&answer, out)) != 0)
        code = cli_fail(EXIT_HOST, "expect", "could not write the answer");
    diff_free(&diff);
    diff_side_free(&sides[0]);
    diff_side_free(&sides[1]);
    strings_free(&strings);
    return code;
}

/* NULL without memory, which has been said. */
static json_t *diff_json(const struct job *job)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    const int code = out ? print_diff(job, out) : cli_fail(EXIT_HOST, "expect", "out of memory");
    json_t *diff =
        text_close(out, &text) == 0 && code == EXIT_FINE ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return diff;
}

static json_t *number_json(long double value)
{
    return expectation_whole(value) ? json_integer((json_int_t)value) : json_real((double)value);
}

static int print_json(const struct job *job)
{
    json_t *list = json_array();
    for (size_t i = 0; i < job->count; i++) {
        const struct expect_row *row = &job->rows[i];
        json_t *object =
            json_pack("{s:o, s:b, s:o, s:b, s:o}", "expectation", utf8_json(row->text), "holds",
                      row->holds, "value", number_json(row->value), "exact",
                      !row->expectation.at_least, "limit", number_json(row->expectation.limit));
        if (row->file) {
            json_object_set_new(object, "file", utf8_json(row->file));
            json_object_set_new(object, "line", json_integer(row->line));
        }
        json_array_append_new(list, object);
    }
    json_t *root =
        json_pack("{s:b, s:o, s:I, s:o}", "ok", all_hold(job), "program", utf8_json(job->path),
                  "cycles", (json_int_t)job->store->summary.cycles, "expectations", list);
    if (job->other_run && !all_hold(job)) {
        json_t *diff = diff_json(job);
        if (!diff) {
            json_decref(root);
            return EXIT_HOST;
        }
        json_object_set_new(root, "diff", diff);
    }
    return cli_json("expect", root, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
}

static void print_text(const struct job *job, FILE *out)
{
    for (size_t i = 0; i < job->count; i++) {
        const struct expect_row *row = &job->rows[i];
        char value[60] = "", limit[60] = "";
        if (row->expectation.at_least)
            strcpy(value, "at least ");
        expectation_number(&row->expectation, row->value, value + strlen(value));
        if (row->expectation.baseline) {
            strcpy(limit, ", the baseline ");
            expectation_number(&row->expectation, row->expectation.limit, limit + strlen(limit));
        }
        if (row->file)
            text_print(out, "%s:%u: ", row->file, row->line);
        if (expectation_compares_values(&row->expectation)) {
            text_print(out, "%s%s%s", row->holds ? "ok: " : "FAILED: expected ", row->text,
                       row->holds ? " (" : ", but ");
            expect_values_print(&job->values, out);
            fputs(row->holds ? ")\n" : "\n", out);
        } else if (row->holds)
            text_print(out, "ok: %s (it is %s%s)\n", row->text, value, limit);
        else
            text_print(out, "FAILED: expected %s, but it is %s%s\n", row->text, value, limit);
    }
}

/* --- the answer ------------------------------------------------------------------------------ */

static int same_machine(const struct job *job)
{
    const char *run = job->store->header.machine, *baseline = job->other_run->header.machine;
    return strcmp(run, baseline) == 0
               ? EXIT_FINE
               : cli_usage("expect", "the baseline is of %s, the run of %s", baseline, run);
}

/* A run without a warning does not say that there is none of this name. */
static int known_warning(const struct job *job, const struct expect_row *row)
{
    const char *warning = row->expectation.argument;
    const char *name = job->store->header.machine;
    char error[EXPECTATION_ERROR];
    if (strcmp(row->expectation.name, "warnings") != 0 || !*warning)
        return EXIT_FINE;
    const struct machine *machine = cli_machine(name, "");
    for (const char *const *known = machine ? machine->language->warnings : NULL; known && *known;
         known++)
        if (strcmp(*known, warning) == 0)
            return EXIT_FINE;
    snprintf(error, sizeof error, "no warning of %s is named '%s'", name, warning);
    return wrong(row, error);
}

/* Exactly, for the lines of the expectation. */
static int find_slack(const struct expectation *e, struct session *s)
{
    const size_t stmts = s->store->header.stmt_count;
    if (strcmp(e->name, "slack") != 0)
        return EXIT_FINE;
    bool *wanted = calloc(stmts + 1, sizeof *wanted);
    for (uint32_t i = 0; wanted && i < stmts; i++)
        wanted[i] = expectation_delays(s->store, e, i);
    const int status = wanted ? slacks_find(s->running->run, s->store, SLACK_WORK, wanted) : -1;
    free(wanted);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "expect", "out of memory");
}

/* Run an opened program, with what its expectations need: all, or those about the baseline. */
static int run_opened(struct job *job, struct session *s, bool baseline)
{
    struct diff_input *input = &job->values.inputs[!baseline];
    bool proof = false;
    int code = EXIT_FINE;
    for (size_t i = 0; i < job->count; i++)
        proof |= (!baseline || job->rows[i].expectation.baseline) &&
                 expectation_needs_proof(&job->rows[i].expectation);
    if (compares_values(job))
        code = expect_values_want(s, input);
    if (code == EXIT_FINE)
        code = session_load(s);
    if (code == EXIT_FINE && proof)
        code = session_prove(s, MOST_NODES, true);
    if (code == EXIT_FINE)
        code = session_search(s);
    if (code == EXIT_FINE)
        code = session_keep(s, true);
    if (code == EXIT_FINE)
        code = session_run(s, NULL);
    for (size_t i = 0; i < job->count && code == EXIT_FINE; i++)
        if (!baseline || job->rows[i].expectation.baseline)
            code = find_slack(&job->rows[i].expectation, s);
    if (code == EXIT_FINE)
        expect_values_take(s, input);
    return code;
}

/* The baseline is a program. */
static int run_baseline(struct job *job)
{
    const struct session *given = job->given;
    struct session *s = &job->base;
    char *path = (char *)(uintptr_t)job->baseline_path;
    *s = (struct session){.command = "expect",
                          .prefix = path,
                          .json = given->json,
                          .machine_name = given->machine_name,
                          .run = {.timing_only = given->run.timing_only, .init = given->run.init}};
    if (!cli_list_join(&s->files, &given->files) || !cli_list_join(&s->sets, &given->sets) ||
        !cli_list_join(&s->loads, &given->loads) || !cli_list_join(&s->silenced, &given->silenced))
        return cli_fail(EXIT_HOST, "expect", "out of memory");
    int code = session_open(s, &path, 1);
    if (code == EXIT_FINE)
        code = run_opened(job, s, true);
    if (code == EXIT_FINE)
        job->other_run = s->store;
    return code;
}

/* The run is there. */
static int answer(struct job *job)
{
    int code = job->baseline_path && !job->other_run ? run_baseline(job) : EXIT_FINE;
    if (code == EXIT_FINE && job->other_run)
        code = same_machine(job);
    for (size_t i = 0; i < job->count && code == EXIT_FINE; i++) {
        code = known_warning(job, &job->rows[i]);
        if (code == EXIT_FINE)
            code = find(job, &job->rows[i]);
    }
    if (code == EXIT_FINE)
        code = expect_reports_judged(&job->reports);
    if (code != EXIT_FINE)
        return code;
    FILE *out = expect_reports_standard(&job->reports) ? stderr : stdout;
    if (job->json)
        code = print_json(job);
    else
        print_text(job, out);
    if (code == EXIT_FINE && !job->json && job->other_run && !all_hold(job)) {
        fputc('\n', out);
        code = print_diff(job, out);
    }
    return code == EXIT_FINE && !all_hold(job) ? EXIT_INPUT : code;
}

/* --- the run --------------------------------------------------------------------------------- */

/* store: to be closed in every case, as is *db. */
static int read_trace(const char *path, sqlite3 **db, struct store *store)
{
    store_open(store, &(const struct store_options){.regions = false});
    const int code = open_trace("expect", path, db);
    return code == EXIT_FINE && store_read(store, *db) != SQLITE_OK
               ? open_trace_failed("expect", path, *db)
               : code;
}

/* The sources as the trace keeps them. */
static int of_trace(struct job *job)
{
    struct takt_machine *machine = NULL;
    struct takt_program *program = NULL;
    int rc = SQLITE_OK, code = read_trace(job->path, &job->db, &job->read);
    job->store = &job->read;
    expect_values_state(&job->read, &job->values.inputs[1]);
    if (code == EXIT_FINE && !job->read.complete)
        code = cli_fail(EXIT_INPUT, "expect", "%s is of a run that did not complete", job->path);
    if (code == EXIT_FINE && !(machine = library_machine(machines[0])))
        code = cli_fail(EXIT_HOST, "expect", "out of memory");
    if (code == EXIT_FINE && !(program = library_trace_program(machine, job->db, &rc)))
        code = rc == SQLITE_NOMEM ? cli_fail(EXIT_HOST, "expect", "out of memory")
                                  : open_trace_failed("expect", job->path, job->db);
    if (code == EXIT_FINE)
        code = add_comments(job, program->sources, program->source_count);
    if (code == EXIT_FINE)
        code = add_arguments(job);
    if (code == EXIT_FINE)
        code = announce(job);
    if (code == EXIT_FINE)
        code = answer(job);
    takt_program_close(program);
    takt_machine_close(machine);
    store_close(&job->read);
    sqlite3_close(job->db);
    return code;
}

static int of_program(struct job *job, struct session *s)
{
    char *path = (char *)(uintptr_t)job->path;
    int code = session_open(s, &path, 1);
    if (code == EXIT_FINE)
        code = add_comments(job, s->program->sources, 1);
    if (code == EXIT_FINE)
        code = add_arguments(job);
    if (code == EXIT_FINE)
        code = announce(job);
    if (code == EXIT_FINE)
        code = run_opened(job, s, false);
    job->store = s->store;
    return code == EXIT_FINE ? answer(job) : code;
}

/* An application reports totals, units and counters; there are no regions, values or slack. */
static int of_application(struct job *job, struct session *s)
{
    static const char *const of_programs[] = {"values", "slack", "bound",
                                              "gap",    "wait",  "warnings"};
    struct application a = {.answer.how.shown = true};
    struct app_trace trace = {.units = NULL};
    if (job->baseline_path)
        return cli_usage("expect", "--baseline is of a program, not of an application");
    store_open(&job->read, &(const struct store_options){.regions = false});
    application_take(&a, s);
    a.session.run.no_range = true;
    int code = application_open(&a, job->path);
    if (code == EXIT_FINE)
        code = add_comments(job, &a.source, 1);
    if (code == EXIT_FINE)
        code = add_arguments(job);
    if (code == EXIT_FINE)
        code = announce(job);
    for (size_t i = 0; code == EXIT_FINE && i < job->count; i++)
        for (size_t k = 0; code == EXIT_FINE && k < sizeof of_programs / sizeof *of_programs; k++)
            if (strcmp(job->rows[i].expectation.name, of_programs[k]) == 0)
                code = wrong(&job->rows[i], "an application has cycles, util(UNIT), busy(UNIT) and "
                                            "counters alone to be expected");
    if (code == EXIT_FINE)
        code = application_find(&a);
    const struct sink sink = store_sink(&job->read);
    if (code == EXIT_FINE &&
        (app_trace_open(&trace, &a.answer, "expect") != 0 || app_trace_send(&trace, &sink) != 0))
        code = cli_fail(EXIT_HOST, "expect", "out of memory");
    job->store = &job->read;
    if (code == EXIT_FINE)
        code = answer(job);
    store_close(&job->read);
    app_trace_close(&trace);
    application_close(&a);
    return code;
}

/* A baseline that is a trace; a program is run when the expectations are known. */
static int open_baseline(struct job *job)
{
    if (!job->baseline_path || !trace_is(job->baseline_path))
        return EXIT_FINE;
    const int code = read_trace(job->baseline_path, &job->baseline, &job->other);
    if (code != EXIT_FINE)
        return code;
    if (!job->other.complete)
        return cli_fail(EXIT_INPUT, "expect", "%s is of a run that did not complete",
                        job->baseline_path);
    job->other_run = &job->other;
    expect_values_state(&job->other, &job->values.inputs[0]);
    return EXIT_FINE;
}

static void close_job(struct job *job)
{
    for (size_t i = 0; i < job->count; i++)
        free(job->rows[i].text);
    free(job->rows);
    session_close(&job->base);
    expect_values_close(&job->values);
}

int cmd_expect(int argc, char **argv)
{
    struct session s = {.command = "expect"};
    struct job job = {.path = NULL, .given = &s};
    const struct cli_option table[] = {{"baseline", .text = &job.baseline_path},
                                       {"junit", .text = &job.reports.junit, .writes = true},
                                       {"sarif", .text = &job.reports.sarif, .writes = true},
                                       SESSION_OPTIONS(s),
                                       SESSION_VALUES(s)};
    int code;
    const bool taken = SESSION_TAKE(&s, help, table, argc, argv, &code);
    if (taken && optind == argc)
        code = cli_usage("expect", "which program or trace?");
    if (taken && optind < argc) {
        job.json = s.json;
        job.path = job.reports.path = argv[optind];
        job.texts = argv + optind + 1;
        job.text_count = (size_t)(argc - optind - 1);
        code = open_baseline(&job);
        const bool trace = code == EXIT_FINE && trace_is(job.path);
        if (trace && (s.machine_name || s.run.init || s.run.timing_only || s.loads.count ||
                      s.files.count || s.sets.count || s.silenced.count || s.settings.count))
            code = cli_usage("expect", "a trace is what it is: these options are for a program");
        if (code == EXIT_FINE)
            code = trace                      ? of_trace(&job)
                   : application_is(job.path) ? of_application(&job, &s)
                                              : of_program(&job, &s);
        store_close(&job.other);
        sqlite3_close(job.baseline);
        code = expect_reports_end(&job.reports, code);
    }
    close_job(&job);
    session_close(&s);
    return cli_end_json(s.json, code);
}
