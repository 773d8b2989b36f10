/*
 * html: one offline file about a trace: verdict, units, stalls, transfers, statements with source,
 * utilisation over time, counters, bounds, parameters.
 *
 * Everything is in the file: no request to anywhere, inline SVG, its own style (analysis/html.css,
 * light and dark) and a small script for keys and sorting (analysis/html.js); it reads without the
 * script. Long tables are cut, with a sentence that says how to see the rest, so that the file
 * stays below 2 MB.
 */
#ifndef TAKT_ANALYSIS_HTML_H
#define TAKT_ANALYSIS_HTML_H

#include <sqlite3.h>
#include <stdio.h>

/* The style of takt's pages. */
extern const char analysis_html_css[], analysis_html_css_end[];

/* A text of the user, which may hold any bytes. */
void html_put_text(FILE *out, const char *text, size_t size);

/* Returns an SQLite code, SQLITE_IOERR when out failed. */
int html_print(sqlite3 *db, FILE *out);

#endif
