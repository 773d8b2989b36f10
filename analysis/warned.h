/* warned: the warnings of a run in the order of the text. */
#ifndef TAKT_ANALYSIS_WARNED_H
#define TAKT_ANALYSIS_WARNED_H

#include "traces/store.h"

struct warned {
    const char *name, *file; /* NULL and 0 without a place */
    uint32_t line;
    const char *sentence;
    const struct store_warning *row;
};

/* By file, line and name; to be freed. NULL when memory is out. */
struct warned *warned_list(const struct store *store);

#endif
