/* sweep: programs, chips, options and parameters in all their combinations. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/sweep_merge.h"
#include "analysis/sweep_plan.h"
#include "analysis/sweep_report.h"
#include "cli/sweep_chunk.h"
#include "cli/sweep_engines.h"
#include "cli/sweep_local.h"

static const char help[] =
    "usage: takt sweep [OPTION]... SPEC.yaml --out FOLDER\n"
    "       takt sweep status|resume|merge|report [OPTION]... FOLDER\n"
    "       takt sweep chunk FOLDER FIRST [COUNT]\n"
    "Time programs with each combination of parameters, options and chips that SPEC\n"
    "lists (docs/sweeps.md). The plan is divided into chunks of about ten seconds;\n"
    "each writes one file in FOLDER. `status` shows how far it is, `resume` runs what\n"
    "is missing, `merge` makes FOLDER/sweep.db, which `report` reads. `chunk` is what\n"
    "the engines run.\n"
    "\n"
    "  --out FOLDER       new, for the plan, the chunks and the result\n"
    "  --engine NAME      local: processes of this host (default), and merge;\n"
    "                     slurm: submit one job array;\n"
    "                     parallel: write the commands for GNU parallel\n"
    "  --jobs N           chunks at once (default: one for each processor; of the\n"
    "                     other engines: as they are set up)\n"
    "  --chunk N          points of a chunk (default: measured)\n"
    "  --partial          merge: even if chunks are missing\n"
    "  --by QUANTITY      report: rank by this column, quantity of the SPEC, or\n"
    "                     SQL expression; less is better (default: cycles)\n"
    "  --pareto A,B       report: the front of these two, each less is better\n"
    "  --best N           report: number of best designs (default: 10)\n"
    "  --seconds N        report: stop after N seconds (default: 60; 0 for never)\n"
    "  --csv              report: every point, as CSV\n"
    "  --html FILE        report: one offline page\n"
    "  --json             status, report: the answer as JSON (docs/json.md)\n"
    "@common\n"
    "\n"
    "exit: 0 fine, 1 errors in the spec, chunks missing or foreign, 2 usage, 3 the\n"
    "host failed, 130 interrupted. A point with errors is a row that says so.\n";

enum { LOCAL, SLURM, PARALLEL };
static const char *const engines[] = {"local", "slurm", "parallel", NULL};

#define NOT_GIVEN UINT64_MAX
struct args {
    const char *out, *engine, *by, *pareto, *html;
    uint64_t jobs, chunk, best, seconds;
    bool partial, csv, json;
};

/* --- running what is missing ------------------------------------------------------------------ */

static int merge(const struct sweep_folder *folder, bool partial)
{
    char error[SWEEP_ERROR] = "";
    struct sweep_merged merged;
    const int status = sweep_merge(folder, partial, &merged, error);
    if (status)
        return cli_status("sweep", status, error);
    printf("%llu of %llu points, %llu failed: %s/sweep.db\n", (unsigned long long)merged.points,
           (unsigned long long)folder->points, (unsigned long long)merged.failed, folder->path);
    return EXIT_FINE;
}

static int run(const struct sweep_folder *folder, const struct args *args)
{
    const char *planned = json_string_value(json_object_get(folder->head, "engine"));
    const char *engine = args->engine ? args->engine : planned ? planned : engines[LOCAL];
    const json_int_t jobs_planned = json_integer_value(json_object_get(folder->head, "jobs"));
    size_t jobs = args->jobs ? args->jobs : jobs_planned > 0 ? (size_t)jobs_planned : 0;
    struct sweep_progress progress;
    int code = EXIT_FINE;
    if (sweep_progress_begin(&progress, folder) != 0)
        code = cli_fail(EXIT_HOST, "sweep", "out of memory");
    else if (progress.chunks_done == folder->chunk_count)
        code = merge(folder, false);
    else if (strcmp(engine, engines[SLURM]) == 0)
        code = sweep_engines_slurm(&progress, jobs);
    else if (strcmp(engine, engines[PARALLEL]) == 0)
        code = sweep_engines_parallel(&progress, jobs);
    else {
        if (!jobs)
            jobs = cli_processors();
        code = sweep_local_run(&progress, jobs, isatty(STDERR_FILENO));
        if (code == EXIT_FINE)
            code = merge(folder, false);
    }
    sweep_progress_free(&progress);
    return code;
}

static int open_folder(struct sweep_folder *folder, const char *path)
{
    char error[SWEEP_ERROR] = "";
    const int status = sweep_folder_open(folder, path, error);
    return cli_status("sweep", status, error);
}

static int check_folder(const struct sweep_folder *folder)
{
    char error[SWEEP_ERROR] = "";
    const int status = sweep_folder_check(folder, error);
    return cli_status("sweep", status, error);
}

/* --- a new sweep ------------------------------------------------------------------------------ */

enum { CHUNK_SECONDS = 10 };

/* Of one point of each program; of many programs of the first ones alone. */
static int measure(const struct sweep_plan *plan, double *seconds)
{
    enum { MEASURED = 20 };
    const struct sweep_spec *spec = plan->spec;
    for (size_t i = 0; i < spec->programs.count; i++) {
        uint64_t hash;
        seconds[i] = seconds[i ? i - 1 : 0];
        if (i >= MEASURED)
            continue;
        char *line = sweep_plan_line(plan, 0, i * sweep_points_of_program(spec), &hash);
        seconds[i] = line ? sweep_chunk_time(plan->folder, plan->head, line, CHUNK_SECONDS) : -1;
        free(line);
        if (seconds[i] < 0)
            return cli_fail(EXIT_HOST, "sweep", "a process could not be started");
    }
    return EXIT_FINE;
}

static int plan_it(const struct sweep_spec *spec, const struct source *source,
                   const struct args *args)
{
    char error[SWEEP_ERROR] = "";
    struct sweep_plan plan;
    double *seconds = calloc(spec->programs.count + 1, sizeof *seconds);
    int status = sweep_plan_begin(&plan, spec, source, args->out, error);
    int code = cli_status("sweep", status, error);
    if (code == EXIT_FINE && !seconds)
        code = cli_fail(EXIT_HOST, "sweep", "out of memory");
    if (code == EXIT_FINE && !args->chunk)
        code = measure(&plan, seconds);
    if (code == EXIT_FINE) {
        const struct sweep_division division = {.seconds = seconds,
                                                .chunk_seconds = CHUNK_SECONDS,
                                                .chunk_points = args->chunk,
                                                .engine =
                                                    args->engine ? args->engine : engines[LOCAL],
                                                .jobs = args->jobs};
        status = sweep_plan_write(&plan, &division, error);
        code = cli_status("sweep", status, error);
    }
    if (code == EXIT_FINE) {
        printf("%llu point%s in %zu chunk%s", (unsigned long long)plan.points,
               plan.points == 1 ? "" : "s", plan.chunks, plan.chunks == 1 ? "" : "s");
        if (plan.dropped)
            printf(", %llu that came twice dropped", (unsigned long long)plan.dropped);
        putchar('\n');
        fflush(stdout);
    }
    sweep_plan_free(&plan);
    free(seconds);
    return code;
}

static int read_spec(struct sweep_spec *spec, const struct source *source)
{
    struct diag_list diags;
    diag_list_init(&diags);
    const int status = sweep_spec_read(spec, source, &diags);
    diag_sort(&diags);
    cli_diags(&diags, source, 1);
    diag_list_free(&diags);
    if (status)
        return status > 0 ? EXIT_INPUT : cli_fail(EXIT_HOST, "sweep", "out of memory");
    const uint64_t points = sweep_points_count(spec);
    return points <= SWEEP_POINTS ? EXIT_FINE
                                  : cli_fail(EXIT_INPUT, "sweep", "%s: more than %d points",
                                             source->name, SWEEP_POINTS);
}

static int begin(const char *path, const struct args *args)
{
    char error[MACHINE_ERROR];
    struct source source;
    struct sweep_spec spec;
    struct sweep_folder folder;
    if (!args->out)
        return cli_usage("sweep", "--out FOLDER says where it is kept");
    if (sweep_folder_has_plan(args->out))
        return cli_usage("sweep", "%s has a sweep already: takt sweep resume %s continues it",
                         args->out, args->out);
    const int status = source_open(&source, path, error, sizeof error);
    if (status)
        return cli_status("sweep", status, error);
    int code = read_spec(&spec, &source);
    if (code == EXIT_FINE)
        code = plan_it(&spec, &source, args);
    sweep_spec_free(&spec);
    source_close(&source);
    if (code != EXIT_FINE)
        return code;
    code = open_folder(&folder, args->out);
    if (code == EXIT_FINE)
        code = run(&folder, args);
    sweep_folder_close(&folder);
    return code;
}

/* --- a sweep that is there -------------------------------------------------------------------- */

static int resume(const struct sweep_folder *folder, const struct args *args)
{
    const int code = check_folder(folder);
    return code == EXIT_FINE ? run(folder, args) : code;
}

static int merge_it(const struct sweep_folder *folder, const struct args *args)
{
    return merge(folder, args->partial);
}

static int show_status(const struct sweep_folder *folder, const struct args *args)
{
    struct sweep_progress progress;
    int code = EXIT_FINE;
    if (sweep_progress_begin(&progress, folder) != 0) {
        code = cli_fail(EXIT_HOST, "sweep", "out of memory");
    } else if (args->json) {
        code = cli_json("sweep", sweep_progress_json(&progress),
                        JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    } else {
        sweep_progress_print(&progress, stdout);
        putchar('\n');
        if (*progress.damage)
            printf("%s; takt sweep resume runs it again\n", progress.damage);
    }
    sweep_progress_free(&progress);
    return code;
}

static int print_page(const void *report, FILE *out)
{
    return sweep_report_html(report, out);
}

static int report_it(const struct sweep_folder *folder, const struct args *args)
{
    char error[SWEEP_ERROR] = "";
    struct sweep_report report;
    const struct sweep_report_options options = {
        .by = args->by, .pareto = args->pareto, .best = args->best ? args->best : 10};
    cli_alarm("sweep", args->seconds == NOT_GIVEN ? 60 : (double)args->seconds, 0);
    const int status = sweep_report_open(&report, folder, &options, error);
    int code = cli_status("sweep", status, error);
    if (code == EXIT_FINE && args->html)
        code = cli_write("sweep", args->html, print_page, &report);
    if (code == EXIT_FINE && (args->csv || args->json || !args->html)) {
        const int printed = args->csv    ? sweep_report_csv(&report, stdout)
                            : args->json ? sweep_report_json(&report, stdout)
                                         : sweep_report_print(&report, cli_width(stdout), stdout);
        if (printed != 0)
            code = cli_fail(EXIT_HOST, "sweep", "could not write the answer");
    }
    sweep_report_close(&report);
    return code;
}

static const struct verb {
    const char *name;
    int (*run)(const struct sweep_folder *folder, const struct args *args);
    const char *options;
} verbs[] = {{"status", show_status, "json"},
             {"resume", resume, "engine jobs"},
             {"merge", merge_it, "partial"},
             {"report", report_it, "by pareto best seconds csv html json"}};

/* What is given and not one of these is refused. */
static int take_only(const char *form, const char *options, const struct args *args)
{
    const struct {
        const char *name;
        bool given;
    } all[] = {{"out", args->out},         {"engine", args->engine},
               {"jobs", args->jobs},       {"chunk", args->chunk},
               {"partial", args->partial}, {"by", args->by},
               {"pareto", args->pareto},   {"best", args->best},
               {"csv", args->csv},         {"html", args->html},
               {"json", args->json},       {"seconds", args->seconds != NOT_GIVEN}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].given && !machine_word_in(options, all[i].name))
            return cli_usage("sweep", "--%s changes nothing of takt sweep %s", all[i].name, form);
    return args->csv && args->json ? cli_usage("sweep", "--csv and --json exclude each other")
                                   : EXIT_FINE;
}

static int on_folder(const struct verb *verb, char **arguments, int count, const struct args *args)
{
    struct sweep_folder folder;
    if (count != 1)
        return cli_usage("sweep", "takt sweep %s FOLDER: which folder?", verb->name);
    int code = take_only(verb->name, verb->options, args);
    if (code != EXIT_FINE)
        return code;
    code = open_folder(&folder, arguments[0]);
    if (code == EXIT_FINE)
        code = verb->run(&folder, args);
    sweep_folder_close(&folder);
    return code;
}

static int run_chunks(char **arguments, int count, const struct args *args)
{
    struct sweep_folder folder;
    uint64_t first, chunks = 1;
    if (count < 2 || count > 3 || !options_number(arguments[1], 0, SWEEP_POINTS, &first) ||
        (count == 3 && !options_number(arguments[2], 1, SWEEP_POINTS, &chunks)))
        return cli_usage("sweep", "takt sweep chunk FOLDER FIRST [COUNT] takes numbers of chunks");
    int code = take_only("chunk", "", args);
    if (code != EXIT_FINE)
        return code;
    code = open_folder(&folder, arguments[0]);
    if (code == EXIT_FINE)
        code = check_folder(&folder);
    if (code == EXIT_FINE && first >= folder.chunk_count)
        code = cli_fail(EXIT_INPUT, "sweep", "chunk %llu: there are 0 to %zu",
                        (unsigned long long)first, folder.chunk_count - 1);
    if (code == EXIT_FINE)
        code = sweep_chunk_run(&folder, first, chunks);
    sweep_folder_close(&folder);
    return code;
}

static int do_it(char **arguments, int count, const struct args *args)
{
    if (count < 1)
        return cli_usage("sweep", "which spec?");
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(arguments[0], verbs[i].name) == 0)
            return on_folder(&verbs[i], arguments + 1, count - 1, args);
    if (strcmp(arguments[0], "chunk") == 0)
        return run_chunks(arguments + 1, count - 1, args);
    if (count > 1)
        return cli_usage("sweep", "one spec at a time; '%s' is another", arguments[1]);
    const int code = take_only("SPEC", "out engine jobs chunk", args);
    return code == EXIT_FINE ? begin(arguments[0], args) : code;
}

int cmd_sweep(int argc, char **argv)
{
    struct args args = {.seconds = NOT_GIVEN};
    const struct cli_option table[] = {
        {"out", .text = &args.out},
        {"engine", .text = &args.engine, .words = engines},
        {"jobs", .number = &args.jobs, .low = 1, .high = 1024},
        {"chunk", .number = &args.chunk, .low = 1, .high = SWEEP_POINTS, .what = "points"},
        {"partial", .flag = &args.partial},
        {"by", .text = &args.by},
        {"pareto", .text = &args.pareto},
        {"best", .number = &args.best, .low = 1, .high = SWEEP_POINTS},
        {"seconds", .number = &args.seconds, .high = 1000000, .what = "seconds"},
        {"csv", .flag = &args.csv},
        {"html", .text = &args.html},
        {"json", .flag = &args.json},
    };
    int code;
    if (OPTIONS_TAKE("sweep", help, table, argc, argv, &code))
        code = do_it(argv + optind, argc - optind, &args);
    return cli_end_json(args.json, code);
}
