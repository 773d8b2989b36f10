#include "cli/sweep_local.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "analysis/sweep_part.h"
#include "cli/cli.h"
#include "cli/sweep_chunk.h"

enum { TRIES = 3, ENDS = 3 };
static const int ends[ENDS] = {SIGINT, SIGTERM, SIGHUP};

struct worker {
    pid_t pid; /* 0: none */
    size_t chunk;
};

struct local {
    struct sweep_progress *progress;
    struct event_base *base;
    struct worker *workers;
    size_t jobs, running;
    unsigned char *tries; /* of chunks */
    size_t next;
    int code;
    bool shown, interrupted, failing;
};

static const struct sweep_folder *folder_of(const struct local *l)
{
    return l->progress->folder;
}

static void become_worker(const struct local *l, size_t chunk, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < ENDS; i++)
        signal(ends[i], SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    if (getppid() != parent)
        _exit(EXIT_INTERRUPTED);
    _exit(sweep_chunk_run(folder_of(l), chunk, 1));
}

/* The next chunk that is not done, not at work and has tries left; those that failed come again
 * after all others. */
static bool next_chunk(struct local *l, size_t *chunk)
{
    const size_t count = folder_of(l)->chunk_count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (l->next + i) % count;
        bool busy = l->progress->chunks[at].state == SWEEP_DONE || l->tries[at] >= TRIES;
        for (size_t w = 0; !busy && w < l->jobs; w++)
            busy = l->workers[w].pid && l->workers[w].chunk == at;
        if (busy)
            continue;
        *chunk = at;
        l->next = at + 1;
        return true;
    }
    return false;
}

static void fail(struct local *l, int code)
{
    l->failing = true;
    l->code = code > l->code ? code : l->code;
}

static void feed(struct local *l)
{
    const pid_t self = getpid();
    for (size_t w = 0; !l->failing && !l->interrupted && w < l->jobs; w++) {
        struct worker *worker = &l->workers[w];
        if (worker->pid || !next_chunk(l, &worker->chunk))
            continue;
        worker->pid = fork();
        if (worker->pid == 0)
            become_worker(l, worker->chunk, self);
        if (worker->pid < 0) {
            worker->pid = 0;
            fail(l, cli_fail(EXIT_HOST, "sweep", "a worker could not be started"));
            break;
        }
        l->tries[worker->chunk]++;
        l->running++;
    }
    if (!l->running)
        event_base_loopbreak(l->base);
}

static void show(struct local *l)
{
    if (!l->shown)
        return;
    fputs("\r\033[K", stderr);
    sweep_progress_print(l->progress, stderr);
    fflush(stderr);
}

static void judge(struct local *l, const struct worker *worker, int status)
{
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == EXIT_FINE)
        return;
    if (code > 0) {
        fail(l, code);
        return;
    }
    const bool last = l->tries[worker->chunk] >= TRIES;
    cli_fail(EXIT_HOST, "sweep", "chunk %zu: its worker was ended by signal %d%s", worker->chunk,
             WIFSIGNALED(status) ? WTERMSIG(status) : 0,
             last ? "; it is left out" : "; it is run again");
}

static void remove_part(const struct local *l, size_t chunk)
{
    char *chunks = sweep_folder_path(folder_of(l), "chunks");
    if (chunks)
        sweep_part_remove(chunks, chunk);
    free(chunks);
}

static void on_child(evutil_socket_t signal_number, short what, void *context)
{
    (void)signal_number, (void)what;
    struct local *l = context;
    for (size_t w = 0; w < l->jobs; w++) {
        struct worker *worker = &l->workers[w];
        int status;
        if (!worker->pid || waitpid(worker->pid, &status, WNOHANG) != worker->pid)
            continue;
        worker->pid = 0;
        l->running--;
        remove_part(l, worker->chunk);
        if (!l->interrupted)
            judge(l, worker, status);
    }
    if (sweep_progress_update(l->progress) != 0)
        fail(l, cli_fail(EXIT_HOST, "sweep", "out of memory"));
    show(l);
    feed(l);
}

static void on_end(evutil_socket_t signal_number, short what, void *context)
{
    (void)signal_number, (void)what;
    struct local *l = context;
    l->interrupted = true;
    for (size_t w = 0; w < l->jobs; w++)
        if (l->workers[w].pid)
            kill(l->workers[w].pid, SIGTERM);
    if (!l->running)
        event_base_loopbreak(l->base);
}

static void on_tick(evutil_socket_t fd, short what, void *context)
{
    (void)fd, (void)what;
    struct local *l = context;
    if (l->shown && sweep_progress_update(l->progress) == 0)
        show(l);
}

static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Events of the loop; the first is of workers that end. */
enum { EVENTS = ENDS + 2 };
static bool add_events(struct local *l, struct event *events[EVENTS])
{
    static const struct timeval second = {1, 0};
    bool good = true;
    events[0] = evsignal_new(l->base, SIGCHLD, on_child, l);
    events[1] = event_new(l->base, -1, EV_PERSIST, on_tick, l);
    good &= events[0] && event_add(events[0], NULL) == 0;
    good &= events[1] && event_add(events[1], &second) == 0;
    for (size_t i = 0; i < ENDS; i++) {
        if (is_ignored(ends[i]))
            continue;
        events[2 + i] = evsignal_new(l->base, ends[i], on_end, l);
        good &= events[2 + i] && event_add(events[2 + i], NULL) == 0;
    }
    return good;
}

static int run_loop(struct local *l)
{
    struct event *events[EVENTS] = {NULL};
    if (!add_events(l, events))
        return cli_fail(EXIT_HOST, "sweep", "the event loop could not be made");
    for (size_t i = 0; i < folder_of(l)->chunk_count; i++)
        if (l->progress->chunks[i].state == SWEEP_AT_WORK)
            remove_part(l, i);
    feed(l);
    if (l->running)
        event_base_dispatch(l->base);
    for (size_t i = 0; i < EVENTS; i++)
        if (events[i])
            event_free(events[i]);
    if (l->shown)
        fputs("\r\033[K", stderr);
    return l->code;
}

static int say_end(const struct local *l)
{
    const struct sweep_progress *p = l->progress;
    const struct sweep_folder *folder = p->folder;
    if (p->chunks_done == folder->chunk_count)
        return l->code;
    const enum exit_code code = l->interrupted ? EXIT_INTERRUPTED
                                : l->code      ? (enum exit_code)l->code
                                               : EXIT_HOST;
    return cli_fail(code, "sweep", "%s%zu of %zu chunks are done; takt sweep resume %s continues",
                    l->interrupted ? "interrupted: " : "", p->chunks_done, folder->chunk_count,
                    folder->path);
}

int sweep_local_run(struct sweep_progress *progress, size_t jobs, bool shown)
{
    struct local l = {.progress = progress,
                      .jobs = jobs,
                      .shown = shown,
                      .base = event_base_new(),
                      .workers = calloc(jobs, sizeof *l.workers),
                      .tries = calloc(progress->folder->chunk_count + 1, sizeof *l.tries)};
    int code = l.base && l.workers && l.tries
                   ? run_loop(&l)
                   : cli_fail(EXIT_HOST, "sweep", "the event loop could not be made");
    if (code != EXIT_FINE || progress->chunks_done < progress->folder->chunk_count)
        code = say_end(&l);
    if (l.base)
        event_base_free(l.base);
    free(l.workers);
    free(l.tries);
    return code;
}
