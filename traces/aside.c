#include "traces/aside.h"

#include <pthread.h>
#include <stdlib.h>

struct job {
    void (*job)(void *argument);
    void *argument;
    struct job *next;
};

struct aside {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t more, idle;
    struct job *first, *last;
    bool busy, closing;
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
        a->busy = true;
        pthread_mutex_unlock(&a->mutex);
        job->job(job->argument);
        free(job);
        pthread_mutex_lock(&a->mutex);
        a->busy = false;
        if (!a->first) {
            pthread_cond_broadcast(&a->idle);
        }
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
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->more, NULL);
    pthread_cond_init(&a->idle, NULL);
    if (pthread_create(&a->thread, NULL, run, a)) {
        pthread_cond_destroy(&a->idle);
        pthread_cond_destroy(&a->more);
        pthread_mutex_destroy(&a->mutex);
        free(a);
        return NULL;
    }
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
    pthread_mutex_lock(&a->mutex);
    if (a->first) {
        a->last->next = job;
    } else {
        a->first = job;
    }
    a->last = job;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->mutex);
}

void aside_wait(struct aside *a)
{
    if (!a) {
        return;
    }
    pthread_mutex_lock(&a->mutex);
    while (a->first || a->busy) {
        pthread_cond_wait(&a->idle, &a->mutex);
    }
    pthread_mutex_unlock(&a->mutex);
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
    pthread_cond_destroy(&a->idle);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->mutex);
    free(a);
}
