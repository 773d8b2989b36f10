/*
 * loop: the libevent loop around a run. The simulation advances in slices, so that signals and
 * progress are served between them; the loop never touches simulated time.
 */
#include "cli/cli.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <event2/event.h>

#include "library/library.h"
#include "host/file.h"
#include "timing/run.h"

/* Statements of the first slice: with values and a slow host, well below a second. */
enum { FIRST_BUDGET = 1000, SLICE_MS = 20 };

struct loop {
    struct takt_run *run;
    char *error;
    struct event_base *base;
    struct event *slice;
    uint64_t budget;
    bool shown, interrupted;
    enum run_status status;
    struct timespec start;
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

/* Signals that end a run: a user, a system that shuts down, a terminal that goes away. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

/* As after nohup, or in the background of a script. */
static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static char farewell[64];
static void say_farewell(int number)
{
    (void)number;
    replace_abandon();
    const ssize_t written = write(STDERR_FILENO, farewell, strlen(farewell));
    (void)written;
    _exit(EXIT_INTERRUPTED);
}

static volatile sig_atomic_t signalled;
enum { PATIENCE = 3 }; /* seconds for the run to look at it: one that hangs does not */

static void note_signal(int number)
{
    (void)number;
    signalled = 1;
    alarm(PATIENCE);
}

bool loop_signalled(void)
{
    if (signalled)
        alarm(0);
    return signalled;
}

void loop_watch(bool on)
{
    static const struct sigaction note = {.sa_handler = note_signal};
    static struct sigaction before[ENDS];
    static unsigned depth;
    if (on ? depth++ : --depth)
        return;
    for (size_t i = 0; i < ENDS; i++)
        if (!is_ignored(ends[i]))
            sigaction(ends[i], on ? &note : &before[i], on ? &before[i] : NULL);
    sigaction(SIGALRM, &(const struct sigaction){.sa_handler = say_farewell}, NULL);
    if (!on)
        alarm(0);
}

/* The reader closed the pipe: clean up, then die of SIGPIPE as usual. */
static void end_by_pipe(int number)
{
    replace_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

void loop_guard(const char *command)
{
    if (!is_ignored(SIGPIPE))
        sigaction(SIGPIPE, &(const struct sigaction){.sa_handler = end_by_pipe}, NULL);
    snprintf(farewell, sizeof farewell, "takt %s: interrupted\n", command);
    for (size_t i = 0; i < ENDS; i++)
        if (!is_ignored(ends[i]))
            sigaction(ends[i], &(const struct sigaction){.sa_handler = say_farewell}, NULL);
}

/* One slice of work; its budget is steered so that a slice takes about SLICE_MS. */
static void on_slice(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    struct loop *loop = arg;
    if (signalled) {
        alarm(0);
        loop->interrupted = true;
        event_base_loopbreak(loop->base);
        return;
    }
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    loop->status = library_advance(loop->run, loop->budget, loop->error);
    if (loop->status != RUN_MORE) {
        event_base_loopbreak(loop->base);
        return;
    }
    const double ms = 1e3 * seconds_since(&start);
    if (ms < SLICE_MS / 2.0 && loop->budget < UINT64_C(1) << 32)
        loop->budget *= 2;
    else if (ms > 2 * SLICE_MS && loop->budget > 1)
        loop->budget /= 2;
    /* A zero timeout lets pending signals and timers go first. */
    static const struct timeval at_once = {0, 0};
    if (event_add(loop->slice, &at_once) != 0) { /* nothing else would end the loop */
        loop->status = RUN_FAILED;
        event_base_loopbreak(loop->base);
    }
}

static void on_progress(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    struct loop *loop = arg;
    struct run_progress progress;
    run_progress(loop->run->run, &progress);
    const double share = progress.items_total
                             ? 100.0 * (double)progress.items_done / (double)progress.items_total
                             : 0.0;
    fprintf(stderr, "\r%5.1f %%  %llu cycles  %.0f s ", share, (unsigned long long)progress.cycles,
            seconds_since(&loop->start));
    fflush(stderr);
    loop->shown = true;
}

int loop_run(struct takt_run *run, bool progress, char error[MACHINE_ERROR],
             struct loop_result *result)
{
    struct loop loop = {.run = run, .error = error, .budget = FIRST_BUDGET, .status = RUN_MORE};
    clock_gettime(CLOCK_MONOTONIC, &loop.start);
    loop.base = event_base_new();
    if (!loop.base) {
        snprintf(error, MACHINE_ERROR, "the event loop could not be made");
        return -1;
    }
    static const struct timeval at_once = {0, 0}, each_second = {1, 0};
    loop.slice = event_new(loop.base, -1, 0, on_slice, &loop);
    struct event *tick = event_new(loop.base, -1, EV_PERSIST, on_progress, &loop);
    const bool made = loop.slice && tick && event_add(loop.slice, &at_once) == 0 &&
                      (!progress || event_add(tick, &each_second) == 0);
    loop_watch(true);
    if (made)
        event_base_dispatch(loop.base);
    loop_watch(false);
    if (loop.shown)
        fprintf(stderr, "\r%*s\r", 60, "");
    if (loop.slice)
        event_free(loop.slice);
    if (tick)
        event_free(tick);
    event_base_free(loop.base);
    if (!made) {
        snprintf(error, MACHINE_ERROR, "the event loop could not be made");
        return -1;
    }
    *result = (struct loop_result){.status = loop.status, .interrupted = loop.interrupted};
    return 0;
}
