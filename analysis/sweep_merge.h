/*
 * sweep_merge: all chunks of a sweep in one file.
 *
 *   FOLDER/chunks/NAME.db, .. --sweep_merge--> FOLDER/sweep.db
 *
 * Every file of the chunks' folder whose name ends with .db is taken, whatever its name: a copy
 * changes nothing. What is in the merged file depends on the plan and the results alone, not on
 * the chunks, the engine, or the order in which they ended.
 */
#ifndef TAKT_ANALYSIS_SWEEP_MERGE_H
#define TAKT_ANALYSIS_SWEEP_MERGE_H

#include "analysis/sweep_progress.h"

struct sweep_merged {
    uint64_t points, failed;
};

/* partial: points may be missing. Returns 0; with a sentence 1 for chunks that are missing, damaged
 * or foreign, -1 when the host failed. */
int sweep_merge(const struct sweep_folder *folder, bool partial, struct sweep_merged *merged,
                char error[SWEEP_ERROR]);

#endif
