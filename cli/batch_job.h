/*
 * batch_job: one line of takt batch's input to one line of its answer, by libtakt.
 *
 *   {"id": .., "file": ..} --batch_answer--> {"id": .., "ok": true, "cycles": ..}
 *
 * docs/json.md has the fields of both. Whatever the line holds, there is an answer.
 */
#ifndef TAKT_CLI_BATCH_JOB_H
#define TAKT_CLI_BATCH_JOB_H

#include <jansson.h>

#include "analysis/diff.h"
#include "include/takt.h"

enum batch_kind {
    BATCH_JSON = 'J',    /* a line of JSON */
    BATCH_FILE = 'F',    /* the name of a program's file */
    BATCH_TOO_LONG = 'L' /* a line that was not kept */
};

/* What holds for all jobs, and what one process keeps between them. */
struct batch {
    const char *machine;             /* of --machine, or NULL */
    json_t *options;                 /* as a job's own, which go before them; "set" adds up */
    const struct takt_text *configs; /* of --config */
    size_t config_count;
    unsigned seconds;          /* of a job; 0: no limit */
    bool any_file;             /* programs need not be regular files */
    struct takt_machine *open; /* of the last job; NULL at first */
    char *open_key;
};

struct batch_job {
    enum batch_kind kind;
    const char *text;
    size_t size;
    uint64_t number; /* of the job, from 1 */
};

/* The answer without the line's end, to be freed; NULL: memory is out. *status is what became of
 * it. */
char *batch_answer(struct batch *batch, const struct batch_job *job, enum takt_status *status);
/* Of a job whose process has ended, and why. */
char *batch_lost(const struct batch_job *job, const char *why);

/* Where the runs of two jobs differ. */
struct batch_diff {
    struct strings strings;
    struct diff_side sides[2];
    struct diff diff;
};

/* Both jobs are timed again, without their trace. found is zeros, to be freed in every case.
 * Returns 0; else it has no difference. */
int batch_diff(const struct batch *batch, const struct batch_job lines[2],
               struct batch_diff *found);
void batch_diff_free(struct batch_diff *found);

#endif
