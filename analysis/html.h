/*
 * html: what all of takt's pages are made of: their frame, with style and script inside, and texts.
 *
 *   html_begin, <header>, html_main, sections, html_end
 *
 * Everything is in the file (analysis/page/): it loads nothing from elsewhere, and its policy
 * forbids it. Tables and texts read without the script; pictures are drawn by it, from data that
 * html_picture puts into the page.
 */
#ifndef TAKT_ANALYSIS_HTML_H
#define TAKT_ANALYSIS_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Up to the open <body>. */
void html_begin(FILE *out, const char *title);
/* The bar of sections, each "id=words", and the open <main>. */
void html_main(FILE *out, const char *const *sections, size_t count);
void html_end(FILE *out);

/* What page_data_print wrote, under the name of one run. */
void html_picture(FILE *out, const char *name, const char *data, size_t size);

/* A text of the user, which may hold any bytes; the second form cuts it where a cell would be too
 * wide. */
void html_text(FILE *out, const char *text, size_t size);
void html_words(FILE *out, const char *text);
void html_cell(FILE *out, const char *text);
/* The frame with such texts: words for each %s, and what a cell has room for where it is %.160s. No
 * other conversion is known; numbers are put in as texts. */
void html_put(FILE *out, const char *frame, ...) __attribute__((format(printf, 2, 3)));

/* A section with a table, up to its first row. sentence: or NULL. The names of the columns end with
 * NULL; '#' begins that of numbers. */
void html_table(FILE *out, const char *id, const char *title, const char *sentence,
                const char *const *columns);
void html_table_end(FILE *out);

#endif
