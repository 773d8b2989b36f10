/*
 * answer: the rows of one SELECT for people or programs.
 *
 *   sqlite3_stmt --answer_print--> table, CSV (RFC 4180) or JSON (an array of objects)
 *
 * A table right-aligns numbers, groups their thousands and shortens the longest texts until a row
 * fits the width. CSV and JSON are written row by row and never shortened.
 */
#ifndef TAKT_ANALYSIS_ANSWER_H
#define TAKT_ANALYSIS_ANSWER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum answer_form { ANSWER_TABLE, ANSWER_CSV, ANSWER_JSON };

struct answer_options {
    enum answer_form form;
    int width;          /* of a table; 0: as wide as it needs */
    bool within;        /* a table of more columns than fit has a line for each of them instead */
    uint64_t row_limit; /* 0: none */
    bool plain;         /* no grouping of thousands */
};

/* Returns an SQLite code: SQLITE_OK, SQLITE_ROW when the row limit cut the answer, or the error. */
int answer_print(sqlite3_stmt *statement, const struct answer_options *options, FILE *out,
                 uint64_t *rows);

#endif
