/* report: the first screen or a named question about a trace. */
#include <string.h>
#include <limits.h>

#include "analysis/report.h"
#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "cli/open_trace.h"
#include "cli/options.h"
#include "functional/text.h"
#include "traces/slice.h"
#include "traces/store_read.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt report [OPTION]... TRACE [QUESTION]\n"
    "       takt report --list\n"
    "The first screen of a trace, or the answer to a named question. Before that the\n"
    "trace is checked against itself (v_check).\n"
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
    "\n"
    "exit: 0 fine, 1 errors in the trace, 2 usage, 3 the host failed\n";

enum { TABLE_ROWS = 30 };
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

static int answer(sqlite3 *db, const char *path, const char *region,
                  const struct question *question, const struct answer_options *form, uint64_t top)
{
    const int found = report_check(db, stderr);
    if (found < 0)
        return open_trace_failed("report", path, db);
    if (found > 0)
        return cli_fail(EXIT_INPUT, "report", "%s contradicts itself: it was changed or damaged",
                        path);
    const int selected = open_trace_region("report", path, db, region);
    if (selected != EXIT_FINE)
        return cli_end_json(form->form == ANSWER_JSON, selected);
    if (!question)
        return print_screen(db, path, form);
    if (!trace_complete(db))
        text_print(stderr, "takt report: %s is of a run that did not complete\n", path);
    if (question->prepare && !slice_packed(db))
        text_print(stderr, "takt report: %s has no intervals, which takt run --detail records\n",
                   path);
    if (top == TOP_NOT_GIVEN)
        top = form->form == ANSWER_TABLE ? TABLE_ROWS : 0;
    const int rc = report_question(db, question, top > 0 ? (int64_t)top : -1, form, stdout);
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("report", path, db);
}

int cmd_report(int argc, char **argv)
{
    enum { WIDEST = 100000 };
    bool csv = false, json = false, list = false, wants_help = false;
    const char *region = NULL;
    uint64_t top = TOP_NOT_GIVEN, width = UINT64_MAX;
    const struct cli_option table[] = {
        {"list", .flag = &list},
        {"region", .text = &region},
        {"csv", .flag = &csv},
        {"json", .flag = &json},
        {"top", .number = &top, .high = INT64_MAX, .what = "rows"},
        {"width", .number = &width, .high = WIDEST, .what = "columns"},
        {"help", .flag = &wants_help},
    };
    int code;
    if (!OPTIONS_TAKE("report", help, table, argc, argv, &code))
        return code;
    if (list && csv)
        return cli_usage("report", "--list has no --csv");
    if (list && (argc > optind + 1 || region || top != TOP_NOT_GIVEN || width != UINT64_MAX))
        return cli_usage("report", "--list is without --region, --top and --width");
    if (list) {
        if (json)
            report_list_json(stdout);
        else
            report_list(stdout, wants_help);
        return EXIT_FINE;
    }
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_FINE;
    }
    if (csv && json)
        return cli_usage("report", "--csv and --json exclude each other");
    if (argc - optind < 1 || argc - optind > 2)
        return cli_usage("report", argc == optind ? "which trace?" : "one trace, one question");
    const struct question *question = NULL;
    if (argc - optind == 2 && !(question = open_trace_question("report", argv[optind + 1])))
        return EXIT_USAGE;
    if (region && question && strcmp(question->name, "check") == 0)
        return cli_usage("report", "check is about the whole run, not --region");
    if (!question && (csv || top != TOP_NOT_GIVEN)) {
        return cli_usage("report", "%s needs a question; takt report --list shows all",
                         csv ? "--csv" : "--top");
    }
    const struct answer_options form = {.form = csv    ? ANSWER_CSV
                                                : json ? ANSWER_JSON
                                                       : ANSWER_TABLE,
                                        .width = width > WIDEST ? cli_width(stdout) : (int)width,
                                        .within = width <= WIDEST};
    sqlite3 *db;
    code = cli_end_json(json, open_trace("report", argv[optind], &db));
    if (code == EXIT_FINE) {
        code = answer(db, argv[optind], region, question, &form, top);
        sqlite3_close(db);
    }
    return code;
}
