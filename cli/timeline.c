/* timeline: units or statements by cycles, in the terminal. */
#include "analysis/timeline.h"

#include "cli/open_trace.h"

static const char help[] =
    "usage: takt timeline [OPTION]... TRACE\n"
    "Units by cycles; with --statements, statements by cycles. A trace recorded with --detail "
    "shows\n"
    "each cycle, another one utilisation by window and the transfers.\n\n"
    "  --window A:B   cycles to show; either may be empty (default: all)\n"
    "  --width N      columns of a line (default: the terminal's)\n"
    "  --statements   statements instead of units\n"
    "  --rows N       at most N statements (default 60)\n"
    "  --all          units that are idle all the time, too\n"
    "  --json         answer as JSON\n"
    "  --help         this text\n\n"
    "exit: 0 fine, 1 the trace is at fault or the window is empty, 2 usage, 3 the host failed\n";

enum { OPT_WINDOW = 256, OPT_WIDTH, OPT_STATEMENTS, OPT_ROWS, OPT_ALL, OPT_JSON, OPT_HELP };

static const struct option options[] = {{"window", required_argument, NULL, OPT_WINDOW},
                                        {"width", required_argument, NULL, OPT_WIDTH},
                                        {"statements", no_argument, NULL, OPT_STATEMENTS},
                                        {"rows", required_argument, NULL, OPT_ROWS},
                                        {"all", no_argument, NULL, OPT_ALL},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {0}};

int cmd_timeline(int argc, char **argv)
{
    struct timeline_options o = {.to = INT64_MAX, .width = cli_width(stdout), .rows = 60};
    uint64_t number = 0;
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_WINDOW:
            if (!open_trace_window(optarg, &o.from, &o.to)) {
                return cli_usage("timeline", "--window takes A:B, cycles with A < B");
            }
            break;
        case OPT_WIDTH:
            if (!open_trace_number(optarg, 20, 5000, &number)) {
                return cli_usage("timeline", "--width takes 20 to 5000 columns");
            }
            o.width = (int)number;
            break;
        case OPT_ROWS:
            if (!open_trace_number(optarg, 1, 100000, &o.rows)) {
                return cli_usage("timeline", "--rows takes 1 to 100000");
            }
            break;
        case OPT_STATEMENTS:
            o.statements = true;
            break;
        case OPT_ALL:
            o.all_units = true;
            break;
        case OPT_JSON:
            o.json = true;
            break;
        case 'h':
        case OPT_HELP:
            fputs(help, stdout);
            return EXIT_FINE;
        default:
            return cli_usage("timeline", "bad option");
        }
    }
    if (argc - optind != 1) {
        return cli_usage("timeline", "one trace");
    }
    const char *path = argv[optind];
    sqlite3 *db;
    int code = open_trace("timeline", path, &db);
    if (code != EXIT_FINE) {
        return code;
    }
    switch (timeline_print(db, &o, stdout)) {
    case TIMELINE_FINE:
        break;
    case TIMELINE_EMPTY:
        code = cli_fail(EXIT_INPUT, "timeline", "the window holds no cycle of the run");
        break;
    case TIMELINE_FAILED:
        code = open_trace_failed("timeline", path, db);
        break;
    }
    sqlite3_close(db);
    return code;
}
