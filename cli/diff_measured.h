/* diff_measured: takt diff PROGRAM MEASURED.csv: a run compared with measured issues. */
#ifndef TAKT_CLI_DIFF_MEASURED_H
#define TAKT_CLI_DIFF_MEASURED_H

#include "cli/session.h"

struct diff_measured {
    const char *program, *list;
    const char *html;     /* a page, or NULL */
    bool all;             /* print every rule, kind and line */
    bool start;           /* the first issue of each stream counts, too */
    struct session *both; /* options */
};

/* Whether the second argument is such a list. */
bool diff_is_measured(const char *path);
int diff_measured(const struct diff_measured *job);

#endif
