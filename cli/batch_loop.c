#include "cli/batch_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>

#include "cli/batch_junit.h"
#include "cli/batch_serve.h"
#include "cli/cli.h"
#include "host/failure.h"

enum { MOST_LINE = 1 << 24 };

static void feed(struct batch_loop *loop);

static void fail(struct batch_loop *loop, const char *what)
{
    snprintf(loop->failure, sizeof loop->failure, "%s", what);
    loop->code = EXIT_HOST;
    event_base_loopbreak(loop->base);
}

/* Of --best: nothing is printed before the end. */
static void take_ready(struct batch_loop *loop)
{
    for (char **answer; *(answer = &loop->answers[(loop->printed + 1) % BATCH_WINDOW]);
         loop->printed++) {
        if (batch_best_take(loop->best, loop->printed + 1, *answer) != 0)
            fail(loop, "out of memory");
        *answer = NULL;
    }
}

static void print_ready(struct batch_loop *loop)
{
    bool any = false;
    if (loop->best) {
        take_ready(loop);
        return;
    }
    for (char **answer; *(answer = &loop->answers[(loop->printed + 1) % BATCH_WINDOW]);
         loop->printed++) {
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

static void keep(struct batch_loop *loop, uint64_t number, char *answer, int status)
{
    if (!answer) {
        fail(loop, "out of memory");
        return;
    }
    loop->answers[number % BATCH_WINDOW] = answer;
    const int code = status == TAKT_FINE ? EXIT_FINE : status == TAKT_HOST ? EXIT_HOST : EXIT_INPUT;
    if (!loop->best || code == EXIT_HOST)
        loop->code = code > loop->code ? code : loop->code;
}

static void idle(struct batch_process *process)
{
    free(process->text);
    process->text = NULL;
    process->job.number = 0;
}

static void on_answer(struct bufferevent *link, void *context)
{
    struct batch_process *process = context;
    struct batch_loop *loop = process->loop;
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
    struct batch_process *process = context;
    struct batch_loop *loop = process->loop;
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
static void become_process(struct batch_loop *loop, int fd)
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

static bool start(struct batch_loop *loop, struct batch_process *process)
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
static bool next_line(struct batch_loop *loop, char **text, size_t *size, enum batch_kind *kind)
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

static bool next_input(struct batch_loop *loop, char **text, size_t *size, enum batch_kind *kind)
{
    if (loop->input)
        return next_line(loop, text, size, kind);
    loop->ended = loop->sent >= loop->path_count;
    if (loop->ended)
        return false;
    *text = strdup(loop->paths[loop->sent]);
    *size = *text ? strlen(*text) : 0;
    *kind = BATCH_FILE;
    return true;
}

/* A job of the input; then, when all of these have answers, one that compares values. */
static bool next_job(struct batch_loop *loop, struct batch_process *process)
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

static bool send_job(struct batch_loop *loop, struct batch_process *process)
{
    const struct batch_job *job = &process->job;
    const struct batch_header header = {job->kind, (uint32_t)job->size, job->number};
    return (process->link || start(loop, process)) &&
           bufferevent_write(process->link, &header, sizeof header) == 0 &&
           (!job->size || bufferevent_write(process->link, job->text, job->size) == 0);
}

/* Jobs to processes that have none, as long as there are both and the window has room. */
static void feed(struct batch_loop *loop)
{
    bool more = !loop->failure[0];
    for (size_t i = 0; more && i < loop->process_count; i++) {
        struct batch_process *process = &loop->processes[i];
        struct batch_job *job = &process->job;
        if (job->number || loop->sent - loop->printed >= BATCH_WINDOW - 1)
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
    struct batch_loop *loop = context;
    if (what & BEV_EVENT_ERROR) {
        fail(loop, "the input could not be read");
        return;
    }
    bufferevent_disable(input, EV_READ);
    loop->ended = true;
    feed(loop);
}

/* Reading stops by itself where as much is held as a line may be long. */
static bool open_input(struct batch_loop *loop, int fd)
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
    struct batch_loop *loop = context;
    loop->interrupted = true;
    fail(loop, "interrupted");
}

enum { ENDS = 3 };
/* With a report: it has what is done. Without one loop_guard ends the command. */
static void watch_ends(struct batch_loop *loop, struct event *ends[ENDS])
{
    static const int numbers[ENDS] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now;
    for (size_t i = 0; loop->report && i < ENDS; i++)
        if (sigaction(numbers[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN)
            ends[i] = NULL;
        else if ((ends[i] = evsignal_new(loop->base, numbers[i], on_end, loop)))
            event_add(ends[i], NULL);
}

int batch_loop_run(struct batch_loop *loop, int fd)
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
    for (size_t i = 0; i < BATCH_WINDOW; i++)
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
