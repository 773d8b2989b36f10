/*
 * sweep_progress: how far a sweep is: chunks that are done, and points of chunks at work
 * (analysis/sweep_part.h).
 */
#ifndef TAKT_ANALYSIS_SWEEP_PROGRESS_H
#define TAKT_ANALYSIS_SWEEP_PROGRESS_H

#include "analysis/sweep_folder.h"

struct sweep_progress {
    const struct sweep_folder *folder;
    struct sweep_chunk_state {
        enum { SWEEP_MISSING, SWEEP_AT_WORK, SWEEP_DONE, SWEEP_DAMAGED } state;
        uint64_t points, failed; /* done */
        double started, ended;   /* at work: so far */
    } * chunks;
    uint64_t done, failed, at_work; /* points; at_work: of done those in chunks at work */
    size_t chunks_done;
    double rate, remaining; /* points a second, seconds; negative: not known */
    char damage[SWEEP_ERROR];
};

/* What is new in the folder. Returns 0, or -1 when the host failed; free it in every case. */
int sweep_progress_begin(struct sweep_progress *progress, const struct sweep_folder *folder);
int sweep_progress_update(struct sweep_progress *progress);
void sweep_progress_free(struct sweep_progress *progress);
/* One line without its end. */
void sweep_progress_print(const struct sweep_progress *progress, FILE *out);
json_t *sweep_progress_json(const struct sweep_progress *progress);
/* "3, 7-9" of chunks that are not done into text, which may end with "..". */
void sweep_progress_missing(const struct sweep_progress *progress, char *text, size_t size);

#endif
