/*
 * sarif: results in the Static Analysis Results Interchange Format, SARIF 2.1.0, for what shows
 * findings in a pull request.
 *
 *   sarif_open --sarif_add*--> one run with rules and results --sarif_log--> JSON
 *
 * Columns are in Unicode code points. A result whose place is 0 is about the whole file.
 */
#ifndef TAKT_ANALYSIS_SARIF_H
#define TAKT_ANALYSIS_SARIF_H

#include <jansson.h>

#include "analysis/fixes.h"
#include "functional/source.h"

struct sarif {
    json_t *rules, *results;
    int status; /* -1: memory is out */
};

struct sarif_result {
    const char *rule, *level; /* "error", "warning", "note"; or "none" of what is as it should be */
    const char *sentence;
    const char *file;
    uint32_t line, column, length; /* bytes */
    const char *text;              /* of the line, for its columns; or NULL */
    size_t size;
    uint32_t other_line;   /* of the same file; 0: none */
    const struct fix *fix; /* or NULL */
};

void sarif_open(struct sarif *sarif);
void sarif_add(struct sarif *sarif, const struct sarif_result *result);
/* All findings of a program. */
void sarif_add_findings(struct sarif *sarif, const struct machine *machine,
                        const struct diag_list *diags, const struct source *sources, size_t count);
/* The log, the caller's; NULL when memory is out. Ends the struct. */
json_t *sarif_log(struct sarif *sarif, const char *command);

#endif
