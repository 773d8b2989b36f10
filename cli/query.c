/* query: read-only SQL on a trace. */
#include <stdlib.h>
#include <string.h>

#include "analysis/query.h"
#include "cli/open_trace.h"
#include "cli/options.h"
#include "functional/text.h"
#include "traces/slice.h"

static const char help[] =
    "usage: takt query [OPTION]... TRACE SQL\n"
    "Run one SELECT on a trace; - reads the SQL from standard input.\n"
    "docs/trace-schema.md lists the tables, and so does the table schema_field of the\n"
    "trace; `slice` holds all intervals of a trace that has them.\n"
    "\n"
    "  --csv          answer as CSV\n"
    "  --json         answer as JSON: an array of objects\n"
    "  --rows N       at most N rows (default 10000; 0 for all)\n"
    "  --seconds N    stop after N seconds (default 60; 0 for never)\n"
    "  --width N      columns of the table; 0 (default) for as wide as it needs\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the SQL or the trace, or the time is up\n";

/* The sentence, then lines with the place in the SQL that it is about. */
static void refuse(char *error)
{
    char *line = strsep(&error, "\n");
    cli_fail(EXIT_INPUT, "query", "%s", line);
    while ((line = strsep(&error, "\n")))
        text_print(stderr, "%s\n", line);
}

static int ask(sqlite3 *db, const char *path, const char *sql, const struct query_options *query)
{
    char error[600];
    cli_alarm("query", query->seconds, 1);                    /* after the limit of query_run */
    const bool none = strstr(sql, "slice") && !slice_any(db); /* before, for the error's sake */
    const int status = query_run(db, sql, query, stdout, error, sizeof error);
    fflush(stdout);
    if (status != QUERY_REFUSED && none)
        text_print(stderr,
                   "takt query: %s has no intervals, so slice is empty; takt run --detail "
                   "records them\n",
                   path);
    switch (status) {
    case QUERY_FINE:
        return EXIT_FINE;
    case QUERY_CUT:
        fprintf(stderr, "takt query: only the first %llu rows; --rows 0 shows all\n",
                (unsigned long long)query->answer.row_limit);
        return EXIT_FINE;
    case QUERY_LATE:
        return cli_fail(EXIT_INPUT, "query", "stopped after %.0f s; --seconds allows more",
                        query->seconds);
    case QUERY_REFUSED:
        refuse(error);
        if (strncmp(error, "no such ", 8) == 0)
            fputs("SELECT owner, field, sentence FROM schema_field lists what there is.\n", stderr);
        return EXIT_INPUT;
    default:
        return open_trace_failed("query", path, db);
    }
}

int cmd_query(int argc, char **argv)
{
    bool csv = false, json = false;
    uint64_t rows = 10000, seconds = 60, width = 0;
    const struct cli_option table[] = {
        {"csv", .flag = &csv},
        {"json", .flag = &json},
        {"rows", .number = &rows, .high = INT64_MAX, .what = "rows"},
        {"seconds", .number = &seconds, .high = 1000000, .what = "seconds"},
        {"width", .number = &width, .high = 100000, .what = "columns"},
    };
    int code;
    if (!OPTIONS_TAKE("query", help, table, argc, argv, &code))
        return code;
    if (csv && json)
        return cli_usage("query", "--csv and --json exclude each other");
    const struct query_options query = {.answer = {.form = csv    ? ANSWER_CSV
                                                           : json ? ANSWER_JSON
                                                                  : ANSWER_TABLE,
                                                   .row_limit = rows,
                                                   .width = (int)width,
                                                   .within = true,
                                                   .plain = true},
                                        .seconds = (double)seconds};
    if (argc - optind != 2)
        return cli_usage("query", "a trace and one SQL statement in quotes");
    struct source typed = {0};
    char *sql = NULL;
    if (!strcmp(argv[optind + 1], "-")) {
        code = cli_open_sources("query", argv + optind + 1, 1, &typed);
        if (code != EXIT_FINE)
            return code;
        const bool cut = typed.size && memchr(typed.text, 0, typed.size);
        sql = strndup(typed.text, typed.size);
        cli_close_sources(&typed, 1);
        if (cut) {
            free(sql);
            return cli_fail(EXIT_INPUT, "query", "the SQL has a NUL byte");
        }
    } else {
        sql = strdup(argv[optind + 1]);
    }
    if (!sql)
        return cli_fail(EXIT_HOST, "query", "out of memory");
    sqlite3 *db;
    code = cli_end_json(json, open_trace("query", argv[optind], &db));
    if (code == EXIT_FINE) {
        code = ask(db, argv[optind], sql, &query);
        sqlite3_close(db);
    }
    free(sql);
    return code;
}
