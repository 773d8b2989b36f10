#include "traces/aside.h"

#include <pthread.h>
#include <stdlib.h>

#include "host/away.h"

struct job {
    void (*job)(void *argument);
    void *argument;
    struct job *next;
};

struct aside {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t more, ended;
    struct job *first, *last;
    uint64_t given, done; /* jobs */
    bool closing;
    int away; /* the processor that the thread stays off */
};

static void *run(void *self)
{
    struct aside *a = self;
    pthread_mutex_lock(&a->mutex);
    while (!a->closing || a->first) {
        struct job *job = a->first;
        if (!job) {
            pthread_cond_wait(&a->more, &a->mutex);
            continue;
        }
        a->first = job->next;
        pthread_mutex_unlock(&a->mutex);
        job->job(job->argument);
        free(job);
        pthread_mutex_lock(&a->mutex);
        a->done++;
        pthread_cond_broadcast(&a->ended);
    }
    pthread_mutex_unlock(&a->mutex);
    return NULL;
}

struct aside *aside_open(void)
{
    struct aside *a = calloc(1, sizeof *a);
    if (!a) {
        return NULL;
    }
    a->away = -1;
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->more, NULL);
    pthread_cond_init(&a->ended, NULL);
    if (away_create(&a->thread, run, a)) {
        pthread_cond_destroy(&a->ended);
        pthread_cond_destroy(&a->more);
        pthread_mutex_destroy(&a->mutex);
        free(a);
        return NULL;
    }
    away_from_caller(a->thread, &a->away);
    return a;
}

void aside_do(struct aside *a, void (*function)(void *argument), void *argument)
{
    struct job *job = a ? malloc(sizeof *job) : NULL;
    if (!job) {
        aside_wait(a);
        function(argument);
        return;
    }
    *job = (struct job){.job = function, .argument = argument};
    away_from_caller(a->thread, &a->away);
    pthread_mutex_lock(&a->mutex);
    if (a->first) {
        a->last->next = job;
    } else {
        a->first = job;
    }
    a->last = job;
    a->given++;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
}

void aside_wait_for(struct aside *a, uint64_t jobs)
{
    if (!a) {
        return;
    }
    pthread_mutex_lock(&a->mutex);
    while (a->done < jobs) {
        pthread_cond_wait(&a->ended, &a->mutex);
    }
    pthread_mutex_unlock(&a->mutex);
}

bool aside_idle(struct aside *a)
{
    if (!a) {
        return true;
    }
    pthread_mutex_lock(&a->mutex);
    const bool idle = a->done == a->given;
    pthread_mutex_unlock(&a->mutex);
    return idle;
}

uint64_t aside_given(const struct aside *a)
{
    return a ? a->given : 0;
}

void aside_wait(struct aside *a)
{
    aside_wait_for(a, aside_given(a));
}

/* Jobs from `first` to before `end` are nobody's yet. */
struct shared {
    void (*job)(void *argument, size_t number);
    void *argument;
    size_t first, end;
    pthread_mutex_t mutex;
};

static bool take(struct shared *shared, bool last, size_t *number)
{
    pthread_mutex_lock(&shared->mutex);
    const bool left = shared->first < shared->end;
    if (left) {
        *number = last ? --shared->end : shared->first++;
    }
    pthread_mutex_unlock(&shared->mutex);
    return left;
}

static void do_last(void *argument)
{
    struct shared *shared = argument;
    for (size_t number; take(shared, true, &number);) {
        shared->job(shared->argument, number);
    }
}

void aside_share(struct aside *a, void (*job)(void *argument, size_t number), const bool queued[],
                 uint64_t before, size_t count, void *argument)
{
    struct shared shared = {.job = job, .argument = argument, .end = count};
    pthread_mutex_init(&shared.mutex, NULL);
    if (a) {
        aside_do(a, do_last, &shared);
    }
    for (size_t number; take(&shared, false, &number);) {
        if (queued[number]) {
            aside_wait_for(a, before);
        }
        job(argument, number);
    }
    aside_wait(a);
    pthread_mutex_destroy(&shared.mutex);
}

void aside_close(struct aside *a)
{
    if (!a) {
        return;
    }
    pthread_mutex_lock(&a->mutex);
    a->closing = true;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
    pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->ended);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->mutex);
    free(a);
}
