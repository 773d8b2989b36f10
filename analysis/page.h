/*
 * page: one offline file about a trace: the verdict as a paragraph, what could be changed, a Gantt
 * of units, transfers and statements with the critical path, utilisation over time, the roofline,
 * and the answers of takt report as tables.
 *
 *   trace --page_print--> page_story (head) + page_data (pictures) + page_tables + the source
 *
 * Long tables are cut, with a sentence that says how to see the rest.
 */
#ifndef TAKT_ANALYSIS_PAGE_H
#define TAKT_ANALYSIS_PAGE_H

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

struct json_t;

struct page_options {
    uint64_t from, to;           /* cycles of the pictures; to is cut to the run's end */
    const struct json_t *advice; /* what takt advise --json says of this program, or NULL */
};

/* Returns an SQLite code, SQLITE_IOERR when out failed. */
int page_print(sqlite3 *db, const struct page_options *options, FILE *out);

#endif
