/* run: assemble, execute, time, record; the first screen or JSON is the answer. */
#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "host/file.h"
#include "traces/recorder.h"

static const char help[] =
    "usage: takt run [OPTION]... PROGRAM...\n"
    "Assemble, execute and time one program, or several one after the other on the\n"
    "same state. - is standard input.\n"
    "\n"
    "values\n"
    "  --dump FILE        write what get statements print to FILE when the run is\n"
    "                     complete (- is standard output, at once)\n"
    "  --init KIND        memories start as zero (default), pattern or random:SEED\n"
    "  --load SPEC=FILE   read 64-bit words into a memory before the run; SPEC is of\n"
    "@places\n"
    "  --save SPEC=FILE   write SPEC+COUNT words of it to FILE after the run\n"
    "  --word-order ORDER of these files: little (default) or big\n"
    "  --threads N        values on N threads; the results do not depend on N\n"
    "  --reference        plain C arithmetic only\n"
    "  --hash             print the hash of the final state; with --json, its field\n"
    "                     state\n"
    "  --functional-only  values without time; the program must be legal all the same\n"
    "time\n"
    "  --documented       every assumed or inferred parameter at its most optimistic\n"
    "                     value\n"
    "  --timing-only      time without values, and without the options above about\n"
    "                     them\n"
    "  --no-run-ahead     one event of the simulation a statement; slower, the same\n"
    "                     answer\n"
    "  --config FILE      parameters laid over the machine's chip file\n"
    "  --set KEY=VALUE    one parameter (takt config MACHINE lists them)\n"
    "answer\n"
    "  --trace FILE       keep the trace (SQLite)\n"
    "  --detail           with --trace: also record intervals (tier 2)\n"
    "  --window A:B       as --detail, and plain rows for the cycles A to B; either\n"
    "                     may be empty\n"
    "  --events FILE      list the events of the simulation in FILE (- is standard\n"
    "                     output)\n"
    "  --json             the answer as JSON on standard output (docs/json.md)\n"
    "  --quiet            no first screen\n"
    "  --silence NAME     drop warnings of this name (may be given again); all drops\n"
    "                     every one\n"
    "  --machine NAME     instead of the one that the file's extension tells; the\n"
    "                     first that takt --help lists when it tells none\n"
    "  --help             this text\n"
    "@options\n"
    "\n"
    "exit: 0 fine, 1 the program is at fault, 2 usage, 3 the host failed,\n"
    "130 interrupted (what the trace holds is then in FILE.partial)\n";

struct args {
    struct run_options run;
    const char *machine_name, *dump, *events, *trace, *word_order;
    bool json, quiet, hash, detail;
    struct cli_window window; /* to = 0: no window */
    struct cli_list files, sets, loads, saves, silenced;
    struct cli_settings settings;
};

/* What excludes what, before anything is opened. */
static int contradiction(const struct args *args)
{
    const struct run_options *run = &args->run;
    const bool intervals = args->detail || args->window.to;
    const char *values = run->reference ? "--reference"
                         : run->threads ? "--threads"
                         : run->init    ? "--init"
                                        : NULL;
    if (run->timing_only && run->functional_only)
        return cli_usage("run", "--timing-only and --functional-only exclude each other");
    if (run->timing_only && (args->dump || args->loads.count || args->saves.count || args->hash))
        return cli_usage("run", "--timing-only has no values to dump, load, save or hash");
    if (run->timing_only && values)
        return cli_usage("run", "--timing-only has no values: %s changes nothing", values);
    if (args->word_order && !args->loads.count && !args->saves.count)
        return cli_usage("run", "--word-order is for the files of --load and --save");
    if (run->functional_only && (args->trace || intervals || args->events))
        return cli_usage("run", "--functional-only has no time to record");
    if (run->functional_only && run->documented)
        return cli_usage("run", "--functional-only has no time: --documented changes nothing");
    if (intervals && !args->trace)
        return cli_usage("run", "%s records into a trace: --trace FILE says which",
                         args->window.to ? "--window" : "--detail");
    for (size_t i = 0; i < args->loads.count; i++) {
        const char *equals = strchr(args->loads.items[i], '=');
        if (equals && strcmp(equals, "=-") == 0)
            return cli_usage("run", "--load reads a file; ./- is one of the name -");
    }
    const char *const outputs[] = {args->dump, args->events};
    for (size_t i = 0; args->json && i < sizeof outputs / sizeof *outputs; i++)
        if (outputs[i] && strcmp(outputs[i], "-") == 0)
            return cli_usage("run", "--json and --%s - both want standard output",
                             i == 0 ? "dump" : "events");
    if (args->dump && args->events && !strcmp(args->dump, "-") && !strcmp(args->events, "-"))
        return cli_usage("run", "--dump - and --events - both want standard output");
    return EXIT_FINE;
}

/* Options into args. True to go on, else the command returns *code. */
static bool parse_args(int argc, char **argv, struct args *args, int *code)
{
    static const char *const orders[] = {"little", "big", NULL};
    uint64_t threads = 0; /* not given */
    const struct cli_option table[] = {
        {"dump", .text = &args->dump},
        {"init", .text = &args->run.init},
        {"load", .list = &args->loads},
        {"save", .list = &args->saves},
        {"word-order", .text = &args->word_order, .words = orders},
        {"threads", .number = &threads, .low = 1, .high = 256},
        {"reference", .flag = &args->run.reference},
        {"hash", .flag = &args->hash},
        {"functional-only", .flag = &args->run.functional_only},
        {"documented", .flag = &args->run.documented},
        {"timing-only", .flag = &args->run.timing_only},
        {"no-run-ahead", .flag = &args->run.no_run_ahead},
        {"config", .list = &args->files},
        {"set", .list = &args->sets},
        {"trace", .text = &args->trace},
        {"events", .text = &args->events},
        {"detail", .flag = &args->detail},
        {"window", .window = &args->window},
        {"json", .flag = &args->json},
        {"quiet", .flag = &args->quiet},
        {"silence", .list = &args->silenced},
        {"machine", .text = &args->machine_name},
    };
    const struct cli_options options = {"run", help, table, sizeof table / sizeof *table,
                                        &args->settings};
    if (!options_take(&options, argc, argv, code))
        return false;
    args->run.settings = args->settings.items;
    args->run.threads = (unsigned)threads;
    args->run.word_order_big = args->word_order && args->word_order[0] == 'b';
    args->run.loads = args->loads.items;
    args->run.saves = args->saves.items;
    *code = optind == argc ? cli_usage("run", "which program?") : contradiction(args);
    if (!threads)
        args->run.threads = 1;
    return *code == EXIT_FINE;
}

/* The command line as one text, for the trace. */
static char *join_command(int argc, char **argv)
{
    size_t size = 1;
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    char *at = text;
    *at = '\0';
    for (int i = 0; i < argc; i++) {
        if (i)
            *at++ = ' ';
        at = stpcpy(at, argv[i]);
    }
    return text;
}

enum { OUTPUT_TRACE, OUTPUT_DUMP, OUTPUT_EVENTS, OUTPUT_SAVES };

/* The files that a run writes; those of --save are the last. NULL: it does not write this one. */
static const char *output(const struct args *args, size_t i, const char **option)
{
    static const char *const options[] = {"--trace", "--dump", "--events"};
    const char *const paths[] = {args->trace, args->dump, args->events};
    *option = i < OUTPUT_SAVES ? options[i] : "--save";
    if (i < OUTPUT_SAVES)
        return paths[i];
    const char *equals = strchr(args->saves.items[i - OUTPUT_SAVES], '=');
    return equals ? equals + 1 : NULL;
}

/* Writing over a program would destroy it, and of two answers in one file one would be lost. */
static int outputs(const struct args *args, char **sources, int count)
{
    for (size_t i = 0; i < OUTPUT_SAVES + args->saves.count; i++) {
        const char *option, *other, *path = output(args, i, &option);
        const bool standard = i == OUTPUT_DUMP || i == OUTPUT_EVENTS;
        if (!path || (strcmp(path, "-") == 0 && standard))
            continue; /* standard output */
        if (strcmp(path, "-") == 0)
            return cli_usage("run", "%s writes a file; ./- is one of the name -", option);
        for (int k = 0; k < count; k++)
            if (cli_same_file(path, sources[k]))
                return cli_usage("run", "%s %s would write over the program", option, path);
        for (size_t k = 0; k < i; k++) {
            const char *earlier = output(args, k, &other);
            if (earlier && cli_same_file(path, earlier))
                return cli_usage("run", "%s and %s would both write %s", other, option, path);
        }
    }
    return EXIT_FINE;
}

/* state: the hash of the final state, or NULL. */
static int answer(const struct args *args, struct recorder *recorder, const char *state)
{
    int status = 0;
    if (args->run.functional_only) { /* no time, so no total */
        if (args->json)
            printf("{\n \"takt\": \"" TAKT_VERSION
                   "\",\n \"complete\": true,\n \"cycles\": null%s%s%s\n}\n",
                   state ? ",\n \"state\": \"" : "", state ? state : "", state ? "\"" : "");
        else if (!args->quiet)
            puts("executed; values only, no time");
    } else if (args->json)
        status = run_json_print(recorder_db(recorder), state, stdout);
    else if (!args->quiet)
        status = screen_print(recorder_db(recorder), stdout, cli_colour(stdout), cli_width(stdout));
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "run", "could not write the answer");
}

/* What the command has read. */
struct job {
    struct args *args;
    const struct machine *machine;
    const struct config *config;
    const struct source *sources;
    size_t source_count;
    struct machine_program *program; /* NULL until the sources are parsed */
    struct diag_list diags;
    struct machine_proof proof;
};

/* Exit code of a run that the input ended; standard error has said why. */
static int at_fault(const struct job *job)
{
    if (job->args->json && job->diags.errors) {
        const int code = cli_diags_json("run", &job->diags, job->sources, job->source_count);
        return code == EXIT_FINE ? EXIT_INPUT : code;
    }
    if (job->args->json)
        cli_unread_json();
    return EXIT_INPUT;
}

/* The program is legal: run it to its end. */
static int execute(struct job *job, struct recorder *recorder)
{
    const struct args *args = job->args;
    const struct machine *machine = job->machine;
    struct diag_list *diags = &job->diags;
    char error[MACHINE_ERROR] = "";
    struct machine_run *run = NULL;
    const struct sink sink = recorder_sink(recorder);
    const struct run_setup setup = {job->program, job->config, &args->run, &sink};
    int status = machine->open(&run, &setup, diags, error);
    if (status != 0) {
        cli_diags_errors(diags, job->sources, job->source_count);
        const char *why = status < 0 ? recorder_error(recorder) : NULL;
        if (why || error[0])
            cli_fail(EXIT_INPUT, "run", "%s", why ? why : error);
        return status > 0 ? at_fault(job) : EXIT_HOST;
    }
    for (size_t i = 0; i < diags->count; i++)
        if (diags->items[i].severity == DIAG_WARNING)
            recorder_diag(recorder, &diags->items[i]); /* finish reports a failure */
    const size_t found = diags->warnings + diags->errors + diags->notes;
    if (found > diags->count)
        recorder_left_out(recorder, found - diags->count);
    const struct loop_run loop = {machine, run, diags, recorder, isatty(STDERR_FILENO)};
    struct loop_result result;
    int code = EXIT_FINE;
    if (loop_run(&loop, error, &result) != 0) {
        code = cli_fail(EXIT_HOST, "run", "%s", error);
    } else if (result.interrupted) {
        machine->stop(run);
        struct run_progress progress;
        machine->progress(run, &progress);
        cli_fail(EXIT_INTERRUPTED, "run",
                 "interrupted at cycle %llu; the run is not complete%s%s%s",
                 (unsigned long long)progress.cycles, args->trace ? ", its trace is " : "",
                 args->trace ? args->trace : "", args->trace ? ".partial" : "");
        code = EXIT_INTERRUPTED;
        if (args->json && !args->run.functional_only) /* complete: false, no total */
            run_json_print(recorder_db(recorder), NULL, stdout);
    } else if (result.status == RUN_FAULT) {
        machine->stop(run);
        diag_sort(diags);
        cli_diags_errors(diags, job->sources, job->source_count);
        if (error[0])
            cli_fail(EXIT_INPUT, "run", "%s", error);
        code = at_fault(job);
    } else if (result.status == RUN_FAILED) {
        machine->stop(run);
        const char *why = recorder_error(recorder);
        code = cli_fail(EXIT_HOST, "run", "%s", why ? why : error[0] ? error : "the host failed");
    } else {
        char state[17];
        const uint64_t hash = args->hash ? machine->hash(run) : 0; /* reads the whole state */
        snprintf(state, sizeof state, "%016llx", (unsigned long long)hash);
        if (args->hash && !args->run.functional_only)
            recorder_state(recorder, state); /* of which close tells a failure */
        code = answer(args, recorder, args->hash ? state : NULL);
        if (args->hash && !args->json)
            printf("state %s\n", state);
    }
    machine->close(run);
    return code;
}

static int record(struct job *job)
{
    const struct args *args = job->args;
    char error[MACHINE_ERROR];
    const struct recorder_options options = {.intervals = args->detail || args->window.to,
                                             .regions =
                                                 cli_regions(job->sources, job->source_count),
                                             .window_from = args->window.from,
                                             .window_to = args->window.to,
                                             .bounds = &job->proof.bounds,
                                             .graph = &job->proof.graph};
    /* The trace is finished even when the reader of the answer closes its pipe early. */
    static const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction pipe;
    struct recorder *recorder;
    if (args->trace)
        sigaction(SIGPIPE, &ignore, &pipe);
    const int opened = recorder_open(&recorder, args->trace, &options, error, sizeof error);
    if (opened != 0) {
        cli_fail(opened > 0 ? EXIT_INPUT : EXIT_HOST, "run", "%s", error);
        return opened > 0 ? at_fault(job) : EXIT_HOST;
    }
    const int code = execute(job, recorder);
    const int closed = recorder_close(recorder, error, sizeof error);
    if (args->trace)
        sigaction(SIGPIPE, &pipe, NULL);
    if (closed == 0 || code == EXIT_HOST) /* which has said why */
        return code;
    const int failed = cli_fail(closed > 0 ? EXIT_INPUT : EXIT_HOST, "run", "%s", error);
    return code == EXIT_FINE ? failed : code;
}

/* What the program prints, or the events: `replace` keeps what stood there until the run is
 * complete. path NULL: nothing is written. */
static int listing_open(struct replace *listing, const char *path)
{
    char error[600];
    return !path || replace_open(listing, path, error, sizeof error) == 0
               ? EXIT_FINE
               : cli_fail(EXIT_HOST, "run", "%s", error);
}

static int listing_close(struct replace *listing, int code)
{
    char error[600];
    if (replace_close(listing, code == EXIT_FINE, error, sizeof error) != 0 && code == EXIT_FINE)
        code = cli_fail(EXIT_HOST, "run", "%s", error);
    return code;
}

/* The program is legal: run it beside the lists that it writes. */
/* Lower bounds, where they cost less than the run. */
static int prove(struct job *job)
{
    enum { NODES = 50000 };
    char error[MACHINE_ERROR];
    const struct run_setup setup = {job->program, job->config, &job->args->run, NULL};
    if (job->args->run.functional_only)
        return EXIT_FINE;
    return machine_prove(&job->proof, job->machine, &setup, NODES, error) >= 0
               ? EXIT_FINE
               : cli_fail(EXIT_HOST, "run", "out of memory");
}

static int run_listed(struct job *job)
{
    struct args *args = job->args;
    struct replace dump = {0}, events = {0};
    loop_watch(true); /* a signal ends the run, not the process with files half written */
    int code = listing_open(&dump, args->dump);
    if (code == EXIT_FINE)
        code = listing_open(&events, args->events);
    args->run.dump = dump.file;
    args->run.events = events.file;
    if (code == EXIT_FINE)
        code = prove(job);
    if (code == EXIT_FINE)
        code = record(job);
    machine_proof_free(&job->proof);
    code = listing_close(&dump, code);
    code = listing_close(&events, code);
    loop_watch(false);
    return code;
}

static int run_sources(struct job *job)
{
    struct args *args = job->args;
    struct diag_list *diags = &job->diags;
    diag_list_init(diags);
    diags->silenced = args->run.silenced = args->silenced.count ? args->silenced.items : NULL;
    int status = job->machine->load(&job->program, job->sources, job->source_count, diags);
    if (status >= 0 && job->program) {
        const int checked =
            job->machine->check(job->program, job->config, args->run.settings, diags);
        status = checked < 0 ? checked : status | checked;
    }
    diag_sort(diags);
    int code;
    if (status < 0) {
        code = cli_fail(EXIT_HOST, "run", "out of memory");
    } else {
        cli_diags_few(diags, job->sources, job->source_count);
        code = diags->errors ? at_fault(job) : run_listed(job);
    }
    if (job->program)
        job->machine->unload(job->program);
    diag_list_free(diags);
    return code;
}

/* Everything that can be judged before a source is read. */
static int choose(const struct args *args, char **paths, int count, const struct machine **machine,
                  struct config *config)
{
    if (!(*machine = cli_machine_for("run", args->machine_name, paths, (size_t)count)))
        return EXIT_USAGE;
    int code = outputs(args, paths, count);
    if (code == EXIT_FINE)
        code = cli_stdin_once("run", paths, (size_t)count, &args->files);
    if (code == EXIT_FINE)
        code = cli_silenced("run", *machine, &args->silenced);
    if (code == EXIT_FINE)
        code = options_accept("run", *machine, &args->run);
    if (code == EXIT_FINE)
        code = cli_config("run", *machine, &args->files, &args->sets, config);
    return code;
}

int cmd_run(int argc, char **argv)
{
    struct args args = {0};
    struct config config = {0};
    const struct machine *machine = NULL;
    int code;
    const bool parsed = parse_args(argc, argv, &args, &code);
    if (parsed)
        code = choose(&args, argv + optind, argc - optind, &machine, &config);
    if (code == EXIT_INPUT && args.json)
        cli_unread_json();
    if (parsed && code == EXIT_FINE) {
        const size_t count = (size_t)(argc - optind);
        struct source *sources = calloc(count, sizeof *sources);
        char *command = join_command(argc, argv);
        args.run.command = command;
        code = sources && command ? cli_open_sources("run", argv + optind, count, sources)
                                  : cli_fail(EXIT_HOST, "run", "out of memory");
        if (code == EXIT_FINE) {
            struct job job = {.args = &args,
                              .machine = machine,
                              .config = &config,
                              .sources = sources,
                              .source_count = count};
            code = run_sources(&job);
            cli_close_sources(sources, count);
        } else if (code == EXIT_INPUT && args.json) {
            cli_unread_json();
        }
        free(sources);
        free(command);
        config_free(&config);
    }
    for (struct cli_list **l = (struct cli_list *[]){&args.files, &args.sets, &args.loads,
                                                     &args.saves, &args.silenced, NULL};
         *l; l++)
        cli_list_free(*l);
    cli_settings_free(&args.settings);
    return code;
}
