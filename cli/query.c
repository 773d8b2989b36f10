/* query: read-only SQL on a trace. */
#include <stdlib.h>
#include <string.h>

#include "analysis/query.h"
#include "cli/open_trace.h"

static const char help[] =
    "usage: takt query [OPTION]... TRACE SQL\n"
    "Run one SELECT on a trace; - reads the SQL from standard input. docs/trace-schema.md lists "
    "the\n"
    "tables; `slice` holds all intervals of a trace recorded with --detail.\n\n"
    "  --csv          answer as CSV\n"
    "  --json         answer as JSON: an array of objects\n"
    "  --rows N       at most N rows (default 10000; 0 for all)\n"
    "  --seconds N    stop after N seconds (default 60; 0 for never)\n"
    "  --width N      columns of the table; 0 (default) for as wide as it needs\n"
    "  --help         this text\n\n"
    "exit: 0 fine, 1 the SQL or the trace is at fault or the time is up, 2 usage, 3 the host "
    "failed\n";

enum { OPT_CSV = 256, OPT_JSON, OPT_ROWS, OPT_SECONDS, OPT_WIDTH, OPT_HELP };

static const struct option options[] = {{"csv", no_argument, NULL, OPT_CSV},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"rows", required_argument, NULL, OPT_ROWS},
                                        {"seconds", required_argument, NULL, OPT_SECONDS},
                                        {"width", required_argument, NULL, OPT_WIDTH},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {0}};

static int ask(sqlite3 *db, const char *path, const char *sql, const struct query_options *query)
{
    char error[600];
    switch (query_run(db, sql, query, stdout, error, sizeof error)) {
    case QUERY_FINE:
        return EXIT_FINE;
    case QUERY_CUT:
        fflush(stdout);
        fprintf(stderr, "takt query: only the first %llu rows; --rows 0 shows all\n",
                (unsigned long long)query->answer.row_limit);
        return EXIT_FINE;
    case QUERY_LATE:
        return cli_fail(EXIT_INPUT, "query", "stopped after %.0f s; --seconds allows more",
                        query->seconds);
    case QUERY_REFUSED:
        return cli_fail(EXIT_INPUT, "query", "%s", error);
    default:
        return open_trace_failed("query", path, db);
    }
}

int cmd_query(int argc, char **argv)
{
    struct query_options query = {
        .answer = {.form = ANSWER_TABLE, .row_limit = 10000, .plain = true}, .seconds = 60};
    uint64_t number = 0;
    int option;
    optind = 1;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case OPT_CSV:
            query.answer.form = ANSWER_CSV;
            break;
        case OPT_JSON:
            query.answer.form = ANSWER_JSON;
            break;
        case OPT_ROWS:
            if (!open_trace_number(optarg, 0, INT64_MAX, &query.answer.row_limit)) {
                return cli_usage("query", "--rows takes a number of rows");
            }
            break;
        case OPT_SECONDS:
            if (!open_trace_number(optarg, 0, 1000000, &number)) {
                return cli_usage("query", "--seconds takes a number of seconds");
            }
            query.seconds = (double)number;
            break;
        case OPT_WIDTH:
            if (!open_trace_number(optarg, 0, 100000, &number)) {
                return cli_usage("query", "--width takes a number of columns");
            }
            query.answer.width = (int)number;
            break;
        case 'h':
        case OPT_HELP:
            fputs(help, stdout);
            return EXIT_FINE;
        default:
            return cli_usage("query", "bad option");
        }
    }
    if (argc - optind != 2) {
        return cli_usage("query", "a trace and one SQL statement in quotes");
    }
    struct source typed = {0};
    char *sql = NULL;
    if (!strcmp(argv[optind + 1], "-")) {
        const int code = cli_open_sources("query", argv + optind + 1, 1, &typed);
        if (code != EXIT_FINE) {
            return code;
        }
        sql = strndup(typed.text, typed.size);
        cli_close_sources(&typed, 1);
    } else {
        sql = strdup(argv[optind + 1]);
    }
    if (!sql) {
        return cli_fail(EXIT_HOST, "query", "out of memory");
    }
    sqlite3 *db;
    int code = open_trace("query", argv[optind], &db);
    if (code == EXIT_FINE) {
        code = ask(db, argv[optind], sql, &query);
        sqlite3_close(db);
    }
    free(sql);
    return code;
}
