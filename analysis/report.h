/*
 * report: run a named question on a trace.
 */
#ifndef TAKT_ANALYSIS_REPORT_H
#define TAKT_ANALYSIS_REPORT_H

#include "analysis/answer.h"
#include "analysis/questions.h"

/* top: greatest number of rows, negative for all; a table says when there are more. Returns an
 * SQLite code. */
int report_question(sqlite3 *db, const struct question *question, int64_t top,
                    const struct answer_options *options, FILE *out);

/* The list of questions: name and question; with columns and example when long. */
void report_list(FILE *out, bool detailed);
/* All of it as JSON: an array of {question, asks, columns, example}. */
void report_list_json(FILE *out);

/* Rows of v_check on out, at most a few; returns their number, or -1 when SQL failed. */
int report_check(sqlite3 *db, FILE *out);

#endif
