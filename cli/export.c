/* export: a trace for the tools that people already have. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/page.h"
#include "analysis/report.h"
#include "cli/files.h"
#include "cli/gzip.h"
#include "cli/open_trace.h"
#include "cli/options.h"
#include "functional/text.h"
#include "host/failure.h"
#include "host/file.h"
#include "traces/extent.h"
#include "traces/konata.h"
#include "traces/packets.h"
#include "traces/perfetto.h"
#include "traces/slice.h"
#include "traces/stacks.h"
#include "traces/trace.h"

static const char help[] =
    "usage: takt export --format FORMAT [OPTION]... TRACE\n"
    "  --format FORMAT   perfetto  trace-event JSON for ui.perfetto.dev and\n"
    "                              chrome://tracing; a cycle reads as 1 ns\n"
    "                    perfetto-proto  the same as protocol buffers, which open\n"
    "                              faster\n"
    "                    konata    statements and their stages, for the pipeline\n"
    "                              viewer Konata, of a trace with intervals\n"
    "                    csv       every question about the trace alone, or one\n"
    "                    json      those questions as one object, or one as an array\n"
    "                    folded    cycles of streams by region, statement and reason,\n"
    "                              for flamegraph.pl and others\n"
    "                    speedscope  the same for speedscope.app\n"
    "                    callgrind  the same by line, for KCachegrind\n"
    "                    html      one offline page with pictures and tables\n"
    "  --output PATH     a file, compressed when its name ends in .gz (viewers open\n"
    "                    that); for csv without --question a folder (default:\n"
    "                    standard output)\n"
    "  --window A:B      perfetto, konata: cycles to write; html: those to draw;\n"
    "                    either may be empty\n"
    "  --events N        perfetto, konata: cycles from the first on, as many as have\n"
    "                    about N events (default 150000, 15 MB; 0 for all;\n"
    "                    of konata at most 10000000)\n"
    "  --advice FILE     html: show what takt advise --json found for this program\n"
    "  --question NAME   csv and json: this one only (takt report --list shows all)\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the trace\n";

/* Without --events; and what Konata's log is put into order with, some 100 bytes each. */
enum { MOST_EVENTS = 150000, KONATA_EVENTS = 10000000 };

struct args {
    const char *format, *output, *path;
    const struct question *question;
    json_t *advice;
    struct cli_window window; /* all of the run when it is not given */
    uint64_t events;          /* most; UINT64_MAX: not given */
};

/* Perfetto or Konata: cycles are chosen, and there may be more than a viewer takes. */
static bool by_cycles(const struct args *a)
{
    return !strncmp(a->format, "perfetto", 8) || !strcmp(a->format, "konata");
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
        if (questions[i].source == FROM_RUN)
            continue;
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
        if (questions[i].source == FROM_RUN)
            continue;
        fprintf(out, "%s# %s\r\n", i ? "\r\n" : "", questions[i].name);
        rc = write_csv(db, &questions[i], out);
    }
    return rc;
}

static int write_one(sqlite3 *db, const struct args *a, FILE *out)
{
    if (!strcmp(a->format, "perfetto"))
        return perfetto_write(db, a->window.from, a->window.to, out);
    if (!strcmp(a->format, "perfetto-proto"))
        return packets_write(db, a->window.from, a->window.to, out);
    if (!strcmp(a->format, "folded"))
        return stacks_folded(db, out);
    if (!strcmp(a->format, "speedscope"))
        return stacks_speedscope(db, out);
    if (!strcmp(a->format, "callgrind"))
        return stacks_callgrind(db, out);
    if (!strcmp(a->format, "konata"))
        return konata_write(db, a->window.from, a->window.to, out);
    if (!strcmp(a->format, "html"))
        return page_print(db,
                          &(struct page_options){.from = a->window.from,
                                                 .to = a->window.to ? a->window.to : UINT64_MAX,
                                                 .advice = a->advice},
                          out);
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
    const int opened = replace_open(&out, path, error, sizeof error);
    if (opened != 0)
        return cli_fail(opened > 0 ? EXIT_USAGE : EXIT_HOST, "export", "%s", error);
    FILE *packed = gzip_named(path) ? gzip_open(out.file) : NULL;
    const int rc = write_one(db, &one, packed ? packed : out.file);
    const bool lost = gzip_named(path) && (!packed || gzip_close(packed) != 0);
    const int closed =
        replace_close(&out, rc == SQLITE_OK && !lost && failure_count() == 0, error, sizeof error);
    if (closed != 0)
        return cli_fail(EXIT_HOST, "export", "%s", error);
    if (lost)
        return cli_fail(EXIT_HOST, "export", "%s: not everything could be written", path);
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("export", a->path, db);
}

/* Written to the disk, under a temporary name. */
static int write_part(sqlite3 *db, const struct args *a, const struct question *question,
                      struct replace *part)
{
    char path[4096], error[600];
    if ((size_t)snprintf(path, sizeof path, "%s/%s.csv", a->output, question->name) >= sizeof path)
        return cli_fail(EXIT_HOST, "export", "%s: the name is too long", a->output);
    const int opened = replace_open(part, path, error, sizeof error);
    if (opened != 0)
        return cli_fail(opened > 0 ? EXIT_USAGE : EXIT_HOST, "export", "%s", error);
    const int rc = write_csv(db, question, part->file);
    if (rc != SQLITE_OK)
        return open_trace_failed("export", a->path, db);
    return replace_settle(part, error, sizeof error) == 0
               ? EXIT_FINE
               : cli_fail(EXIT_HOST, "export", "%s", error);
}

/* All files or none: they get their names when all are on the disk. */
static int to_folder(sqlite3 *db, const struct args *a)
{
    const bool made = mkdir(a->output, 0777) == 0;
    if (!made && errno != EEXIST)
        return cli_fail(EXIT_HOST, "export", "%s: %s", a->output, strerror(errno));
    struct replace *parts = calloc(question_count, sizeof *parts);
    int code = parts ? EXIT_FINE : cli_fail(EXIT_HOST, "export", "out of memory");
    for (size_t i = 0; i < question_count && code == EXIT_FINE; i++)
        if (questions[i].source != FROM_RUN)
            code = write_part(db, a, &questions[i], &parts[i]);
    if (code == EXIT_FINE && failure_count() != 0)
        code = cli_fail(EXIT_HOST, "export", "%s: not everything could be written: %s", a->output,
                        failure_sentence());
    for (size_t i = 0; parts && i < question_count; i++) {
        char error[600];
        if (replace_close(&parts[i], code == EXIT_FINE, error, sizeof error) != 0 &&
            code == EXIT_FINE)
            code = cli_fail(EXIT_HOST, "export", "%s", error);
    }
    if (made && code != EXIT_FINE)
        rmdir(a->output);
    free(parts);
    return code;
}

/* What is more than a viewer takes is left out, and said. */
static void choose_cycles(sqlite3 *db, struct args *a)
{
    uint64_t most = a->events == UINT64_MAX ? MOST_EVENTS : a->events;
    const uint64_t to = a->window.to ? a->window.to : INT64_MAX;
    const bool konata = strcmp(a->format, "konata") == 0;
    if (konata && (most == 0 || most > KONATA_EVENTS))
        most = KONATA_EVENTS;
    a->window.to = most ? extent_end(db, a->window.from, to, most) : to;
    if (a->window.to == to)
        return;
    const uint64_t all = extent_events(db, a->window.from, to);
    fprintf(stderr,
            "takt export: only the cycles %llu to %llu, about %llu events of %llu; --window A:B "
            "chooses others, --events %s\n",
            (unsigned long long)a->window.from, (unsigned long long)a->window.to,
            (unsigned long long)most, (unsigned long long)all,
            konata && all > KONATA_EVENTS ? "more, of konata at most 10000000" : "0 takes all");
}

static int export_trace(sqlite3 *db, struct args *a)
{
    if (a->window.to && open_trace_holds("export", db, a->window.from) != EXIT_FINE)
        return EXIT_INPUT;
    if (!trace_complete(db))
        text_print(stderr, "takt export: %s is of a run that did not complete\n", a->path);
    if (!strcmp(a->format, "konata") && !slice_any(db))
        return cli_fail(
            EXIT_INPUT, "export",
            "%s has no intervals to say when statements ran; takt run --detail records them",
            a->path);
    if (by_cycles(a))
        choose_cycles(db, a);
    if (a->output && !replace_is_output(a->output))
        return !strcmp(a->format, "csv") && !a->question ? to_folder(db, a)
                                                         : to_file(db, a, a->output, a->question);
    const int rc = write_one(db, a, stdout);
    if (ferror(stdout))
        return cli_fail(EXIT_HOST, "export", "standard output: not everything could be written");
    return rc == SQLITE_OK ? EXIT_FINE : open_trace_failed("export", a->path, db);
}

/* What takt advise --json wrote, of a program with as many cycles as the trace has. */
static int read_advice(sqlite3 *db, const char *path, json_t **advice)
{
    json_error_t error;
    FILE *file = file_open(path);
    if (!file) {
        const int why = errno;
        return cli_fail(file_blame(why) > 0 ? EXIT_INPUT : EXIT_HOST, "export", "%s: %s", path,
                        strerror(why));
    }
    json_t *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (!root)
        return cli_fail(EXIT_INPUT, "export", "%s: %s", path, error.text);
    const json_t *cycles = json_array_get(json_object_get(root, "cycles"), 0);
    const int64_t total = trace_integer(db, "total_cycles", -1);
    *advice = root;
    if (!json_is_integer(cycles) || !json_is_array(json_object_get(root, "items")))
        return cli_fail(EXIT_INPUT, "export", "%s is not what takt advise --json writes", path);
    if (json_integer_value(cycles) != total)
        return cli_fail(EXIT_INPUT, "export",
                        "%s is about a run of %lld cycles, the trace of one of %lld", path,
                        (long long)json_integer_value(cycles), (long long)total);
    return EXIT_FINE;
}

int cmd_export(int argc, char **argv)
{
    static const char *const formats[] = {"perfetto", "perfetto-proto", "konata",    "csv",  "json",
                                          "folded",   "speedscope",     "callgrind", "html", NULL};
    struct args a = {.events = UINT64_MAX};
    const char *question = NULL, *advice = NULL;
    const struct cli_option table[] = {{"format", .text = &a.format, .words = formats},
                                       {"output", .text = &a.output},
                                       {"window", .window = &a.window},
                                       {"events", .number = &a.events, .high = INT64_MAX},
                                       {"advice", .text = &advice},
                                       {"question", .text = &question}};
    int code;
    if (!OPTIONS_TAKE("export", help, table, argc, argv, &code))
        return code;
    if (question && !(a.question = open_trace_question("export", question)))
        return EXIT_USAGE;
    if (a.question && a.question->source == FROM_RUN)
        return cli_usage("export", "%s runs the program of a trace: takt report answers it",
                         question);
    if (!a.format)
        return cli_usage("export",
                         "--format says into what: perfetto, konata, csv, json, html ...");
    if (argc - optind != 1)
        return cli_usage("export", argc == optind ? "which trace?" : "one trace at a time");
    const bool html = strcmp(a.format, "html") == 0;
    if (a.window.to && !html && !by_cycles(&a))
        return cli_usage("export", "--window goes with --format perfetto, konata or html");
    if (a.events != UINT64_MAX && !by_cycles(&a))
        return cli_usage("export", "--events goes with --format perfetto or konata");
    if (advice && !html)
        return cli_usage("export", "--advice goes with --format html");
    if (a.question && strcmp(a.format, "csv") != 0 && strcmp(a.format, "json") != 0)
        return cli_usage("export", "--question goes with csv and json");
    a.path = argv[optind];
    struct cli_files files = {.out_of_memory = false};
    files_read(&files, a.path);
    files_read(&files, advice);
    files_written(&files, "--output", a.output);
    code = files_check(&files, "export");
    if (code != EXIT_FINE)
        return code;
    sqlite3 *db;
    code = open_trace("export", a.path, &db);
    if (code != EXIT_FINE)
        return code;
    if (advice)
        code = read_advice(db, advice, &a.advice);
    if (code == EXIT_FINE)
        code = export_trace(db, &a);
    json_decref(a.advice);
    sqlite3_close(db);
    return code;
}
