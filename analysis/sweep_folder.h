/*
 * sweep_folder: the folder of a planned sweep (analysis/sweep_plan.h). Nothing is shared but the
 * files in it: a chunk is done when FOLDER/chunks/N.db is there and whole.
 */
#ifndef TAKT_ANALYSIS_SWEEP_FOLDER_H
#define TAKT_ANALYSIS_SWEEP_FOLDER_H

#include "analysis/sweep_store.h"

struct sweep_chunk {
    uint64_t first, points, offset; /* of its first line in the plan */
};

struct sweep_folder {
    char *path;
    json_t *head;
    const json_t *axes, *counters;
    const char *takt, *plan; /* version and hash */
    struct sweep_chunk *chunks;
    size_t chunk_count;
    uint64_t points;
};

/* Returns 0; with a sentence 1 for a folder without a whole plan, -1 when the host failed. Close
 * it in every case. */
int sweep_folder_open(struct sweep_folder *folder, const char *path, char error[SWEEP_ERROR]);
void sweep_folder_close(struct sweep_folder *folder);
/* Whether this takt gives the results that the plan is for: its version, the machine's numbers, the
 * copies of programs and chips. Returns 0; 1 with a sentence, -1 when the host failed. */
int sweep_folder_check(const struct sweep_folder *folder, char error[SWEEP_ERROR]);
/* Whether a plan is there. */
bool sweep_folder_has_plan(const char *path);
/* No output of this command is written over a file of the sweep (host/in_use.h). */
void sweep_folder_keep(const struct sweep_folder *folder);
/* FOLDER/NAME, to be freed; NULL when memory is out. */
char *sweep_folder_path(const struct sweep_folder *folder, const char *name);
char *sweep_folder_chunk_path(const struct sweep_folder *folder, size_t chunk);

/* A chunk's file, read into memory. */
struct sweep_chunk_file {
    sqlite3 *db;
    void *bytes;
    uint64_t points, failed, first, last; /* first and last: numbers of points */
    double started, ended;                /* seconds since 1970 */
};
/* Returns 0; 1 with a sentence for a file that is not a chunk of this sweep, or not whole; 2 where
 * the file is missing; -1 when the host failed. Close it in every case. */
int sweep_folder_read_chunk(const struct sweep_folder *folder, const char *path,
                            struct sweep_chunk_file *file, char error[SWEEP_ERROR]);
/* Whether it has the points of this chunk. */
bool sweep_folder_is_chunk(const struct sweep_folder *folder, size_t number,
                           const struct sweep_chunk_file *file);
void sweep_folder_close_chunk(struct sweep_chunk_file *file);

#endif
