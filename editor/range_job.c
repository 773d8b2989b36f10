#include "editor/range_job.h"

#include <stdlib.h>
#include <string.h>

#include "timing/run.h"

static void *work(void *context)
{
    struct range_job *job = context;
    struct study study;
    struct range range = {0};
    study_open(&study, job->machine, &(const struct takt_text){job->name, job->text, job->size});
    while (study.stage == STUDY_RUNNING)
        study_advance(&study);
    study_prove(&study);
    job->bound = study.bound;
    if (study_has_range(&study) && run_range(study.run->run, 1, &range) == 0) {
        job->known = range.known;
        job->low = range.low;
        job->high = range.high;
    }
    range_free(&range);
    study_close(&study);
    atomic_store(&job->over, true);
    return NULL;
}

static void release(struct range_job *job)
{
    free(job->name);
    free(job->text);
    job->name = job->text = NULL;
}

int range_job_start(struct range_job *job, const struct machine *machine,
                    const struct takt_text *text, uint64_t edit)
{
    job->machine = machine;
    job->edit = edit;
    job->known = false;
    job->name = strdup(text->name);
    job->text = malloc(text->size + 1);
    job->size = text->size;
    atomic_store(&job->over, false);
    if (job->name && job->text) {
        memcpy(job->text, text->text, text->size);
        job->running = pthread_create(&job->thread, NULL, work, job) == 0;
    }
    if (!job->running)
        release(job);
    return job->running ? 0 : -1;
}

bool range_job_over(struct range_job *job)
{
    if (!job->running || !atomic_load(&job->over))
        return false;
    range_job_close(job);
    return true;
}

void range_job_close(struct range_job *job)
{
    if (job->running)
        pthread_join(job->thread, NULL);
    job->running = false;
    release(job);
}
