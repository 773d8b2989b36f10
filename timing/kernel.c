#include "timing/kernel.h"

#include <inttypes.h>
#include <string.h>

int kernel_init(struct kernel *kernel, size_t processes, bool run_ahead)
{
    *kernel = (struct kernel){.run_ahead = run_ahead};
    return queue_init(&kernel->queue, processes);
}

void kernel_free(struct kernel *kernel)
{
    queue_free(&kernel->queue);
}

void kernel_sleep(struct kernel *kernel, struct process *process)
{
    if (process->pending)
        queue_remove(&kernel->queue, process->pending);
    if (kernel->paused == process)
        kernel->paused = NULL;
    process->pending = 0;
}

void kernel_wake(struct kernel *kernel, struct process *process, uint64_t cycle, enum phase phase,
                 const char *cause)
{
    kernel_sleep(kernel, process);
    process->wake_at = cycle;
    process->phase = phase;
    process->by = kernel->running;
    process->cause = cause;
    process->pending = queue_push(&kernel->queue, cycle, phase, process);
    if (!process->pending && !kernel->broken)
        kernel->broken = "an event is before the current cycle, or there are too many processes";
}

void kernel_wake_by(struct kernel *kernel, struct process *process, uint64_t cycle,
                    enum phase phase, const char *cause)
{
    if (!process->pending || cycle < process->wake_at ||
        (cycle == process->wake_at && phase < process->phase))
        kernel_wake(kernel, process, cycle, phase, cause);
}

uint64_t kernel_never(const struct process *process, const struct kernel *kernel)
{
    (void)process;
    (void)kernel;
    return UINT64_MAX;
}

uint64_t kernel_horizon(const struct kernel *kernel, const struct process *process)
{
    const uint64_t next = kernel->now + 1;
    if (!kernel->run_ahead || !process->horizon)
        return next;
    const uint64_t horizon = process->horizon(process, kernel);
    return horizon > next ? horizon : next;
}

static void resume(struct kernel *kernel, struct process *process)
{
    kernel->running = process;
    process->resume(process, kernel);
    kernel->running = NULL;
}

/* Continue the paused event, or run the next one. */
static bool step(struct kernel *kernel)
{
    struct queue_entry entry;
    struct process *process = kernel->paused;
    if (process) {
        kernel->paused = NULL;
        resume(kernel, process);
        return true;
    }
    if (!queue_pop(&kernel->queue, &entry))
        return false;
    process = entry.data;
    kernel->now = entry.cycle;
    if (kernel->observe) {
        const struct event event = {entry.cycle, (enum phase)entry.phase, kernel->wakes, process,
                                    process->by, process->cause};
        kernel->observe(kernel->context, &event);
    }
    kernel->wakes++;
    process->pending = 0;
    resume(kernel, process);
    return true;
}

bool kernel_run(struct kernel *kernel, uint64_t budget)
{
    kernel->budget = budget ? budget : 1;
    while (kernel->budget && !kernel->broken)
        if (!step(kernel))
            return false;
    return !kernel->broken;
}

void kernel_run_until(struct kernel *kernel, uint64_t cycle)
{
    kernel->budget = UINT64_MAX;
    while (!kernel->broken && (kernel->paused || queue_next(&kernel->queue) < cycle))
        step(kernel);
}

static const char *const phase_names[] = {
#define PHASE(id, name, reason) name,
    QUEUE_PHASES(PHASE)
#undef PHASE
};

static void name_of(const struct process *process, char *text, size_t size)
{
    if (process && process->describe)
        process->describe(process, text, size);
    else
        snprintf(text, size, "%s", process ? "process" : "start");
}

void kernel_print_event(void *context, const struct event *event)
{
    char wake[64], by[64];
    name_of(event->wake, wake, sizeof wake);
    name_of(event->by, by, sizeof by);
    fprintf((FILE *)context, "%10" PRIu64 " %-6s %s <- %s: %s\n", event->cycle,
            phase_names[event->phase], wake, by, event->cause);
}
