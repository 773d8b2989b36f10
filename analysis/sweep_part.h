/*
 * sweep_part: how far a chunk at work is: FOLDER/chunks/N.part, one line of JSON that the chunk's
 * process overwrites twice a second at most and removes at its end. Nothing depends on it but what
 * is shown: errors of the host are ignored, and a part whose process was killed counts until it is
 * older than its points explain.
 */
#ifndef TAKT_ANALYSIS_SWEEP_PART_H
#define TAKT_ANALYSIS_SWEEP_PART_H

#include <stdbool.h>
#include <stdint.h>

struct sweep_part {
    uint64_t points, failed;
    double started, updated; /* seconds since 1970 */
};

struct sweep_part_file {
    char *path;
    int fd; /* -1: nothing is written yet */
    double written;
};

double sweep_part_now(void);
/* chunks is FOLDER/chunks. Close it in every case. */
void sweep_part_open(struct sweep_part_file *file, const char *chunks, uint64_t chunk);
/* After each point; sets updated. */
void sweep_part_note(struct sweep_part_file *file, struct sweep_part *part);
void sweep_part_close(struct sweep_part_file *file);

/* False where there is none, or one that is too old. */
bool sweep_part_read(const char *chunks, uint64_t chunk, double now, struct sweep_part *part);
/* What a process that was killed has left. */
void sweep_part_remove(const char *chunks, uint64_t chunk);

#endif
