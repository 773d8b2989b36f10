/*
 * fit_memo: predictions that were made before. Searches of few numbers reach the same points
 * again and again, and a total takes milliseconds.
 *
 *   fit_memo_new --> fit_memo_find, fit_memo_keep (from any thread) --> fit_memo_free
 *
 * A table of fixed size: of two points with the same place the later one is kept. A prediction
 * depends on its point alone, so what is forgotten changes the time of a search, and no answer.
 */
#ifndef TAKT_ANALYSIS_FIT_MEMO_H
#define TAKT_ANALYSIS_FIT_MEMO_H

#include <stdbool.h>
#include <stddef.h>

struct fit_memo;

/* What a prediction is of. alone: a lower bound. */
struct fit_memo_key {
    size_t c;
    bool alone;
    const double *point;
};

/* axes: of a point. NULL when memory is out. */
struct fit_memo *fit_memo_new(size_t axes);
void fit_memo_free(struct fit_memo *memo);

bool fit_memo_find(struct fit_memo *memo, struct fit_memo_key key, double *value);
void fit_memo_keep(struct fit_memo *memo, struct fit_memo_key key, double value);

#endif
