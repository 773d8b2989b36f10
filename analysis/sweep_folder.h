/*
 * sweep_folder: the folder of a planned sweep (analysis/sweep_plan.h), and how far it is. Nothing
 * is shared but the files in it: a chunk is done when FOLDER/chunks/N.db is there and whole.
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
/* Whether a plan is there. */
bool sweep_folder_has_plan(const char *path);
/* FOLDER/NAME, to be freed; NULL when memory is out. */
char *sweep_folder_path(const struct sweep_folder *folder, const char *name);
char *sweep_folder_chunk_path(const struct sweep_folder *folder, size_t chunk);

/* A chunk's file, read into memory. */
struct sweep_chunk_file {
    sqlite3 *db;
    void *bytes;
    uint64_t points, failed;
    double started, ended; /* seconds since 1970 */
};
/* Returns 0; 1 with a sentence for a file that is not a chunk of this sweep, or not whole; 2 where
 * the file is missing; -1 when the host failed. Close it in every case. */
int sweep_folder_read_chunk(const struct sweep_folder *folder, const char *path,
                            struct sweep_chunk_file *file, char error[SWEEP_ERROR]);
void sweep_folder_close_chunk(struct sweep_chunk_file *file);

/* --- progress --------------------------------------------------------------------------------- */

struct sweep_progress {
    const struct sweep_folder *folder;
    struct sweep_chunk_state {
        enum { SWEEP_MISSING, SWEEP_DONE, SWEEP_DAMAGED } state;
        uint64_t failed;
        double started, ended;
    } * chunks;
    uint64_t done, failed; /* points */
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
