/*
 * run_json: the answer of `takt run --json`. docs/json.md has the names.
 */
#ifndef TAKT_ANALYSIS_RUN_JSON_H
#define TAKT_ANALYSIS_RUN_JSON_H

#include <stdio.h>

#include "traces/store.h"

/* state: the hash of the final state as text, or NULL: left out. Returns 0, or -1 when
 * memory or out failed (the last: ferror(out)). */
int run_json_print(const struct store *store, const char *state, FILE *out);

#endif
