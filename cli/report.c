/* report: the first screen or a named question about a trace. */
#include <string.h>
#include <limits.h>

#include "analysis/nops.h"
#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "cli/open_trace.h"
#include "cli/trace_run.h"
#include "functional/text.h"
#include "traces/slice.h"
#include "traces/store_read.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt report [OPTION]... TRACE|PROGRAM [QUESTION]\n"
    "       takt report --list\n"
    "The first screen of a trace, or the answer to a named question. Before that the\n"
    "trace is checked against itself (v_check). A program is run, and the answer is\n"
    "about that run. The question nops needs a run; of a trace, the program that it\n"
    "holds is run again.\n"
    "\n"
    "  --list         the questions; with --help also their columns, with --json all\n"
    "                 about them\n"
    "  --region NAME  of this region of the program alone (# takt: begin NAME): its\n"
    "                 cycles, its statements and what held them; rest is what lies in\n"
    "                 no region\n"
    "  --csv          answer as CSV, with a question\n"
    "  --json         answer as JSON; without a question, what takt run --json prints\n"
    "  --top N        with a question: at most N rows; 0 for all (default 30 in a\n"
    "                 table, else all)\n"
    "  --width N      columns of the screen or table (default: the terminal's); 0 for\n"
    "                 as wide as it needs. A table that is wider has a line for each\n"
    "                 column of a row\n"
    "  --help         this text\n"
    "For a program:\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in what is read\n";

enum { TABLE_ROWS = 30, PROVEN_NODES = 100000 };
#define TOP_NOT_GIVEN UINT64_MAX

/* What takt run prints. */
static int print_screen(sqlite3 *db, const char *path, const struct answer_options *form)
{
    struct store store;
    const struct screen_options options = {
        .colour = cli_colour(stdout), .width = form->width ? form->width : INT_MAX, .trace = path};
    int status = store_read(&store, db) == SQLITE_OK ? 0 : -1;
    if (status == 0)
        status = form->form == ANSWER_JSON ? run_json_print(&store, NULL, stdout)
                                           : screen_print(&store, &options, stdout);
    store_close(&store);
    return status == 0 || ferror(stdout) ? EXIT_FINE /* which main looks after */
                                         : open_trace_failed("report", path, db);
}

/* What is to be answered, and how. */
struct asked {
    const char *region;
    const struct question *question; /* NULL: the first screen */
    struct answer_options form;
    uint64_t top;
};

static int answer(sqlite3 *db, const char *path, const struct asked *q)
{
    const struct answer_options *form = &q->form;
    const int found = report_check(db, stderr);
    if (found < 0)
        return open_trace_failed("report", path, db);
    if (found > 0)
        return cli_fail(EXIT_INPUT, "report", "%s contradicts itself: it was changed or damaged",
                        path);
    const int selected = open_trace_region("report", path, db, q->region);
    if (selected != EXIT_FINE)
        return cli_end_json(form->form == ANSWER_JSON, selected);
    if (!q->question)
        return print_screen(db, path, form);
    if (!trace_complete(db))
        text_print(stderr, "takt report: %s is of a run that did not complete\n", path);
    if (q->question->source == FROM_INTERVALS && !slice_packed(db))
        text_print(stderr, "takt report: %s has no intervals, which takt run --detail records\n",
                   path);
    uint64_t top = q->top;
    if (top == TOP_NOT_GIVEN)
        top = form->form == ANSWER_TABLE ? TABLE_ROWS : 0;
    const int rc = report_question(db, q->question, top > 0 ? (int64_t)top : -1, form, stdout);
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("report", path, db);
}

static bool needs_run(const struct asked *q)
{
    return q->question && q->question->source == FROM_RUN;
}

static int find_nops(const struct session *s, sqlite3 *db, const char *path)
{
    const int rc = nops_find(db, s->machine, s->running->run);
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("report", path, db);
}

static int of_trace(struct session *s, const char *path, const struct asked *q)
{
    sqlite3 *db;
    int code = open_trace("report", path, &db);
    if (code != EXIT_FINE)
        return code;
    if (needs_run(q))
        code = trace_run_repeat(s, db, path);
    if (code == EXIT_FINE && needs_run(q))
        code = find_nops(s, db, path);
    if (code == EXIT_FINE)
        code = answer(db, path, q);
    sqlite3_close(db);
    return code;
}

static int of_program(struct session *s, char **path, const struct asked *q)
{
    const struct recorder_options options = {
        .intervals = q->question && q->question->source == FROM_INTERVALS, .kept.regions = true};
    int code = session_open(s, path, 1);
    if (code == EXIT_FINE)
        code = session_load(s);
    if (code == EXIT_FINE)
        code = session_prove(s, PROVEN_NODES, false);
    if (code == EXIT_FINE)
        code = session_search(s);
    if (code == EXIT_FINE)
        code = session_record(s, NULL, options);
    if (code == EXIT_FINE)
        code = session_run(s, NULL);
    if (code == EXIT_FINE && options.intervals && slice_register(s->db) != SQLITE_OK)
        code = open_trace_failed("report", path[0], s->db);
    if (code == EXIT_FINE && needs_run(q))
        code = find_nops(s, s->db, path[0]);
    return code == EXIT_FINE ? answer(s->db, path[0], q) : code;
}

/* A file that is not a trace, of a machine's extension or with options for one, is a program. */
static int ask(struct session *s, char **path, const struct asked *q)
{
    const bool options = s->machine_name || s->files.count || s->sets.count || s->silenced.count ||
                         s->settings.count;
    const bool trace =
        trace_is(*path) || strcmp(*path, "-") == 0 || (!options && !machine_of(*path));
    if (trace && options)
        return cli_usage("report", "a trace has its machine and numbers: these are for a program");
    return trace ? of_trace(s, *path, q) : of_program(s, path, q);
}

static int list_questions(bool json, bool detailed)
{
    if (json)
        report_list_json(stdout);
    else
        report_list(stdout, detailed);
    return EXIT_FINE;
}

/* What is only known of the whole run has no rows of a region. */
static int refuse_region(const struct asked *q)
{
    static const char *const whole[] = {"counters", "roofline", "windows"};
    const char *name = q->question->name;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (strcmp(name, whole[i]) == 0)
            return cli_usage("report", "%s are of the whole run, not of a region", name);
    if (strcmp(name, "bounds") == 0)
        return cli_usage("report",
                         "bounds are of the whole run: takt bound --region %s PROGRAM finds those "
                         "of the region",
                         q->region);
    return strcmp(name, "check") == 0
               ? cli_usage("report", "check is about the whole run, not --region")
               : EXIT_FINE;
}

/* What contradicts itself, apart from --list. */
static int refuse(const struct session *s, const struct asked *q, bool csv, int count)
{
    if (csv && s->json)
        return cli_usage("report", "--csv and --json exclude each other");
    if (count < 1 || count > 2)
        return cli_usage("report", count < 1 ? "which trace?" : "one trace, one question");
    if (q->region && q->question && refuse_region(q) != EXIT_FINE)
        return EXIT_USAGE;
    if (!q->question && (csv || q->top != TOP_NOT_GIVEN))
        return cli_usage("report", "%s needs a question; takt report --list shows all",
                         csv ? "--csv" : "--top");
    return EXIT_FINE;
}

int cmd_report(int argc, char **argv)
{
    enum { WIDEST = 100000 };
    bool csv = false, list = false, wants_help = false;
    struct session s = {.command = "report", .light = true};
    struct asked q = {.top = TOP_NOT_GIVEN};
    uint64_t width = UINT64_MAX;
    const struct cli_option table[] = {
        {"list", .flag = &list},
        {"region", .text = &q.region},
        {"csv", .flag = &csv},
        {"top", .number = &q.top, .high = INT64_MAX, .what = "rows"},
        {"width", .number = &width, .high = WIDEST, .what = "columns"},
        {"help", .flag = &wants_help},
        SESSION_OPTIONS(s),
    };
    const struct cli_options options = {"report",    help, table, sizeof table / sizeof *table,
                                        &s.settings, true};
    int code;
    if (session_take(&s, &options, argc, argv, &code)) {
        const int count = argc - optind;
        const bool more = count > 1 || q.region || q.top != TOP_NOT_GIVEN || width != UINT64_MAX;
        if (list)
            code = csv    ? cli_usage("report", "--list has no --csv")
                   : more ? cli_usage("report", "--list is without --region, --top and --width")
                          : list_questions(s.json, wants_help);
        else if (wants_help)
            options_help(&options);
        else if (count == 2 && !(q.question = open_trace_question("report", argv[optind + 1])))
            code = EXIT_USAGE;
        else
            code = refuse(&s, &q, csv, count);
        if (code == EXIT_FINE && !list && !wants_help) {
            q.form =
                (struct answer_options){.form = csv      ? ANSWER_CSV
                                                : s.json ? ANSWER_JSON
                                                         : ANSWER_TABLE,
                                        .width = width > WIDEST ? cli_width(stdout) : (int)width,
                                        .within = width <= WIDEST};
            code = ask(&s, argv + optind, &q);
        }
    }
    session_close(&s);
    return cli_end_json(s.json, code);
}
