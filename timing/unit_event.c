#include "timing/unit_event.h"

#include <stddef.h>
#include <stdlib.h>

enum { CHUNK = 512 };

struct pending {
    struct process process;   /* first */
    struct process statement; /* for which it happens: never woken, its cause in the list */
    struct unit_events *set;
    struct unit_event event;
    struct pending *write; /* the write that lands here, or NULL */
    struct pending *next;  /* among free ones */
};

struct chunk {
    struct chunk *next;
    struct pending pending[CHUNK];
};

struct unit_events {
    struct kernel *kernel;
    int *status;
    const struct unit_info *units;
    const struct unit_event_calls *calls;
    void *context;
    struct chunk *chunks;
    struct pending *spare;
};

static void resume(struct process *process, struct kernel *kernel);
static void describe(const struct process *process, char *text, size_t size);

static void describe_statement(const struct process *process, char *text, size_t size)
{
    const struct pending *pending =
        (const struct pending *)(const void *)((const char *)process -
                                               offsetof(struct pending, statement));
    const struct unit_events *set = pending->set;
    snprintf(text, size, "line %u", set->calls->line(set->context, pending->event.stmt));
}

static int grow(struct unit_events *set)
{
    struct chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk || queue_grow(&set->kernel->queue, CHUNK) != 0) {
        free(chunk);
        return -1;
    }
    chunk->next = set->chunks;
    set->chunks = chunk;
    for (size_t i = CHUNK; i-- > 0;) {
        chunk->pending[i] = (struct pending){.process = {.resume = resume, .describe = describe},
                                             .statement = {.describe = describe_statement},
                                             .set = set,
                                             .next = set->spare};
        set->spare = &chunk->pending[i];
    }
    return 0;
}

static void give(struct pending *pending)
{
    pending->next = pending->set->spare;
    pending->set->spare = pending;
}

/* write: whose landing it is, or NULL. False when memory is out. */
static bool wake(struct unit_events *set, uint64_t cycle, const struct unit_event *event,
                 struct pending *write, const char *cause)
{
    if (!set->spare && grow(set) != 0) {
        *set->status = -1;
        kernel_spend(set->kernel, UINT64_MAX);
        return false;
    }
    struct pending *pending = set->spare;
    set->spare = pending->next;
    pending->event = *event;
    pending->write = write;
    kernel_wake(set->kernel, &pending->process, cycle, write ? event->phase : PHASE_ACCESS, cause);
    if (!write)
        pending->process.by = &pending->statement;
    return true;
}

static void hold(const struct pending *pending, uint64_t cycle, bool landing)
{
    const struct unit_events *set = pending->set;
    if (set->calls->hold && (landing || pending->event.holds))
        set->calls->hold(set->context, &pending->event, cycle);
}

/* A write is kept until it has landed: it is the cause of that. */
static void resume(struct process *process, struct kernel *kernel)
{
    struct pending *pending = (struct pending *)process;
    const struct unit_event *event = &pending->event;
    kernel->unit_events++;
    kernel_spend(kernel, 1);
    hold(pending, kernel->now, pending->write != NULL);
    if (!pending->write && event->lands &&
        wake(pending->set, kernel->now + event->lands, event, pending, event->rule))
        return;
    if (pending->write)
        give(pending->write);
    give(pending);
}

static void describe(const struct process *process, char *text, size_t size)
{
    const struct pending *pending = (const struct pending *)process;
    const struct unit_events *set = pending->set;
    const struct unit_event *event = &pending->event;
    snprintf(text, size, "%s%s %s %u %s (line %u)", set->units[event->unit].name, event->part,
             pending->write ? event->landing : event->operation, event->amount, event->of,
             set->calls->line(set->context, event->stmt));
}

struct unit_events *unit_events_open(struct kernel *kernel, int *status,
                                     const struct unit_info *units,
                                     const struct unit_event_calls *calls, void *context)
{
    struct unit_events *set = malloc(sizeof *set);
    if (set)
        *set = (struct unit_events){
            .kernel = kernel, .status = status, .units = units, .calls = calls, .context = context};
    return set;
}

void unit_events_close(struct unit_events *set)
{
    for (struct chunk *chunk = set ? set->chunks : NULL, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    free(set);
}

void unit_event_at(struct unit_events *set, uint64_t cycle, const struct unit_event *event,
                   const char *cause)
{
    wake(set, cycle, event, NULL, cause);
}

void unit_events_stop(struct unit_events *set)
{
    for (struct chunk *chunk = set->chunks; chunk; chunk = chunk->next)
        for (size_t i = 0; i < CHUNK; i++) {
            struct pending *pending = &chunk->pending[i];
            if (!pending->process.pending)
                continue;
            kernel_sleep(set->kernel, &pending->process);
            hold(pending, pending->process.wake_at, pending->write != NULL);
            if (!pending->write && pending->event.lands)
                hold(pending, pending->process.wake_at + pending->event.lands, true);
        }
}
