/*
 * kernel: simulated time. The queue of pending events, ordered by (cycle, phase, sequence), and the
 * only loop that moves the clock.
 *
 *   process --kernel_wake--> queue --kernel_run--> event --resume--> process --kernel_wake--> ...
 *
 * Whatever passes time is a process: an instruction stream, a transfer, the arbiter of a set of
 * ports, a memory. A process does its work at kernel->now and says when it wants to be woken; a
 * process that says nothing sleeps until another one wakes it. A process has at most one pending
 * event: kernel_wake replaces the one it had.
 *
 * Run-ahead. Inside one event a process may handle what it does in later cycles, too, as long as no
 * other process can change what it sees before them. kernel_horizon gives the first cycle for which
 * that is not certain, from the process's own rule; work of cycles before the horizon may be done
 * at once. With run-ahead off the horizon is the next cycle. The results are the same.
 *
 * Counting. `events` counts what processes do, one for each statement, unit operation or notice:
 * the processes call kernel_count for each. It does not depend on run-ahead. An event in which a
 * process neither counts nor spends anything takes nothing of the budget. `unit_events` counts what
 * units do for statements in single cycles, in the same way (timing/unit_event.h).
 *
 * Nothing is allocated after kernel_init but for accesses.
 */
#ifndef TAKT_TIMING_KERNEL_H
#define TAKT_TIMING_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "timing/queue.h"

struct kernel;

struct process {
    /* Runs at kernel->now. */
    void (*resume)(struct process *process, struct kernel *kernel);
    /* First cycle in which another process might change what this one sees; NULL: the next one. */
    uint64_t (*horizon)(const struct process *process, const struct kernel *kernel);
    /* Its name for the list of events: "stream", "transfer 3 (line 12)". */
    void (*describe)(const struct process *process, char *text, size_t size);
    /* The kernel's own. */
    uint32_t pending;         /* its event in the queue, 0 = none */
    uint64_t wake_at;         /* cycle of the pending event */
    enum phase phase;         /* and its phase */
    const struct process *by; /* whose call woke it, NULL = from outside */
    const char *cause;        /* why, a literal */
};

/* A wake-up being delivered; created by the kernel only. */
struct event {
    uint64_t cycle;
    enum phase phase;
    uint64_t number;            /* from 0, in the order in which they happen */
    const struct process *wake; /* the process that is woken */
    const struct process *by;   /* on whose behalf, or NULL */
    const char *cause;
};

struct kernel {
    uint64_t now;
    struct queue queue;
    bool run_ahead;
    uint64_t events;        /* what processes have counted */
    uint64_t unit_events;   /* of units (timing/unit_event.h) */
    uint64_t wakes;         /* events that have happened */
    uint64_t budget;        /* of kernel_run, what is left */
    struct process *paused; /* in the middle of its event, or NULL */
    const struct process *running;
    const char *broken; /* a broken invariant of the model, or NULL */
    void (*observe)(void *context, const struct event *event); /* or NULL */
    void *context;
};

/* processes: how many there will be at most. Returns 0, or -1 when the host has no memory. */
int kernel_init(struct kernel *kernel, size_t processes, bool run_ahead);
void kernel_free(struct kernel *kernel);

/* Wake the process at a cycle, not before now, in a phase. Replaces its pending event. */
void kernel_wake(struct kernel *kernel, struct process *process, uint64_t cycle, enum phase phase,
                 const char *cause);
/* The same, unless its pending event comes no later: in an earlier cycle, or in this one and not in
 * a later phase. */
void kernel_wake_by(struct kernel *kernel, struct process *process, uint64_t cycle,
                    enum phase phase, const char *cause);
/* Forget its pending event, and that it paused. */
void kernel_sleep(struct kernel *kernel, struct process *process);

/* Horizon for processes that nothing affects until they wait. */
uint64_t kernel_never(const struct process *process, const struct kernel *kernel);

/* Work of cycles below this may be done in the event that runs. Always above now. */
uint64_t kernel_horizon(const struct kernel *kernel, const struct process *process);

/* Spend budget without a counted operation. */
static inline void kernel_spend(struct kernel *kernel, uint64_t budget)
{
    kernel->budget -= budget < kernel->budget ? budget : kernel->budget;
}

/* Count operations of a process. */
static inline void kernel_count(struct kernel *kernel, uint64_t count)
{
    kernel->events += count;
    kernel_spend(kernel, 1);
}

/* Whether the process that runs should pause: kernel_run has spent its budget. */
static inline bool kernel_exhausted(const struct kernel *kernel)
{
    return !kernel->budget;
}

/* The process that runs returns in the middle of its event; the next kernel_run resumes it first.
 * That makes no event, so that nothing depends on budgets. */
static inline void kernel_pause(struct kernel *kernel, struct process *process)
{
    kernel->paused = process;
}

/* Handle events until about `budget` things have been done. False when no event is left, or an
 * invariant is broken. */
bool kernel_run(struct kernel *kernel, uint64_t budget);
/* Handle all events before this cycle. */
void kernel_run_until(struct kernel *kernel, uint64_t cycle);

/* An observer that writes one line for each event to context, a FILE:
 *   cycle phase process <- waker: reason
 * `waker` is "start" when the process was woken from outside. */
void kernel_print_event(void *context, const struct event *event);

#endif
