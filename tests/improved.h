/*
 * improved: what takt schedule and takt advise find for a program, run again here from another
 * start of the memories than they compare with: its dumps and state are those of the program as
 * written, it takes as long as was said and never longer, and no shorter than the bound.
 */
#ifndef TAKT_TESTS_IMPROVED_H
#define TAKT_TESTS_IMPROVED_H

#include "analysis/pipeline.h"
#include "analysis/schedule.h"

/* A run of a text. */
struct outcome {
    uint64_t cycles, hash, early; /* early: as run_early */
    char *dump;
    size_t dump_size;
};

/* packing: of machines that have it; or NULL. A text that is not legal fails the test. */
struct outcome improved_run(const struct machine *machine, const char *text, const char *packing);
void improved_free(struct outcome *outcome);
void improved_equal(const struct outcome *a, const struct outcome *b, const char *text);

/* From now on searches are stopped when they have asked so many times; SIZE_MAX: never. */
void improved_stop(size_t asked);
/* Finds a schedule and holds it to what it says; the caller frees it. False: the program was
 * refused, and nothing is to be freed. */
bool improved_schedule(const struct machine *machine, const char *text, const char *packing,
                       struct schedule *schedule);
/* The same as a job says, but for its setup. */
bool improved_job(const struct machine *machine, const char *text, const char *packing,
                  const struct schedule_job *job, struct schedule *schedule);
/* The same with schedule_find_renamed, and without a comparison of the states. */
bool improved_renamed(const struct machine *machine, const char *text, const char *packing,
                      struct schedule *schedule);

/* The same of the turns of a loop; and an order that was found does not go below the bound of its
 * interval. error: why it was refused, MACHINE_ERROR bytes. */
bool improved_pipeline(const struct machine *machine, const char *text, const char *packing,
                       const char *region, struct pipeline *pipeline, char *error);

/* A program that others are compared with. */
struct original;
struct original *improved_open(const struct machine *machine, const char *text,
                               const char *packing);
void improved_close(struct original *original);
/* Cycles of a text that is legal and leaves the same values; UINT64_MAX: it is not, or does not. */
uint64_t improved_same(struct original *original, const char *text);
/* The same, but values are compared only of what takes less than `limit`; others: UINT64_MAX. */
uint64_t improved_below(struct original *original, const char *text, uint64_t limit);
/* What is found for it, without another run here. The caller frees the schedule. */
void improved_find(struct original *original, const struct schedule_job *job,
                   struct schedule *schedule);
uint64_t improved_advised(struct original *original); /* cycles with all advice */

/* Each item saves what it says, in its turn, and leaves the state as it was; all of them do not go
 * below the bound. Returns how many. */
size_t improved_advice(const struct machine *machine, const char *text, const char *packing,
                       bool findings);

#endif
