/*
 * batch: many programs, one JSON line each, in the order of input. Processes do the work (libtakt,
 * cli/batch_job.h); the libevent loop reads, hands out and prints, and never more than a window of
 * jobs is under way, so that memory does not grow with the input.
 *
 *   input --read_jobs--> window --send--> process --on_answer--> window --print_ready--> stdout
 */
#include "cli/options.h"
#include "cli/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "cli/batch_best.h"
#include "cli/batch_junit.h"
#include "cli/files.h"
#include "cli/batch_serve.h"
#include "host/failure.h"
#include "host/file.h"
#include "host/in_use.h"

enum { WINDOW = 256, MOST_LINE = 1 << 24, MOST_JOBS = 256 };

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
    "  --equal-to FILE    of those that compute what this program does\n"
    "  --jobs N           work in N processes (default: one for each processor)\n"
    "  --job-seconds N    a job that takes longer is given up, the others are not\n"
    "                     (default: 60; 0: no limit)\n"
    "  --any-file         read programs that are not regular files, too: pipes,\n"
    "                     devices\n"
    "  --machine NAME     default: from the file's extension\n"
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
    "  --diagnostics      warnings, too; errors are always listed\n"
    "  --values           compute values, too, where the time depends on them\n"
    "  --init KIND        memories start as zero, pattern or random:SEED; with\n"
    "                     --values\n"
    "  --dump             what get statements print; with values\n"
    "  --junit FILE       the programs as JUnit XML, too; if the command ends early,\n"
    "                     those so far and an error; not with --best\n"
    "  --hash             hash of the final state; with values\n"
    "@common\n"
    "\n"
    "exit: 0 fine, 1 errors in a program, 2 usage, 3 the host failed,\n"
    "130 interrupted\n";

/* --- the loop --------------------------------------------------------------------------------- */

struct loop;
struct process {
    struct loop *loop;
    pid_t pid;
    struct bufferevent *link; /* NULL: not running */
    struct batch_job job;     /* that it works at; number 0: none */
    char *text;               /* of the job */
};

struct loop {
    struct batch batch;
    struct batch_best *best; /* or NULL */
    struct junit junit;      /* with --junit, else without cases */
    const char *report;      /* --junit */
    bool over;               /* the report would replace a program */
    struct event_base *base;
    char **paths; /* of the command line, */
    size_t path_count;
    struct bufferevent *input; /* or lines that are */
    enum batch_kind kind;
    size_t searched; /* of the line that has not ended yet */
    bool skipping;   /* the rest of a line that is too long */
    bool ended;      /* of the input */
    bool comparing;  /* with --best, after that */
    struct process processes[MOST_JOBS];
    size_t process_count;
    uint64_t sent, printed; /* jobs */
    char *answers[WINDOW];  /* by number; NULL: under way */
    int code;               /* of the command */
    bool interrupted;
    char failure[MACHINE_ERROR]; /* of the host */
};

static void feed(struct loop *loop);

static void fail(struct loop *loop, const char *what)
{
    snprintf(loop->failure, sizeof loop->failure, "%s", what);
    loop->code = EXIT_HOST;
    event_base_loopbreak(loop->base);
}

/* Of --best: nothing is printed before the end. */
static void take_ready(struct loop *loop)
{
    for (char **answer; *(answer = &loop->answers[(loop->printed + 1) % WINDOW]); loop->printed++) {
        if (batch_best_take(loop->best, loop->printed + 1, *answer) != 0)
            fail(loop, "out of memory");
        *answer = NULL;
    }
}

static void print_ready(struct loop *loop)
{
    bool any = false;
    if (loop->best) {
        take_ready(loop);
        return;
    }
    for (char **answer; *(answer = &loop->answers[(loop->printed + 1) % WINDOW]); loop->printed++) {
        fputs(*answer, stdout);
        putchar('\n');
        if (loop->junit.cases)
            loop->over |= batch_junit_add(&loop->junit, *answer, loop->report);
        free(*answer);
        *answer = NULL;
        any = true;
    }
    /* A writer that sends lines one by one waits for each answer. */
    if (!any || (fflush(stdout) == 0 && !ferror(stdout)))
        return;
    if (errno == EPIPE) { /* the reader closed the pipe, which ends a command silently */
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    fail(loop, "could not write the answer");
}

static void keep(struct loop *loop, uint64_t number, char *answer, int status)
{
    if (!answer) {
        fail(loop, "out of memory");
        return;
    }
    loop->answers[number % WINDOW] = answer;
    const int code = status == TAKT_FINE ? EXIT_FINE : status == TAKT_HOST ? EXIT_HOST : EXIT_INPUT;
    if (!loop->best || code == EXIT_HOST)
        loop->code = code > loop->code ? code : loop->code;
}

static void idle(struct process *process)
{
    free(process->text);
    process->text = NULL;
    process->job.number = 0;
}

static void on_answer(struct bufferevent *link, void *context)
{
    struct process *process = context;
    struct loop *loop = process->loop;
    struct evbuffer *buffer = bufferevent_get_input(link);
    struct batch_header header;
    if (evbuffer_copyout(buffer, &header, sizeof header) < (ssize_t)sizeof header ||
        evbuffer_get_length(buffer) < sizeof header + header.size)
        return;
    char *answer = malloc((size_t)header.size + 1);
    evbuffer_drain(buffer, sizeof header);
    if (answer) {
        evbuffer_remove(buffer, answer, header.size);
        answer[header.size] = '\0';
    }
    idle(process);
    keep(loop, header.number, answer, (int)header.code);
    print_ready(loop);
    feed(loop);
}

/* A process that ended: its job has an answer all the same, and the next job starts another. */
static void on_gone(struct bufferevent *link, short what, void *context)
{
    (void)what;
    struct process *process = context;
    struct loop *loop = process->loop;
    int status = 0;
    char why[BATCH_WHY];
    bufferevent_free(link);
    process->link = NULL;
    kill(process->pid, SIGKILL); /* only the link may have failed */
    waitpid(process->pid, &status, 0);
    if (!process->job.number)
        return;
    const enum takt_status code = batch_gone(&loop->batch, status, why);
    keep(loop, process->job.number, batch_lost(&process->job, why), (int)code);
    idle(process);
    print_ready(loop);
    feed(loop);
}

/* In the process that is to serve: nothing of the loop is its own. */
static void become_process(struct loop *loop, int fd)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    /* A terminal interrupts the whole group; the loop ends this process. */
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < loop->process_count; i++)
        if (loop->processes[i].link)
            close(bufferevent_getfd(loop->processes[i].link));
    /* Lines of input and answers are of the loop alone, whatever files a job names. */
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        _exit(EXIT_HOST);
    _exit(batch_serve(&loop->batch, fd));
}

static bool start(struct loop *loop, struct process *process)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    process->pid = fork();
    if (process->pid == 0) {
        close(ends[0]);
        become_process(loop, ends[1]);
    }
    close(ends[1]);
    process->loop = loop;
    process->link = process->pid > 0 && evutil_make_socket_nonblocking(ends[0]) == 0
                        ? bufferevent_socket_new(loop->base, ends[0], BEV_OPT_CLOSE_ON_FREE)
                        : NULL;
    if (!process->link) {
        close(ends[0]);
        return false;
    }
    bufferevent_setcb(process->link, on_answer, NULL, on_gone, process);
    return bufferevent_enable(process->link, EV_READ | EV_WRITE) == 0;
}

/* --- input ------------------------------------------------------------------------------------ */

static bool is_blank(const char *text, size_t size)
{
    return strspn(text, " \t\r") >= size;
}

/* The next line that is a job into *text, to be freed; NULL with *kind BATCH_TOO_LONG is one that
 * is longer. False: there is none yet, or any more. */
static bool next_line(struct loop *loop, char **text, size_t *size, enum batch_kind *kind)
{
    struct evbuffer *buffer = bufferevent_get_input(loop->input);
    for (;;) {
        struct evbuffer_ptr from, end;
        const size_t held = evbuffer_get_length(buffer);
        evbuffer_ptr_set(buffer, &from, loop->searched, EVBUFFER_PTR_SET);
        end = evbuffer_search_eol(buffer, &from, NULL, EVBUFFER_EOL_LF);
        const bool whole = end.pos >= 0;
        const size_t length = whole ? (size_t)end.pos : held;
        loop->searched = whole ? 0 : held;
        if (!whole && !loop->skipping && held < MOST_LINE && !(loop->ended && held))
            return false;
        const bool skipped = loop->skipping;
        loop->skipping = !whole && !loop->ended;
        *text = NULL;
        *size = 0;
        *kind = loop->kind;
        if (skipped || length >= MOST_LINE) {
            *kind = BATCH_TOO_LONG;
        } else if ((*text = malloc(length + 1))) {
            evbuffer_remove(buffer, *text, length);
            (*text)[ *size = length] = '\0';
        }
        evbuffer_drain(buffer, (*text ? 0 : length) + whole);
        if (loop->skipping || skipped)
            loop->searched = 0;
        if (skipped && !whole && !loop->ended)
            return false; /* more of the same line */
        if (skipped)
            continue; /* its answer has been given */
        if (*kind == BATCH_TOO_LONG || !*text || !is_blank(*text, *size))
            return true;
        free(*text);
        *text = NULL; /* of a blank line */
    }
}

static bool next_input(struct loop *loop, char **text, size_t *size, enum batch_kind *kind)
{
    if (loop->input)
        return next_line(loop, text, size, kind);
    loop->ended = loop->sent >= loop->path_count;
    if (loop->ended)
        return false;
    *text = strdup(loop->paths[loop->sent]);
    *size = strlen(loop->paths[loop->sent]);
    *kind = BATCH_FILE;
    return true;
}

/* A job of the input; then, when all of these have answers, one that compares values. */
static bool next_job(struct loop *loop, struct process *process)
{
    struct batch_job *job = &process->job;
    if (next_input(loop, &process->text, &job->size, &job->kind)) {
        job->text = process->text;
        if (loop->best && batch_best_note(loop->best, job) != 0)
            fail(loop, "out of memory");
        return true;
    }
    if (!loop->best || !loop->ended || (!loop->comparing && loop->sent != loop->printed))
        return false;
    loop->comparing = true;
    job->text = process->text = batch_best_next(loop->best, loop->sent + 1);
    job->kind = BATCH_JSON;
    job->size = job->text ? strlen(job->text) : 0;
    return job->text;
}

static bool send_job(struct loop *loop, struct process *process)
{
    const struct batch_job *job = &process->job;
    const struct batch_header header = {job->kind, (uint32_t)job->size, job->number};
    return (process->link || start(loop, process)) &&
           bufferevent_write(process->link, &header, sizeof header) == 0 &&
           (!job->size || bufferevent_write(process->link, job->text, job->size) == 0);
}

/* Jobs to processes that have none, as long as there are both and the window has room. */
static void feed(struct loop *loop)
{
    bool more = !loop->failure[0];
    for (size_t i = 0; more && i < loop->process_count; i++) {
        struct process *process = &loop->processes[i];
        struct batch_job *job = &process->job;
        if (job->number || loop->sent - loop->printed >= WINDOW - 1)
            continue;
        more = next_job(loop, process);
        if (!more)
            break;
        job->number = ++loop->sent;
        if ((!job->text && job->kind != BATCH_TOO_LONG) || !send_job(loop, process)) {
            more = false;
            fail(loop, job->text ? "a process could not be started" : "out of memory");
        }
    }
    if (failure_count_host() && !loop->failure[0]) /* libevent does not say what it could not do */
        fail(loop, failure_sentence());
    if (loop->ended && !more && loop->sent == loop->printed)
        event_base_loopbreak(loop->base);
}

static void on_input(struct bufferevent *input, void *context)
{
    (void)input;
    feed(context);
}

static void on_input_end(struct bufferevent *input, short what, void *context)
{
    struct loop *loop = context;
    if (what & BEV_EVENT_ERROR) {
        fail(loop, "the input could not be read");
        return;
    }
    bufferevent_disable(input, EV_READ);
    loop->ended = true;
    feed(loop);
}

/* Reading stops by itself where as much is held as a line may be long. */
static bool open_input(struct loop *loop, int fd)
{
    loop->input = bufferevent_socket_new(loop->base, fd, 0);
    if (!loop->input)
        return false;
    bufferevent_setcb(loop->input, on_input, NULL, on_input_end, loop);
    bufferevent_setwatermark(loop->input, EV_READ, 0, MOST_LINE + 1);
    return bufferevent_enable(loop->input, EV_READ) == 0;
}

/* poll(), since the input may be a file. */
static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    if (config)
        event_config_require_features(config, EV_FEATURE_FDS);
    struct event_base *base = config ? event_base_new_with_config(config) : NULL;
    if (config)
        event_config_free(config);
    return base;
}

static void on_end(evutil_socket_t number, short what, void *context)
{
    (void)number, (void)what;
    struct loop *loop = context;
    loop->interrupted = true;
    fail(loop, "interrupted");
}

enum { ENDS = 3 };
/* With a report: it has what is done. Without one loop_guard ends the command. */
static void watch_ends(struct loop *loop, struct event *ends[ENDS])
{
    static const int numbers[ENDS] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now;
    for (size_t i = 0; loop->report && i < ENDS; i++)
        if (sigaction(numbers[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN)
            ends[i] = NULL;
        else if ((ends[i] = evsignal_new(loop->base, numbers[i], on_end, loop)))
            event_add(ends[i], NULL);
}

static int run_loop(struct loop *loop, int fd)
{
    struct event *ends[ENDS] = {NULL};
    signal(SIGPIPE, SIG_IGN); /* a process that ended does not end the batch */
    loop->base = new_base();
    if (!loop->base || (fd >= 0 && !open_input(loop, fd)))
        return cli_fail(EXIT_HOST, "batch", "the event loop could not be made");
    watch_ends(loop, ends);
    feed(loop);
    if (!loop->failure[0] && !(loop->ended && loop->sent == loop->printed))
        event_base_dispatch(loop->base);
    if (!loop->failure[0] && !(loop->ended && loop->sent == loop->printed))
        fail(loop, "the event loop ended early");
    for (size_t i = 0; i < loop->process_count; i++)
        if (loop->processes[i].link) {
            if (loop->failure[0])
                kill(loop->processes[i].pid, SIGKILL);
            bufferevent_free(loop->processes[i].link);
        }
    for (size_t i = 0; i < WINDOW; i++)
        free(loop->answers[i]);
    if (loop->input)
        bufferevent_free(loop->input);
    for (size_t i = 0; i < ENDS; i++)
        if (ends[i])
            event_free(ends[i]);
    event_base_free(loop->base); /* closes the links, on which the processes end */
    for (size_t i = 0; i < loop->process_count; i++) {
        free(loop->processes[i].text);
        if (loop->processes[i].link)
            waitpid(loop->processes[i].pid, NULL, 0);
    }
    if (loop->failure[0])
        return cli_fail(loop->interrupted ? EXIT_INTERRUPTED : EXIT_HOST, "batch", "%s",
                        loop->failure);
    return loop->code == EXIT_HOST
               ? cli_fail(EXIT_HOST, "batch", "the host failed in a job, whose answer says how")
               : loop->code;
}

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
    for (size_t i = 0; i < args->files.count; i++)
        files_read(&files, args->files.items[i]);
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
        {"jobs", .number = &args->jobs, .low = 1, .high = MOST_JOBS},
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
    if (args->init)
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

static int write_report(struct loop *loop)
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

static int run_best(struct loop *loop, const struct args *args, int fd)
{
    const struct batch_best_setup setup = {.most = args->best,
                                           .by = args->by,
                                           .reference = args->equal_to,
                                           .machine = args->machine,
                                           .files = &args->files,
                                           .sets = &args->sets,
                                           .settings = args->settings.items};
    if (args->best && !(loop->best = batch_best_new(&setup)))
        return cli_fail(EXIT_HOST, "batch", "out of memory");
    if (args->junit && junit_open(&loop->junit) != 0)
        return cli_fail(EXIT_HOST, "batch", "out of memory");
    loop->report = args->junit;
    int code = run_loop(loop, fd);
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
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        struct loop *loop = calloc(1, sizeof *loop);
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
            loop->process_count = args.jobs ? args.jobs : processors > 1 ? (size_t)processors : 1;
            if (loop->process_count > MOST_JOBS)
                loop->process_count = MOST_JOBS;
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
