/*
 * diff: where two runs differ.
 *
 *   struct diff_side a, b --diff_make--> which statements are the same, and terms
 *
 * Statements correspond by a shortest edit script over their texts (analysis/align.h). Of the rest,
 * those of equal text have been moved, in their order; those between the same neighbours
 * and begin with the same word have been changed. The others are of one side alone.
 *
 * A term is what statements that correspond spend more in b than in a, for one reason, at one unit,
 * on account of one source. Cells of a side add up to its cycles, so terms add up to the
 * difference, whatever corresponds to what. Exchanging the sides negates them.
 */
#ifndef TAKT_ANALYSIS_DIFF_H
#define TAKT_ANALYSIS_DIFF_H

#include "analysis/diff_side.h"

enum diff_kind { DIFF_SAME, DIFF_MOVED, DIFF_CHANGED, DIFF_ALONE };

struct diff_term {
    uint32_t reason, unit;       /* names */
    uint32_t stmt[2], source[2]; /* of a and b; NONE_ID: it has none */
    int64_t cycles;              /* of b minus those of a, not 0 */
};

/* A parameter whose value is not the same, or that one side lacks (NONE_ID). */
struct diff_value {
    uint32_t name, unit, value[2];
};

struct diff {
    const struct diff_side *sides[2];
    const struct strings *strings;
    int64_t difference;
    uint32_t *other[2]; /* by statement of a side: the one of the other side, or NONE_ID */
    uint8_t *kinds[2];  /* enum diff_kind */
    size_t counts[2][DIFF_ALONE + 1];
    struct diff_term
        *terms; /* first those of edits (diff_is_edit), in both parts the largest first */
    size_t term_count, edit_count;
    struct diff_value *values;
    size_t value_count;
    /* The first cycle in which the streams do not do the same. */
    bool diverges, diverges_known;
    uint64_t diverging;
    uint32_t diverging_stmt[2]; /* or NONE_ID */
};

/* Sides and strings must stay valid as long as diff, which is to be freed in every case. Returns 0,
 * or -1 without memory. */
int diff_make(struct diff *diff, const struct diff_side *a, const struct diff_side *b,
              const struct strings *strings);
void diff_free(struct diff *diff);

/* "" of NONE_ID. */
const char *diff_text(const struct diff *diff, uint32_t number);
/* Whether its statement or its source is not the same on both sides. */
bool diff_is_edit(const struct diff *diff, const struct diff_term *term);

/* The difference by reason, by unit or by region of the program: a name each, the largest first,
 * without those that are 0. To be freed; NULL without memory. */
enum diff_by { DIFF_BY_REASON, DIFF_BY_UNIT, DIFF_BY_REGION };
struct diff_sum {
    uint32_t name;
    int64_t cycles;
};
struct diff_sum *diff_sums(const struct diff *diff, enum diff_by by, size_t *count);

#endif
