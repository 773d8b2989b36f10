/*
 * range_job: the range of a text over unpublished numbers and its bound, which take many runs, in a
 * thread of its own, so that edits are answered meanwhile.
 *
 *   range_job_start --range_job_over--> range and bound, if the text is still the same
 *
 * The job has its own copy of everything. One job runs at a time.
 */
#ifndef TAKT_EDITOR_RANGE_JOB_H
#define TAKT_EDITOR_RANGE_JOB_H

#include <pthread.h>
#include <stdatomic.h>

#include "editor/study.h"

struct range_job {
    pthread_t thread;
    bool running;
    atomic_bool over;
    const struct machine *machine;
    char *name, *text;
    size_t size;
    uint64_t edit;             /* as the caller numbers the states of texts */
    bool known;                /* the range is, once it is over */
    uint64_t low, high, bound; /* bound 0: not known */
};

/* Returns 0, or -1 when there is no thread or memory. */
int range_job_start(struct range_job *job, const struct machine *machine,
                    const struct takt_text *text, uint64_t edit);
/* Whether the job has ended; then another may start. */
bool range_job_over(struct range_job *job);
/* Waits for its end. */
void range_job_close(struct range_job *job);

#endif
