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

/* Statements of the first slice: with values and a slow host, well below a second. */
enum { FIRST_BUDGET = 1000, SLICE_MS = 20 };

struct loop {
    const struct machine *machine;
    struct machine_run *run;
    struct diag_list *diags;
    char *error;
    struct event_base *base;
    struct event *slice;
    uint64_t budget;
    bool progress, shown, interrupted;
    enum run_status status;
    struct timespec start;
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static volatile sig_atomic_t signalled;

static void note_signal(int number)
{
    (void)number;
    signalled = 1;
}

void loop_watch(bool on)
{
    static const struct sigaction note = {.sa_handler = note_signal};
    static struct sigaction interrupt, terminate; /* what they did before */
    sigaction(SIGINT, on ? &note : &interrupt, on ? &interrupt : NULL);
    sigaction(SIGTERM, on ? &note : &terminate, on ? &terminate : NULL);
}

static char farewell[64];

static void say_farewell(int number)
{
    (void)number;
    const ssize_t written = write(STDERR_FILENO, farewell, strlen(farewell));
    (void)written;
    _exit(EXIT_INTERRUPTED);
}

void loop_guard(const char *command)
{
    static const int signals[] = {SIGINT, SIGTERM};
    snprintf(farewell, sizeof farewell, "takt %s: interrupted\n", command);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(signals[i], &(const struct sigaction){.sa_handler = say_farewell}, NULL);
    }
}

/* One slice of work; its budget is steered so that a slice takes about SLICE_MS. */
static void on_slice(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    struct loop *loop = arg;
    if (signalled) {
        loop->interrupted = true;
        event_base_loopbreak(loop->base);
        return;
    }
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    loop->status = loop->machine->advance(loop->run, loop->budget, loop->diags, loop->error);
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
    event_add(loop->slice, &at_once);
}

static void on_signal(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    struct loop *loop = arg;
    loop->interrupted = true;
    event_base_loopbreak(loop->base);
}

static void on_progress(evutil_socket_t fd, short what, void *arg)
{
    (void)fd, (void)what;
    struct loop *loop = arg;
    struct run_progress progress;
    loop->machine->progress(loop->run, &progress);
    const double share = progress.items_total
                             ? 100.0 * (double)progress.items_done / (double)progress.items_total
                             : 0.0;
    fprintf(stderr, "\r%5.1f %%  %llu cycles  %.0f s ", share, (unsigned long long)progress.cycles,
            seconds_since(&loop->start));
    fflush(stderr);
    loop->shown = true;
}

int loop_run(const struct machine *machine, struct machine_run *run, struct diag_list *diags,
             bool progress, char error[MACHINE_ERROR], struct loop_result *result)
{
    struct loop loop = {.machine = machine,
                        .run = run,
                        .diags = diags,
                        .error = error,
                        .budget = FIRST_BUDGET,
                        .progress = progress,
                        .status = RUN_MORE};
    clock_gettime(CLOCK_MONOTONIC, &loop.start);
    loop.base = event_base_new();
    if (!loop.base) {
        snprintf(error, MACHINE_ERROR, "the event loop could not be made");
        return -1;
    }
    static const struct timeval at_once = {0, 0}, each_second = {1, 0};
    loop.slice = event_new(loop.base, -1, 0, on_slice, &loop);
    struct event *interrupt = evsignal_new(loop.base, SIGINT, on_signal, &loop);
    struct event *terminate = evsignal_new(loop.base, SIGTERM, on_signal, &loop);
    struct event *tick = event_new(loop.base, -1, EV_PERSIST, on_progress, &loop);
    const bool made = loop.slice && interrupt && terminate && tick;
    if (made) {
        event_add(interrupt, NULL);
        event_add(terminate, NULL);
        event_add(loop.slice, &at_once);
        if (progress)
            event_add(tick, &each_second);
        event_base_dispatch(loop.base);
    }
    if (loop.shown)
        fprintf(stderr, "\r%*s\r", 60, "");
    for (struct event **e = (struct event *[]){loop.slice, interrupt, terminate, tick, NULL}; *e;
         e++)
        event_free(*e);
    event_base_free(loop.base);
    if (!made) {
        snprintf(error, MACHINE_ERROR, "the event loop could not be made");
        return -1;
    }
    *result = (struct loop_result){.status = loop.status, .interrupted = loop.interrupted};
    return 0;
}
