/*
 * workers: a few threads that stay alive between steps. workers_run hands out parts in order; the
 * parts of one call must not touch each other's data, so results do not depend on who did what.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "functional/mncore2/state.h"

enum { SPINS = 2000 }; /* looks at the flag before sleeping: steps follow each other quickly */

struct helper {
    struct workers *workers;
    pthread_t thread;
    unsigned number;
};

struct workers {
    unsigned threads;
    struct helper *helpers; /* threads - 1 */
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    atomic_ulong round;  /* counts calls */
    atomic_uint running; /* helpers that still work on this round */
    bool stop;
    void (*work)(void *arg, size_t part, unsigned worker);
    void *arg;
    size_t parts;
    atomic_size_t next;
};

static void work_on(struct workers *w, unsigned number)
{
    for (;;) {
        const size_t part = atomic_fetch_add_explicit(&w->next, 1, memory_order_relaxed);
        if (part >= w->parts)
            return;
        w->work(w->arg, part, number);
    }
}

static void *helper_main(void *arg)
{
    const struct helper *helper = arg;
    struct workers *w = helper->workers;
    unsigned long seen = 0;
    for (;;) {
        for (unsigned i = 0; i < SPINS; i++)
            if (atomic_load_explicit(&w->round, memory_order_acquire) != seen)
                break;
        pthread_mutex_lock(&w->mutex);
        while (atomic_load(&w->round) == seen && !w->stop)
            pthread_cond_wait(&w->wake, &w->mutex);
        seen = atomic_load(&w->round);
        const bool stop = w->stop;
        pthread_mutex_unlock(&w->mutex);
        if (stop)
            return NULL;
        work_on(w, helper->number);
        if (atomic_fetch_sub(&w->running, 1) == 1) {
            pthread_mutex_lock(&w->mutex);
            pthread_cond_signal(&w->done);
            pthread_mutex_unlock(&w->mutex);
        }
    }
}

struct workers *workers_new(unsigned threads)
{
    struct workers *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->done, NULL);
    w->threads = 1;
    if (threads > 1)
        w->helpers = calloc(threads - 1, sizeof *w->helpers);
    while (w->helpers != NULL && w->threads < threads) {
        struct helper *helper = &w->helpers[w->threads - 1];
        helper->workers = w;
        helper->number = w->threads;
        /* Fewer threads than asked for change nothing but the speed. */
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
    pthread_mutex_lock(&w->mutex);
    w->stop = true;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    for (unsigned i = 0; i + 1 < w->threads; i++)
        pthread_join(w->helpers[i].thread, NULL);
    pthread_mutex_destroy(&w->mutex);
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    free(w->helpers);
    free(w);
}

void workers_run(struct workers *w, size_t parts,
                 void (*work)(void *arg, size_t part, unsigned worker), void *arg)
{
    if (w->threads == 1 || parts < 2) {
        for (size_t part = 0; part < parts; part++)
            work(arg, part, 0);
        return;
    }
    pthread_mutex_lock(&w->mutex);
    w->work = work;
    w->arg = arg;
    w->parts = parts;
    atomic_store(&w->next, 0);
    atomic_store(&w->running, w->threads - 1);
    atomic_fetch_add(&w->round, 1);
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    work_on(w, 0);
    for (unsigned i = 0; i < SPINS; i++)
        if (atomic_load_explicit(&w->running, memory_order_acquire) == 0)
            return;
    pthread_mutex_lock(&w->mutex);
    while (atomic_load(&w->running) != 0)
        pthread_cond_wait(&w->done, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}
