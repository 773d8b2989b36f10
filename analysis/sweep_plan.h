/*
 * sweep_plan: a sweep's folder, made before anything is run.
 *
 *   FOLDER/inputs/      copies of programs and chip files: later edits change no running sweep
 *   FOLDER/plan.jsonl   one line of JSON a point, with the hash of everything that goes in
 *   FOLDER/sweep.json   what it is about, and the chunks; written last, so that it marks the rest
 *                       as whole
 *   FOLDER/chunks/      N.db, one a chunk (analysis/sweep_folder.h)
 *
 *   sweep_plan_begin --> sweep_plan_line (to measure one point a program) --> sweep_plan_write
 */
#ifndef TAKT_ANALYSIS_SWEEP_PLAN_H
#define TAKT_ANALYSIS_SWEEP_PLAN_H

#include "analysis/sweep_points.h"
#include "analysis/sweep_store.h"

enum { SWEEP_FORMAT = 3 };

struct sweep_plan {
    const struct sweep_spec *spec;
    const char *folder;
    json_t *head;            /* of sweep.json */
    uint64_t *program_texts; /* hashes */
    uint64_t *chip_texts;
    uint64_t numbers;         /* hash of the machine's own */
    uint64_t points, dropped; /* written; repeated ones that are not */
    size_t chunks;
};

struct sweep_division {
    const double *seconds; /* of a point, by program */
    double chunk_seconds;
    uint64_t chunk_points; /* 0: as the seconds say */
    const char *engine;
    uint64_t jobs;
};

/* Returns 0; with a sentence 1 for what the user names, -1 when the host failed. Free it in every
 * case. */
int sweep_plan_begin(struct sweep_plan *plan, const struct sweep_spec *spec,
                     const struct source *source, const char *folder, char error[SWEEP_ERROR]);
/* The line of a point and its hash, to be freed; NULL when memory is out. */
char *sweep_plan_line(const struct sweep_plan *plan, uint64_t point, uint64_t number,
                      uint64_t *hash);
int sweep_plan_write(struct sweep_plan *plan, const struct sweep_division *division,
                     char error[SWEEP_ERROR]);
void sweep_plan_free(struct sweep_plan *plan);

#endif
