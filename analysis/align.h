/*
 * align: which elements of two sequences are the same, by a shortest edit script (Myers 1986, in
 * linear memory).
 *
 *   a[], b[] of keys --align--> match[]: for each a[i] the place in b of the same element,
 *   ascending
 *
 * Elements that only one side has are left out before the search, which changes no script: two
 * sequences with little in common cost no more than two that are nearly equal. Sequences that have
 * the same elements in a wholly different order would take the product of their lengths; where a
 * part of the script grows beyond ALIGN_EXACT edits, the furthest place that was reached becomes a
 * fixed point. Scripts with fewer edits are shortest.
 *
 * Among scripts of equal length: of a run of equal elements the last ones are those without a
 * match, so that one more turn of something repeated is the turn after the others.
 */
#ifndef TAKT_ANALYSIS_ALIGN_H
#define TAKT_ANALYSIS_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#define ALIGN_NONE UINT32_MAX

enum { ALIGN_EXACT = 1024 };

struct align_side {
    const uint32_t *keys; /* any numbers */
    size_t count;         /* below UINT32_MAX */
};

/* match has a.count elements, ALIGN_NONE where there is none. Returns 0, or -1 without memory. */
int align(struct align_side a, struct align_side b, uint32_t *match);

#endif
