/* run: assemble, execute, time, record; the first screen or JSON is the answer. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run_json.h"
#include "analysis/screen.h"
#include "cli/files.h"
#include "cli/session.h"
#include "functional/text.h"
#include "host/failure.h"
#include "host/file.h"
#include "timing/run.h"
#include "traces/trace_file.h"

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
    "  --documented       by documented numbers alone: what no document gives is at\n"
    "                     the value that limits least\n"
    "  --timing-only      time without values, and without the options above about\n"
    "                     them\n"
    "  --no-run-ahead     an event of the simulation for each statement, access of a\n"
    "                     port and landing of a write; slower, the same answer\n"
    "answer\n"
    "  --trace FILE       keep the trace (SQLite); of a run that is interrupted it is\n"
    "                     FILE.partial\n"
    "  --detail           with --trace: record intervals (tier 2), however many;\n"
    "                     without it, those of a run that has up to a million\n"
    "  --no-detail        with --trace: none of them\n"
    "  --window A:B       as --detail, and plain rows for the cycles A to B; either\n"
    "                     may be empty\n"
    "  --events FILE      list the events of the simulation in FILE (- is standard\n"
    "                     output), as with --no-run-ahead\n"
    "  --width N          columns of the first screen (default: the terminal's)\n"
    "  --quiet            no first screen\n"
    "@common\n"
    "\n"
    "@exit 0 fine, 1 errors in the program\n";

/* Packed ones take about 5 bytes, plain ones 20. */
enum { MOST_INTERVALS = 1000000, PLAIN_INTERVALS = 20000 };

struct args {
    struct session session;
    const char *dump, *events, *trace, *word_order;
    bool quiet, hash, detail, no_detail;
    uint64_t width;           /* 0: the terminal's */
    struct cli_window window; /* to = 0: no window */
    const char *program;      /* as it was named */
    uint64_t printed;         /* lines of get statements that no file receives */
    bool in_line;             /* the last of them has no end yet */
};

/* What excludes what, before anything is opened. */
static int contradiction(const struct args *args)
{
    const struct run_options *run = &args->session.run;
    const bool intervals = args->detail || args->window.to;
    const char *values = run->reference                             ? "--reference"
                         : run->threads                             ? "--threads"
                         : run->init                                ? "--init"
                         : machine_setting(run->settings, "poison") ? "--poison"
                                                                    : NULL;
    if (run->timing_only && run->functional_only)
        return cli_usage("run", "--timing-only and --functional-only exclude each other");
    if (run->timing_only &&
        (args->dump || args->session.loads.count || args->session.saves.count || args->hash))
        return cli_usage("run", "--timing-only has no values to dump, load, save or hash");
    if (run->timing_only && values)
        return cli_usage("run", "--timing-only has no values: %s changes nothing", values);
    if (args->word_order && !args->session.loads.count && !args->session.saves.count)
        return cli_usage("run", "--word-order is for the files of --load and --save");
    if (run->functional_only && (args->trace || intervals || args->events))
        return cli_usage("run", "--functional-only has no time to record");
    if (run->functional_only && (run->documented || run->no_run_ahead))
        return cli_usage("run", "--functional-only has no time: %s changes nothing",
                         run->documented ? "--documented" : "--no-run-ahead");
    if (intervals && args->no_detail)
        return cli_usage("run", "--no-detail and --%s exclude each other",
                         args->window.to ? "window" : "detail");
    if (intervals && !args->trace)
        return cli_usage("run", "%s records into a trace: --trace FILE says which",
                         args->window.to ? "--window" : "--detail");
    for (size_t i = 0; i < args->session.loads.count; i++) {
        const char *equals = strchr(args->session.loads.items[i], '=');
        if (equals && strcmp(equals, "=-") == 0)
            return cli_usage("run", "--load reads a file; ./- is one of the name -");
    }
    return EXIT_FINE;
}

/* Options into args. True to continue, else the command returns *code. */
static bool parse_args(int argc, char **argv, struct args *args, int *code)
{
    static const char *const orders[] = {"little", "big", NULL};
    uint64_t threads = 0; /* not given */
    const struct cli_option table[] = {
        {"dump", .text = &args->dump, .writes = true},
        {"save", .list = &args->session.saves},
        {"word-order", .text = &args->word_order, .words = orders},
        {"threads", .number = &threads, .low = 1, .high = 256},
        {"reference", .flag = &args->session.run.reference},
        {"hash", .flag = &args->hash},
        {"functional-only", .flag = &args->session.run.functional_only},
        {"documented", .flag = &args->session.run.documented},
        {"no-run-ahead", .flag = &args->session.run.no_run_ahead},
        {"trace", .text = &args->trace},
        {"events", .text = &args->events, .writes = true},
        {"detail", .flag = &args->detail},
        {"no-detail", .flag = &args->no_detail},
        {"width", .number = &args->width, .low = 40, .high = 5000, .what = "columns"},
        {"window", .window = &args->window},
        {"quiet", .flag = &args->quiet},
        SESSION_OPTIONS(args->session),
        SESSION_VALUES(args->session),
    };
    if (!SESSION_TAKE(&args->session, help, table, argc, argv, code))
        return false;
    args->session.run.threads = (unsigned)threads;
    args->session.run.word_order_big = args->word_order && args->word_order[0] == 'b';
    *code = optind == argc ? cli_usage("run", "which program?") : contradiction(args);
    if (!threads)
        args->session.run.threads = 1;
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

static int check_files(const struct args *args, char **sources, int count)
{
    const struct session *s = &args->session;
    struct cli_files files = {.out_of_memory = false};
    if (args->trace && replace_is_output(args->trace))
        return cli_usage("run", "--trace writes a file; ./- is one of the name -");
    for (size_t i = 0; i < s->saves.count; i++) {
        const char *equals = strchr(s->saves.items[i], '=');
        if (equals && replace_is_output(equals + 1))
            return cli_usage("run", "--save writes a file; ./- is one of the name -");
    }
    for (int i = 0; i < count; i++)
        files_read(&files, sources[i]);
    files_read_list(&files, &s->files);
    files_trace(&files, args->trace);
    files_written(&files, "--dump", args->dump);
    files_written(&files, "--events", args->events);
    files_of_run(&files, s->machine, &s->run);
    return files_check(&files, "run");
}

/* Of a run without time there is no total. ending, state: as of print, below. */
static int print_values(const struct args *args, const char *ending, const char *state)
{
    if (args->session.json)
        return cli_json("run",
                        json_pack("{ss sb sn ss* ss*}", "takt", TAKT_VERSION, "complete", 1,
                                  "cycles", "ending", ending, "state", state),
                        JSON_INDENT(1));
    if (!args->quiet) {
        puts("executed; values only, no time");
        if (ending)
            text_print(stdout, "ENDED   %s\n", ending);
    }
    return EXIT_FINE;
}

/* How the program ended and the hash of its final state, or NULL. */
static int print(struct args *args, const char *ending, const char *state)
{
    int status = 0;
    FILE *dump = args->session.run.dump;
    if (dump && (fflush(dump) != 0 || ferror(dump))) /* the count of lines is complete */
        return cli_fail(EXIT_HOST, "run", "could not write what the program prints");
    if (args->session.run.functional_only)
        return print_values(args, ending, state);
    if (args->session.json)
        status = run_json_print(args->session.store, state, stdout);
    else if (!args->quiet)
        status = screen_print(args->session.store,
                              &(const struct screen_options){
                                  .colour = cli_colour(stdout),
                                  .width = args->width ? (int)args->width : cli_width(stdout),
                                  .trace = args->trace,
                                  .program = args->program,
                                  .printed = args->printed,
                                  .no_warnings = true},
                              stdout);
    return status == 0 ? EXIT_FINE : cli_fail(EXIT_HOST, "run", "could not write the answer");
}

static int answer(struct args *args)
{
    struct session *s = &args->session;
    char state[17];
    const uint64_t hash = args->hash ? run_hash(s->running->run) : 0; /* reads the whole state */
    snprintf(state, sizeof state, "%016llx", (unsigned long long)hash);
    if (args->hash && s->running->recorder)
        recorder_state(s->running->recorder, state); /* whose failure shows when it is closed */
    const int code = print(args, run_ending(s->running->run), args->hash ? state : NULL);
    if (args->hash && !s->json)
        printf("state %s\n", state);
    return code;
}

static int record(struct args *args)
{
    struct session *s = &args->session;
    char error[MACHINE_ERROR];
    /* The trace is finished even when the reader of the answer closes its pipe early. */
    static const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction pipe;
    if (args->trace)
        sigaction(SIGPIPE, &ignore, &pipe);
    const bool wanted = args->detail || args->window.to;
    const struct recorder_options options = {.intervals =
                                                 wanted || (args->trace && !args->no_detail),
                                             .most = wanted ? 0 : MOST_INTERVALS,
                                             .plain = args->window.to ? 0 : PLAIN_INTERVALS,
                                             .kept.regions = true,
                                             .window_from = args->window.from,
                                             .window_to = args->window.to};
    int code = args->trace ? session_record(s, args->trace, options) : session_keep(s, true);
    if (code == EXIT_FINE) {
        code = session_run(s, NULL);
        if (code == EXIT_FINE && args->window.from >= s->cycles && args->window.to)
            code = cli_fail(EXIT_INPUT, "run",
                            "the run takes %llu cycles: --window from %llu holds none of them",
                            (unsigned long long)s->cycles, (unsigned long long)args->window.from);
        else if (code == EXIT_FINE)
            code = answer(args);
        else if (code == EXIT_INTERRUPTED && s->json && !s->run.functional_only)
            run_json_print(s->store, NULL, stdout); /* complete: false, no total */
        const int closed = session_finish(s, error);
        if (closed != 0 && code != EXIT_HOST) { /* which has said why */
            const int failed = cli_status("run", closed, error);
            code = code == EXIT_FINE ? failed : code;
        }
    }
    if (args->trace)
        sigaction(SIGPIPE, &pipe, NULL);
    return code;
}

/* What the program prints, or the events: `replace` keeps the old file until the run is
 * complete. path NULL: nothing is written. */
static int listing_open(struct replace *listing, const char *path)
{
    char error[600];
    const int opened = path ? replace_open(listing, path, error, sizeof error) : 0;
    return opened == 0 ? EXIT_FINE
                       : cli_fail(opened > 0 ? EXIT_USAGE : EXIT_HOST, "run", "%s", error);
}

static int listing_close(struct replace *listing, int code)
{
    char error[600];
    if (replace_close(listing, code == EXIT_FINE && failure_count() == 0, error, sizeof error) !=
            0 &&
        code == EXIT_FINE)
        code = cli_fail(EXIT_HOST, "run", "%s", error);
    return code;
}

/* A last line without an end counts, too. */
static ssize_t count_lines(void *context, const char *text, size_t size)
{
    struct args *args = context;
    for (size_t i = 0; i < size; i++) {
        args->printed += !args->in_line;
        args->in_line = text[i] != '\n';
    }
    return (ssize_t)size;
}

/* Without --dump what the program prints is counted for the first screen alone. */
static bool has_counter(const struct args *args)
{
    const struct run_options *run = &args->session.run;
    return !args->dump && !args->quiet && !args->session.json && !run->timing_only &&
           !run->functional_only;
}

/* The program is legal: run it and write its lists. */
static int run_listed(struct args *args)
{
    enum { PROVEN = 50000 }; /* nodes; bounds of more would cost more than the run */
    struct session *s = &args->session;
    struct replace dump = {0}, events = {0};
    loop_watch(true); /* a signal ends the run, not the process with files half written */
    int code = listing_open(&dump, args->dump);
    if (code == EXIT_FINE)
        code = listing_open(&events, args->events);
    FILE *counter = NULL;
    if (code == EXIT_FINE && has_counter(args)) {
        counter = fopencookie(args, "w", (cookie_io_functions_t){.write = count_lines});
        if (!counter)
            code = cli_fail(EXIT_HOST, "run", "out of memory");
    }
    s->run.dump = counter ? counter : dump.file;
    s->run.events = events.file;
    if (code == EXIT_FINE && !s->run.functional_only)
        code = session_prove(s, PROVEN, false);
    if (code == EXIT_FINE && !s->run.functional_only)
        code = session_search(s);
    if (code == EXIT_FINE)
        code = record(args);
    if (counter)
        fclose(counter);
    code = listing_close(&dump, code);
    code = listing_close(&events, code);
    loop_watch(false);
    return code;
}

static int run(struct args *args, char **paths, int count)
{
    struct session *s = &args->session;
    int code = session_choose(s, paths, (size_t)count);
    if (code == EXIT_FINE)
        code = check_files(args, paths, count);
    if (code == EXIT_FINE)
        code = session_open(s, paths, (size_t)count);
    if (code == EXIT_FINE)
        code = session_load(s);
    return code == EXIT_FINE ? run_listed(args) : code;
}

int cmd_run(int argc, char **argv)
{
    struct args args = {.session = {.command = "run", .warnings = true}};
    int code;
    char *command = join_command(argc, argv);
    args.session.run.command = command;
    if (!command)
        code = cli_fail(EXIT_HOST, "run", "out of memory");
    else if (parse_args(argc, argv, &args, &code)) {
        args.program = argc - optind == 1 ? argv[optind] : NULL;
        code = run(&args, argv + optind, argc - optind);
    }
    session_close(&args.session);
    free(command);
    return code;
}
