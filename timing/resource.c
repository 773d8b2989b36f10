#include "timing/resource.h"

#include <stdlib.h>
#include <string.h>

static void arbitrate(struct process *process, struct kernel *kernel);

static void describe(const struct process *process, char *text, size_t size)
{
    (void)process;
    snprintf(text, size, "ports");
}

int resource_init(struct resource_set *set, struct kernel *kernel, size_t capacity,
                  const struct resource_calls *calls, void *context)
{
    *set = (struct resource_set){.arbiter = {.resume = arbitrate, .describe = describe},
                                 .kernel = kernel,
                                 .calls = calls,
                                 .context = context,
                                 .capacity = capacity};
    for (unsigned p = 0; p < RESOURCE_MAX; p++)
        set->ports[p].holder = RESOURCE_NOBODY;
    set->waiting = calloc(capacity + 1, sizeof *set->waiting);
    return set->waiting ? 0 : -1;
}

void resource_free(struct resource_set *set)
{
    free(set->waiting);
    set->waiting = NULL;
    set->count = set->capacity = 0;
}

static bool ranks_before(const struct request *a, const struct request *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->since != b->since)
        return a->since < b->since;
    return a->id < b->id;
}

static void count_ports(struct resource_set *set, uint64_t ports, uint32_t change)
{
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        set->waiters[p] += change;
        if (set->waiters[p])
            set->wanted |= 1ull << p;
        else
            set->wanted &= ~(1ull << p);
    }
}

void resource_ask(struct resource_set *set, const struct request *request)
{
    if (set->count == set->capacity) {
        set->kernel->broken = "more requests wait than were reckoned with";
        return;
    }
    size_t i = set->count++;
    while (i > 0 && ranks_before(request, &set->waiting[i - 1])) {
        set->waiting[i] = set->waiting[i - 1];
        i--;
    }
    set->waiting[i] = *request;
    count_ports(set, request->ports, 1);
    resource_changed(set);
}

void resource_changed(struct resource_set *set)
{
    if (set->count)
        kernel_wake_by(set->kernel, &set->arbiter, set->kernel->now, PHASE_GRANT, "requests");
}

static uint64_t busy_ports(const struct resource_set *set, uint64_t ports, uint64_t now)
{
    uint64_t busy = 0;
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        busy |= (uint64_t)(set->ports[p].free_at > now) << p;
    }
    return busy;
}

/* Start whatever can start in this cycle. Returns the next cycle in which another round can change
 * anything without a new request; UINT64_MAX = never. */
static uint64_t serve(struct resource_set *set, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    uint64_t busy = busy_ports(set, set->wanted, now);
    size_t kept = 0, i = 0;
    for (; i < set->count && (set->wanted & ~busy); i++) {
        const struct request request = set->waiting[i];
        uint64_t ready = UINT64_MAX; /* until one of its ports is free */
        if (!(request.ports & busy))
            ready = set->calls->ready ? set->calls->ready(set->context, &request, now) : now;
        if (ready <= now) {
            count_ports(set, request.ports, (uint32_t)-1);
            set->calls->start(set->context, &request, now);
            busy |= busy_ports(set, request.ports, now);
            continue;
        }
        next = ready < next ? ready : next;
        set->waiting[kept++] = request;
    }
    if (kept != i) {
        memmove(&set->waiting[kept], &set->waiting[i], (set->count - i) * sizeof *set->waiting);
        set->count -= i - kept;
    }
    for (uint64_t left = set->wanted; left; left &= left - 1) {
        const uint64_t free_at = set->ports[__builtin_ctzll(left)].free_at;
        if (free_at > now && free_at < next)
            next = free_at;
    }
    return next;
}

static void arbitrate(struct process *process, struct kernel *kernel)
{
    struct resource_set *set = (struct resource_set *)process;
    const uint64_t next = serve(set, kernel->now);
    if (next != UINT64_MAX)
        kernel_wake_by(kernel, process, next, PHASE_GRANT, "a port is free or a request ready");
}

unsigned resource_last_released(const struct resource_set *set, uint64_t ports)
{
    unsigned last = RESOURCE_MAX;
    for (uint64_t left = ports; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(left);
        if (last == RESOURCE_MAX || set->ports[p].free_at > set->ports[last].free_at)
            last = p;
    }
    return last;
}
