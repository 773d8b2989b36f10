/*
 * Rounds follow each other within microseconds, faster than a thread wakes up. Helpers therefore
 * spin for a while before they sleep, and the caller never waits for a helper that has not started:
 * it executes all parts that no helper took. One number describes a round:
 *
 *   ticket:  63 .. 40 round | 39 .. 20 parts | 19 .. 0 next part
 *
 * A thread adds 1 to it and owns the part number it read, if that is below the number of parts.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/failure.h"
#include "host/workers.h"

enum { SPINS = 2000, FIELD = 20, MOST_PARTS = (1 << FIELD) - 1000 };

struct helper {
    struct workers *workers;
    pthread_t thread;
    unsigned number;
};

struct workers {
    unsigned threads, spins;
    struct helper *helpers; /* threads - 1 */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic(uint64_t) ticket;
    atomic_size_t done;   /* completed parts of the round */
    atomic_uint sleepers; /* helpers that are asleep */
    atomic_bool stop;
    atomic_bool failed; /* a part recorded a failure of the host, in its thread */
    void (*work)(void *arg, size_t part, unsigned worker);
    void *arg;
};

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint64_t field(uint64_t ticket, unsigned number)
{
    return ticket >> number * FIELD & ((1u << FIELD) - 1);
}

static uint64_t round_of(uint64_t ticket)
{
    return ticket >> 2 * FIELD;
}

/* Execute parts until none is left; returns the last round seen. A part that was taken keeps its
 * round open, so work and arg belong to it. */
static uint64_t work_on(struct workers *w, unsigned number)
{
    for (;;) {
        const uint64_t ticket = atomic_fetch_add(&w->ticket, 1);
        if (field(ticket, 0) >= field(ticket, 1))
            return round_of(ticket);
        const unsigned long before = failure_count_host();
        w->work(w->arg, (size_t)field(ticket, 0), number);
        if (number != 0 && failure_count_host() != before)
            atomic_store(&w->failed, true);
        atomic_fetch_add(&w->done, 1);
    }
}

static bool idle(struct workers *w, uint64_t seen)
{
    return round_of(atomic_load(&w->ticket)) == seen && !atomic_load(&w->stop);
}

/* Wait until the round differs from `seen`, or for the end. */
static void await_round(struct workers *w, uint64_t seen)
{
    for (unsigned i = 0; i < w->spins; i++) {
        if (!idle(w, seen))
            return;
        relax();
    }
    pthread_mutex_lock(&w->mutex);
    atomic_fetch_add(&w->sleepers, 1);
    while (idle(w, seen))
        pthread_cond_wait(&w->wake, &w->mutex);
    atomic_fetch_sub(&w->sleepers, 1);
    pthread_mutex_unlock(&w->mutex);
}

static void *helper_main(void *arg)
{
    const struct helper *helper = arg;
    struct workers *w = helper->workers;
    uint64_t seen = 0;
    for (;;) {
        await_round(w, seen);
        if (atomic_load(&w->stop))
            return NULL;
        seen = work_on(w, helper->number);
    }
}

static void start_round(struct workers *w, size_t parts)
{
    const uint64_t next = round_of(atomic_load(&w->ticket)) + 1;
    atomic_store(&w->ticket, next << 2 * FIELD | (uint64_t)parts << FIELD);
    if (atomic_load(&w->sleepers) == 0)
        return;
    pthread_mutex_lock(&w->mutex);
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->mutex);
}

struct workers *workers_new(unsigned threads)
{
    struct workers *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    w->spins = (long)threads <= processors ? SPINS : 0;
    w->threads = 1;
    if (threads > 1)
        w->helpers = calloc(threads - 1, sizeof *w->helpers);
    while (w->helpers != NULL && w->threads < threads) {
        struct helper *helper = &w->helpers[w->threads - 1];
        helper->workers = w;
        helper->number = w->threads;
        /* With fewer threads than requested only the speed changes. */
        if (pthread_create(&helper->thread, NULL, helper_main, helper) != 0)
            break;
        w->threads++;
    }
    return w;
}

void workers_free(struct workers *w)
{
    if (w == NULL)
        return;
    atomic_store(&w->stop, true);
    start_round(w, 0);
    for (unsigned i = 0; i + 1 < w->threads; i++)
        pthread_join(w->helpers[i].thread, NULL);
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->wake);
    free(w->helpers);
    free(w);
}

void workers_run(struct workers *w, size_t parts,
                 void (*work)(void *arg, size_t part, unsigned worker), void *arg)
{
    if (w->threads == 1 || parts < 2 || parts > MOST_PARTS) {
        for (size_t part = 0; part < parts; part++)
            work(arg, part, 0);
        return;
    }
    w->work = work;
    w->arg = arg;
    atomic_store(&w->done, 0);
    start_round(w, parts);
    work_on(w, 0);
    for (unsigned i = 0; atomic_load(&w->done) != parts; i++)
        if (i < w->spins)
            relax();
        else
            sched_yield();
    if (atomic_exchange(&w->failed, false))
        failure_note("out of memory");
}
