/* timeline: units or statements by cycles, in the terminal. */
#include "analysis/region.h"
#include "analysis/timeline.h"

#include "cli/open_trace.h"
#include "cli/options.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt timeline [OPTION]... TRACE\n"
    "Units by cycles; with --statements, statements by cycles. A trace with intervals\n"
    "(all but very long runs; --detail for those) shows each cycle, another one\n"
    "utilisation by window and the transfers.\n"
    "\n"
    "  --window A:B   cycles to show; either may be empty (default: all)\n"
    "  --region NAME  the cycles from the first to the last statement of this region\n"
    "                 of the program, in a trace with intervals\n"
    "  --width N      columns of a line (default: the terminal's)\n"
    "  --statements   statements instead of units\n"
    "  --rows N       with --statements: at most N (default 60)\n"
    "  --all          units that are idle all the time, too\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the trace or the window is empty\n";

enum { STATEMENT_ROWS = 60 };
#define ROWS_NOT_GIVEN UINT64_MAX

/* The cycles of a region, from its first statement to the end of its last one. */
static int find_region(sqlite3 *db, const char *path, const char *name,
                       struct timeline_options *options)
{
    const int64_t region = region_find(db, name);
    if (region < 0) /* says which there are */
        return open_trace_region("timeline", path, db, name);
    region_span(db, region, &options->from, &options->to);
    return options->to > options->from
               ? EXIT_FINE
               : cli_fail(
                     EXIT_INPUT, "timeline",
                     "%s has no intervals to say when region %s ran; record them with --detail",
                     path, name);
}

int cmd_timeline(int argc, char **argv)
{
    struct timeline_options o = {.rows = ROWS_NOT_GIVEN};
    struct cli_window window = {0};
    const char *region = NULL;
    uint64_t width = (uint64_t)cli_width(stdout);
    const struct cli_option table[] = {
        {"window", .window = &window},
        {"region", .text = &region},
        {"width", .number = &width, .low = 20, .high = 5000, .what = "columns"},
        {"statements", .flag = &o.statements},
        {"rows", .number = &o.rows, .low = 1, .high = 100000, .what = "rows"},
        {"all", .flag = &o.all_units},
        {"json", .flag = &o.json},
    };
    int code;
    if (!OPTIONS_TAKE("timeline", help, table, argc, argv, &code))
        return code;
    o.width = (int)width;
    o.from = window.from;
    o.to = window.to ? window.to : INT64_MAX;
    if (region && window.to)
        return cli_usage("timeline", "--region and --window exclude each other");
    if (argc - optind != 1)
        return cli_usage("timeline", argc == optind ? "which trace?" : "one trace at a time");
    if (o.statements ? o.all_units : o.rows != ROWS_NOT_GIVEN)
        return cli_usage("timeline", o.statements ? "--all is about units, not --statements"
                                                  : "--rows goes with --statements");
    o.rows = o.rows == ROWS_NOT_GIVEN ? STATEMENT_ROWS : o.rows;
    const char *path = argv[optind];
    sqlite3 *db;
    code = open_trace("timeline", path, &db);
    if (code != EXIT_FINE)
        return cli_end_json(o.json, code);
    code =
        region ? find_region(db, path, region, &o) : open_trace_holds("timeline", db, window.from);
    if (code != EXIT_FINE) {
        sqlite3_close(db);
        return cli_end_json(o.json, code);
    }
    switch (timeline_print(db, &o, stdout)) {
    case TIMELINE_FINE:
        break;
    case TIMELINE_EMPTY:
        code = cli_end_json(
            o.json, cli_fail(EXIT_INPUT, "timeline", "the window holds no cycle of the run"));
        break;
    case TIMELINE_FAILED:
        code = open_trace_failed("timeline", path, db);
        break;
    }
    sqlite3_close(db);
    return code;
}
