/* batch: many programs, one JSON line each, in the order of input (cli/batch_loop.h). */
#include "cli/options.h"
#include "cli/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/batch_loop.h"
#include "cli/batch_serve.h"
#include "cli/files.h"
#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"

static const char help[] =
    "usage: takt batch [OPTION]... [PROGRAM]...\n"
    "Time many programs: one line of JSON each, in the order of input. Programs are\n"
    "files, or without any jobs, lines of JSON on standard input (docs/json.md):\n"
    "  {\"id\": .., \"text\": .. | \"file\": .., \"machine\": .., \"options\": {..}}\n"
    "A program with errors gets a line that says so; the others are timed.\n"
    "\n"
    "  --list FILE        the programs are the lines of FILE (- is standard input)\n"
    "  --best K           print only the K best, when all are timed; the first line\n"
    "                     says why it is best\n"
    "  --by FIELD         by cycles (default) or cycles_documented, the lowest first\n"
    "  --equal-to FILE    of those that compute what this program does, with memories\n"
    "                     that start as zero and as random:1, or as --init says\n"
    "  --jobs N           work in N processes (default: one for each processor)\n"
    "  --job-seconds N    a job that takes longer is given up, the others are not\n"
    "                     (default: 60; 0: no limit)\n"
    "  --any-file         read programs that are not regular files, too: pipes,\n"
    "                     devices\n"
    "  --machine NAME     default: by the file's extension; when that does not\n"
    "                     say it, the first that takt --help lists\n"
    "  --documented       by documented numbers alone: what no document gives is at\n"
    "                     the value that limits least\n"
    "  --range            the totals over the plausible ranges; many runs each\n"
    "  --bounds           proven lower bounds\n"
    "  --units            where the cycles of every unit went\n"
    "  --statements       what each statement did in each unit\n"
    "  --transfers        each transfer\n"
    "  --counters         what the machine counts\n"
    "  --path             the critical path\n"
    "  --limit            what the run is bound by\n"
    "  --diagnostics      warnings, too, also those of the run; errors are always\n"
    "                     listed\n"
    "  --values           compute values, too, where the time depends on them\n"
    "  --init KIND        memories start as zero, pattern or random:SEED; with\n"
    "                     --values or --equal-to\n"
    "  --dump             what get statements print; with values\n"
    "  --junit FILE       the programs as JUnit XML, too; if the command ends early,\n"
    "                     those so far and an error; not with --best\n"
    "  --hash             hash of the final state; with values\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in a program\n";

/* --- the command ------------------------------------------------------------------------------ */

static const char *const switches[] = {
    "documented",  "range",  "bounds", "units", "statements", "transfers", "counters",
    "diagnostics", "values", "dump",   "hash",  "path",       "limit"};
enum { SWITCHES = sizeof switches / sizeof *switches };

struct args {
    const char *machine, *list, *init, *by, *equal_to, *junit;
    uint64_t jobs, best, job_seconds;
    bool any_file;
    bool on[SWITCHES];
    struct cli_list files, sets, silenced;
    struct cli_settings settings;
};

static int check_best(struct args *args)
{
    if (args->junit && replace_is_output(args->junit))
        return cli_usage("batch", "--junit writes a file; ./- is one of the name -");
    if (args->best && args->junit)
        return cli_usage("batch", "--junit lists all programs, --best the best");
    if (!args->best && (args->by || args->equal_to))
        return cli_usage("batch", "%s needs --best K", args->by ? "--by" : "--equal-to");
    if (!args->by)
        args->by = "cycles";
    return strcmp(args->by, "cycles") == 0 || strcmp(args->by, "cycles_documented") == 0
               ? EXIT_FINE
               : cli_usage("batch", "--by is cycles or cycles_documented, not '%s'", args->by);
}

static int check_files(const struct args *args, char *const *programs)
{
    struct cli_files files = {.out_of_memory = false};
    for (; *programs; programs++)
        files_read(&files, *programs);
    files_read_list(&files, &args->files);
    files_read(&files, args->list);
    files_read(&files, args->equal_to);
    files_written(&files, "--junit", args->junit);
    return files_check(&files, "batch");
}

static bool parse_args(int argc, char **argv, struct args *args, int *code)
{
    enum { FIRST = 13 };
    struct cli_option table[SWITCHES + FIRST] = {
        {"best", .number = &args->best, .low = 1, .high = 1000000},
        {"by", .text = &args->by},
        {"equal-to", .text = &args->equal_to},
        {"list", .text = &args->list},
        {"jobs", .number = &args->jobs, .low = 1, .high = BATCH_MOST_JOBS},
        {"job-seconds", .number = &args->job_seconds, .low = 0, .high = BATCH_MOST_SECONDS},
        {"any-file", .flag = &args->any_file},
        {"machine", .text = &args->machine},
        {"config", .list = &args->files},
        {"set", .list = &args->sets},
        {"silence", .list = &args->silenced},
        {"init", .text = &args->init},
        {"junit", .text = &args->junit}};
    for (size_t i = 0; i < SWITCHES; i++)
        table[FIRST + i] = (struct cli_option){switches[i], .flag = &args->on[i]};
    const struct cli_options options = {"batch",         help, table, SWITCHES + FIRST,
                                        &args->settings, false};
    if (!options_take(&options, argc, argv, code))
        return false;
    if (args->list && optind < argc)
        *code = cli_usage("batch", "the programs are in --list, or they are arguments");
    else if (args->machine && !machine_named(args->machine))
        *code = cli_usage("batch", "no machine is named '%s'", args->machine);
    else
        *code = check_best(args);
    if (*code == EXIT_FINE)
        *code = check_files(args, argv + optind);
    return *code == EXIT_FINE;
}

static json_t *list_json(const struct cli_list *list, bool *good)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++)
        *good &= json_array_append_new(array, json_string(list->items[i])) == 0;
    return array;
}

/* The options of all jobs, as a job gives its own; *good: JSON holds their values. */
static json_t *options_json(const struct args *args, bool *good)
{
    json_t *options = json_object();
    *good = true;
    for (size_t i = 0; i < SWITCHES; i++)
        if (args->on[i])
            json_object_set_new(options, switches[i], json_true());
    const bool values = json_object_get(options, "values") || json_object_get(options, "dump") ||
                        json_object_get(options, "hash");
    if (args->init && (values || !args->equal_to)) /* else it is of the comparisons alone */
        *good &= json_object_set_new(options, "init", json_string(args->init)) == 0;
    json_object_set_new(options, "set", list_json(&args->sets, good));
    json_object_set_new(options, "silence", list_json(&args->silenced, good));
    for (size_t i = 0; i < args->settings.count; i++) {
        const char *value = args->settings.items[i].value;
        *good &= json_object_set_new(options, args->settings.items[i].name,
                                     *value ? json_string(value) : json_true()) == 0;
    }
    return options;
}

static int read_configs(const struct cli_list *files, struct file_bytes *bytes,
                        struct takt_text *configs)
{
    char error[MACHINE_ERROR];
    for (size_t i = 0; i < files->count; i++) {
        const int status = file_read(files->items[i], SOURCE_MOST, &bytes[i], error, sizeof error);
        if (status == FILE_TOO_LARGE)
            return cli_fail(EXIT_INPUT, "batch", "%s has 4 GiB or more", files->items[i]);
        if (status != 0)
            return cli_fail(status < 0 ? EXIT_HOST : EXIT_INPUT, "batch", "%s", error);
        configs[i] =
            (struct takt_text){files->items[i], bytes[i].at ? bytes[i].at : "", bytes[i].size};
    }
    return EXIT_FINE;
}

/* The file whose lines are jobs; -1: the arguments are. */
static int open_lines(const struct args *args, int arguments, int *code)
{
    if (arguments)
        return -1;
    const bool input = !args->list || strcmp(args->list, "-") == 0;
    const int fd = input ? STDIN_FILENO : open(args->list, O_RDONLY | O_CLOEXEC);
    const int why = errno;
    struct stat status;
    if (fd < 0)
        *code = cli_fail(file_blame(why) > 0 ? EXIT_INPUT : EXIT_HOST, "batch",
                         "cannot open %s: %s", args->list, strerror(why));
    else if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
        *code = cli_fail(EXIT_INPUT, "batch", "%s is a folder", input ? "<stdin>" : args->list);
    else if (in_use_read(fd))
        *code =
            cli_usage("batch", "standard input can be read once: it has been read for --config");
    return fd;
}

static int write_report(struct batch_loop *loop)
{
    char sentence[MACHINE_ERROR + 40];
    snprintf(sentence, sizeof sentence, "not timed: %s", loop->failure);
    if (loop->failure[0])
        junit_case(&loop->junit,
                   &(const struct junit_case){"takt batch", "the programs after these", JUNIT_ERROR,
                                              sentence});
    if (!loop->over)
        return loop->failure[0] ? reports_early("batch", loop->report, &loop->junit)
                                : reports_junit("batch", loop->report, &loop->junit);
    size_t size;
    free(junit_close(&loop->junit, "takt batch", &size));
    return cli_usage("batch", "%s is read by this command: it is left alone", loop->report);
}

static int run_best(struct batch_loop *loop, const struct args *args, int fd)
{
    const struct batch_best_setup setup = {.most = args->best,
                                           .by = args->by,
                                           .reference = args->equal_to,
                                           .init = args->init,
                                           .batch = &loop->batch};
    if (args->best && !(loop->best = batch_best_new(&setup)))
        return cli_fail(EXIT_HOST, "batch", "out of memory");
    if (args->junit && junit_open(&loop->junit) != 0)
        return cli_fail(EXIT_HOST, "batch", "out of memory");
    loop->report = args->junit;
    int code = batch_loop_run(loop, fd);
    const int written = args->junit ? write_report(loop) : EXIT_FINE;
    code = written == EXIT_FINE ? code : written;
    if (code == EXIT_FINE && loop->best)
        code = batch_best_print(loop->best);
    batch_best_free(loop->best);
    return code;
}

int cmd_batch(int argc, char **argv)
{
    struct args args = {.job_seconds = BATCH_SECONDS};
    int code;
    if (parse_args(argc, argv, &args, &code)) {
        struct batch_loop *loop = calloc(1, sizeof *loop);
        struct file_bytes *bytes = calloc(args.files.count + 1, sizeof *bytes);
        struct takt_text *configs = calloc(args.files.count + 1, sizeof *configs);
        code = loop && bytes && configs ? read_configs(&args.files, bytes, configs)
                                        : cli_fail(EXIT_HOST, "batch", "out of memory");
        const int fd = code == EXIT_FINE ? open_lines(&args, argc - optind, &code) : -1;
        bool good = true;
        json_t *options = code == EXIT_FINE ? options_json(&args, &good) : NULL;
        if (!good)
            code =
                failure_count_host()
                    ? cli_fail(EXIT_HOST, "batch", "%s", failure_sentence())
                    : cli_usage("batch", "the value of an option is not UTF-8, as of jobs it is");
        if (code == EXIT_FINE) {
            loop->batch = (struct batch){.machine = args.machine,
                                         .options = options,
                                         .seconds = (unsigned)args.job_seconds,
                                         .any_file = args.any_file,
                                         .configs = configs,
                                         .config_count = args.files.count};
            loop->kind = args.list ? BATCH_FILE : BATCH_JSON;
            loop->paths = argv + optind;
            loop->path_count = (size_t)(argc - optind);
            loop->process_count = args.jobs ? args.jobs : cli_processors();
            if (loop->process_count > BATCH_MOST_JOBS)
                loop->process_count = BATCH_MOST_JOBS;
            code = run_best(loop, &args, fd);
        }
        json_decref(options);
        if (fd > STDIN_FILENO)
            close(fd);
        for (size_t i = 0; bytes && i < args.files.count; i++)
            file_free(&bytes[i]);
        free(bytes);
        free(configs);
        free(loop);
    }
    cli_list_free(&args.files);
    cli_list_free(&args.sets);
    cli_list_free(&args.silenced);
    cli_settings_free(&args.settings);
    return code;
}
