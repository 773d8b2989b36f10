/* handle_rows: every row of a handle of libtakt as a line of text. */
#ifndef TAKT_TESTS_HANDLE_ROWS_H
#define TAKT_TESTS_HANDLE_ROWS_H

#include <stdio.h>

#include "include/takt.h"

void handle_rows_findings(const struct takt_program *program, FILE *out);
/* What any run has: totals, units, counters, statements, transfers, path, verdict, output. */
void handle_rows_run(const struct takt_run *run, FILE *out);
/* Bounds, dependences, slacks, and the numbers of TAKT_RANGE. */
void handle_rows_proven(const struct takt_run *run, FILE *out);
void handle_rows_proof(const struct takt_proof *proof, FILE *out);
void handle_rows_diff(const struct takt_diff *diff, FILE *out);
void handle_rows_advice(const struct takt_advice *advice, FILE *out);
void handle_rows_schedule(const struct takt_schedule *schedule, FILE *out);
void handle_rows_loop(const struct takt_loop *loop, FILE *out);
void handle_rows_app(const struct takt_app *app, FILE *out);
void handle_rows_fit(const struct takt_fit *fit, FILE *out);

#endif
