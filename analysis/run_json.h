/*
 * run_json: the answer of `takt run --json`, by SQL from the trace. docs/json.md has the names.
 */
#ifndef TAKT_ANALYSIS_RUN_JSON_H
#define TAKT_ANALYSIS_RUN_JSON_H

#include <sqlite3.h>
#include <stdio.h>

/* state: the hash of the final state as text, or NULL: left out. Returns 0, or -1 when SQL,
 * memory or out failed (the last: ferror(out)). */
int run_json_print(sqlite3 *db, const char *state, FILE *out);

#endif
