/* one_unit: see one_unit.h. */
#include "timing/one_unit.h"

#include <stdlib.h>

/* A heap of jobs by the largest tail. */
struct heap {
    struct job **jobs;
    size_t count;
};

static int by_head(const void *first, const void *second)
{
    const struct job *a = first, *b = second;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static bool longer(const struct job *a, const struct job *b)
{
    return a->tail != b->tail ? a->tail > b->tail : a->node < b->node;
}

static void heap_push(struct heap *heap, struct job *job)
{
    size_t at = heap->count++;
    for (; at > 0 && longer(job, heap->jobs[(at - 1) / 2]); at = (at - 1) / 2)
        heap->jobs[at] = heap->jobs[(at - 1) / 2];
    heap->jobs[at] = job;
}

static void heap_pop(struct heap *heap)
{
    struct job *moved = heap->jobs[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && longer(heap->jobs[child + 1], heap->jobs[child]))
            child++;
        if (!longer(heap->jobs[child], moved))
            break;
        heap->jobs[at] = heap->jobs[child];
    }
    heap->jobs[at] = moved;
}

/* Preemptive schedule of one machine by longest tail: the latest end is the largest that any set of
 * jobs proves (Carlier 1982). Sets `ended`; returns the job that
 * ends latest with its tail. */
static const struct job *serve(struct job *jobs, size_t count, struct heap *heap)
{
    const struct job *worst = NULL;
    uint64_t now = 0;
    size_t next = 0;
    for (size_t j = 0; j < count; j++)
        jobs[j].left = jobs[j].work;
    while (next < count || heap->count) {
        if (!heap->count && jobs[next].head > now)
            now = jobs[next].head;
        while (next < count && jobs[next].head <= now)
            heap_push(heap, &jobs[next++]);
        struct job *job = heap->jobs[0];
        const uint64_t until = now + job->left;
        if (next < count && jobs[next].head < until) {
            job->left -= jobs[next].head - now;
            now = jobs[next].head;
            continue;
        }
        now = job->ended = until;
        job->left = 0;
        heap_pop(heap);
        if (!worst || (int64_t)now + job->tail > (int64_t)worst->ended + worst->tail)
            worst = job;
    }
    return worst;
}

/* The set that makes the worst job late: of the jobs with at least its tail those with heads from
 * the one on that proves most. Returns its head. */
static uint64_t head_of_set(const struct job *jobs, size_t count, const struct job *worst)
{
    uint64_t head = worst->head, most = 0, work = 0;
    for (size_t j = count; j-- > 0;) {
        if (jobs[j].tail < worst->tail)
            continue;
        work += jobs[j].work;
        if (jobs[j].head + work >= most) {
            most = jobs[j].head + work;
            head = jobs[j].head;
        }
    }
    return head;
}

struct job_set one_unit_most(struct job *jobs, size_t count, struct job **heap)
{
    qsort(jobs, count, sizeof *jobs, by_head);
    const struct job *worst = serve(jobs, count, &(struct heap){.jobs = heap});
    struct job_set set = {.head = head_of_set(jobs, count, worst), .tail = worst->tail};
    for (size_t j = 0; j < count; j++) {
        set.work += job_in(&jobs[j], &set) ? jobs[j].work : 0;
        set.count += job_in(&jobs[j], &set);
    }
    return set;
}
