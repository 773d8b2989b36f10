/* export: a trace for the tools that people already have. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/html.h"
#include "analysis/report.h"
#include "cli/open_trace.h"
#include "cli/options.h"
#include "host/file.h"
#include "traces/perfetto.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt export --format FORMAT [OPTION]... TRACE\n"
    "  --format FORMAT   perfetto  trace-event JSON for ui.perfetto.dev and\n"
    "                              chrome://tracing\n"
    "                    csv       every question, or one\n"
    "                    json      every question as one object, or one as an array\n"
    "                    html      one offline page\n"
    "  --output PATH     a file; for csv without --question a folder (default:\n"
    "                    standard output)\n"
    "  --window A:B      perfetto: cycles to write; either may be empty\n"
    "  --question NAME   csv and json: this one only (takt report --list shows all)\n"
    "  --help            this text\n"
    "\n"
    "exit: 0 fine, 1 the trace is at fault, 2 usage, 3 the host failed\n";

enum { LARGE_EVENTS = 1000000, EVENT_BYTES = 160 };

struct args {
    const char *format, *output, *path;
    const struct question *question;
    struct cli_window window; /* all of the run when it is not given */
};

static uint64_t end(const struct args *a)
{
    return a->window.to ? a->window.to : INT64_MAX;
}

static int write_csv(sqlite3 *db, const struct question *question, FILE *out)
{
    static const struct answer_options csv = {.form = ANSWER_CSV};
    return report_question(db, question, -1, &csv, out);
}

static int write_json(sqlite3 *db, const struct question *only, FILE *out)
{
    static const struct answer_options json = {.form = ANSWER_JSON};
    if (only)
        return report_question(db, only, -1, &json, out);
    int rc = SQLITE_OK;
    for (size_t i = 0; i < question_count && rc == SQLITE_OK; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "{", questions[i].name);
        rc = report_question(db, &questions[i], -1, &json, out);
    }
    fputs("}\n", out);
    return rc;
}

static int write_all_csv(sqlite3 *db, FILE *out)
{
    int rc = SQLITE_OK;
    for (size_t i = 0; i < question_count && rc == SQLITE_OK; i++) {
        fprintf(out, "%s# %s\r\n", i ? "\r\n" : "", questions[i].name);
        rc = write_csv(db, &questions[i], out);
    }
    return rc;
}

static int write_one(sqlite3 *db, const struct args *a, FILE *out)
{
    if (!strcmp(a->format, "perfetto"))
        return perfetto_write(db, a->window.from, end(a), out);
    if (!strcmp(a->format, "html"))
        return html_print(db, out);
    if (!strcmp(a->format, "json"))
        return write_json(db, a->question, out);
    return a->question ? write_csv(db, a->question, out) : write_all_csv(db, out);
}

/* A failure leaves no half of a file. */
static int to_file(sqlite3 *db, const struct args *a, const char *path,
                   const struct question *question)
{
    struct args one = *a;
    one.question = question;
    struct replace out;
    char error[600];
    if (replace_open(&out, path, error, sizeof error) != 0)
        return cli_fail(EXIT_HOST, "export", "%s", error);
    const int rc = write_one(db, &one, out.file);
    const int closed = replace_close(&out, rc == SQLITE_OK, error, sizeof error);
    if (closed != 0)
        return cli_fail(EXIT_HOST, "export", "%s", error);
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("export", a->path, db);
}

static int to_folder(sqlite3 *db, const struct args *a)
{
    if (mkdir(a->output, 0777) != 0 && errno != EEXIST)
        return cli_fail(EXIT_HOST, "export", "%s: %s", a->output, strerror(errno));
    int code = EXIT_FINE;
    for (size_t i = 0; i < question_count && code == EXIT_FINE; i++) {
        char path[4096];
        if ((size_t)snprintf(path, sizeof path, "%s/%s.csv", a->output, questions[i].name) >=
            sizeof path)
            return cli_fail(EXIT_HOST, "export", "%s: the name is too long", a->output);
        code = to_file(db, a, path, &questions[i]);
    }
    return code;
}

static int export_trace(sqlite3 *db, const struct args *a)
{
    if (a->window.to && open_trace_holds("export", db, a->window.from) != EXIT_FINE)
        return EXIT_INPUT;
    if (!trace_complete(db))
        fprintf(stderr, "takt export: %s is of a run that did not complete\n", a->path);
    if (!strcmp(a->format, "perfetto")) {
        const uint64_t events = perfetto_estimate(db, a->window.from, end(a));
        if (events > LARGE_EVENTS) {
            fprintf(stderr,
                    "takt export: about %llu events, %llu MB; --window A:B writes fewer cycles\n",
                    (unsigned long long)events, (unsigned long long)(events * EVENT_BYTES >> 20));
        }
    }
    if (a->output && strcmp(a->output, "-") != 0)
        return !strcmp(a->format, "csv") && !a->question ? to_folder(db, a)
                                                         : to_file(db, a, a->output, a->question);
    const int rc = write_one(db, a, stdout);
    if (ferror(stdout))
        return cli_fail(EXIT_HOST, "export", "standard output: not everything could be written");
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("export", a->path, db);
}

int cmd_export(int argc, char **argv)
{
    static const char *const formats[] = {"perfetto", "csv", "json", "html", NULL};
    struct args a = {0};
    const char *question = NULL;
    const struct cli_option table[] = {{"format", .text = &a.format, .words = formats},
                                       {"output", .text = &a.output},
                                       {"window", .window = &a.window},
                                       {"question", .text = &question}};
    int code;
    if (!OPTIONS_TAKE("export", help, table, argc, argv, &code))
        return code;
    if (question && !(a.question = open_trace_question("export", question)))
        return EXIT_USAGE;
    if (!a.format)
        return cli_usage("export", "--format says into what: perfetto, csv, json or html");
    if (argc - optind != 1)
        return cli_usage("export", argc == optind ? "which trace?" : "one trace at a time");
    if (a.window.to && strcmp(a.format, "perfetto") != 0)
        return cli_usage("export", "--window goes with --format perfetto");
    if (a.question && strcmp(a.format, "csv") != 0 && strcmp(a.format, "json") != 0)
        return cli_usage("export", "--question goes with csv and json");
    a.path = argv[optind];
    if (a.output && cli_same_file(a.output, a.path))
        return cli_usage("export", "--output %s would write over the trace", a.output);
    sqlite3 *db;
    code = open_trace("export", a.path, &db);
    if (code == EXIT_FINE) {
        code = export_trace(db, &a);
        sqlite3_close(db);
    }
    return code;
}
