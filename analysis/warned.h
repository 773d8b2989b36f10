/* warned: the warnings of a run in the order of the text. */
#ifndef TAKT_ANALYSIS_WARNED_H
#define TAKT_ANALYSIS_WARNED_H

#include "traces/store.h"

struct warned {
    const char *name, *file; /* file NULL and line 0: it stands nowhere */
    uint32_t line;
    const char *sentence;
    const struct store_warning *row;
};

/* By file, line and name; to be freed. NULL when memory is out. */
struct warned *warned_list(const struct store *store);

#endif
