/*
 * measured_align: which issues of a list are which of a run, in one stream of each.
 *
 *   places of both, in order --measured_align--> for each of the list the one of the run
 *
 * The order stays, and few are left out, as where two texts are compared: rows that a list lacks,
 * or has alone, shift nothing after them. Where the places leave open which turn of a loop a list
 * lacks, the intervals decide. Of sequences that differ everywhere a search of bounded length finds
 * part of what they share.
 */
#ifndef TAKT_ANALYSIS_MEASURED_ALIGN_H
#define TAKT_ANALYSIS_MEASURED_ALIGN_H

#include <stddef.h>
#include <stdint.h>

struct measured_point {
    uint64_t cycle, place;
    uint32_t stream;
    size_t index; /* in the list, or in the run */
};

/* matches: by point of the list that of the run, or SIZE_MAX. Returns 0, or -1 when the host has no
 * memory. */
int measured_align(const struct measured_point *list, size_t list_count,
                   const struct measured_point *run, size_t run_count, size_t *matches);

#endif
