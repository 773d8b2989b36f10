/*
 * measured: the published throughput of matfp and the same kernels on the model.
 *
 *   row (lanes, accumulators), threads --measured_cell--> GFLOPS of the model, and of its range
 *                                      --measured_left_out--> errors of cells that were not fitted
 *
 * The tables (public tables of matfp, throughput) count two operations a multiply-add and give 1 to
 * 6 threads. With 1 and 2 threads each has a unit for itself; with more the cells scatter, because
 * the system chooses where threads are.
 */
#ifndef TAKT_TESTS_AMX_MEASURED_H
#define TAKT_TESTS_AMX_MEASURED_H

#include <stddef.h>

enum { MEASURED_ROWS = 15, MEASURED_THREADS = 6, MEASURED_FEW = 2 };
#define MEASURED_TOLERANCE 2.4  /* per cent: of a cell of 1 or 2 threads */
#define MEASURED_MEAN      10.0 /* and of the mean of the cells of more */

struct measured_row {
    const char *lanes, *title;
    unsigned accumulators;           /* of each thread */
    double gflops[MEASURED_THREADS]; /* 1 thread, 2 threads, ... */
};
extern const struct measured_row measured_row[MEASURED_ROWS];

struct measured_answer {
    double gflops;
    double slowest, fastest; /* GFLOPS at the ends of the range; 0: it is not known */
};

/* The kernel as a program: every thread accumulates onto each accumulator, turns times. */
void measured_program(const struct measured_row *row, unsigned threads, unsigned turns, char *text,
                      size_t size);
/* On the model with the default chip, or with one number of it set ("NAME=VALUE"; NULL: none).
 * Returns 0, or -1 with a sentence on stderr. */
int measured_cell(const struct measured_row *row, unsigned threads, unsigned turns, const char *set,
                  struct measured_answer *answer);

/* Per cent, of measured. */
struct measured_errors {
    double mean, largest;
    double low, high; /* least and greatest number that was fitted */
};
enum measured_fold { FOLD_CELL, FOLD_ROW, FOLD_THREADS, FOLDS };

/* Errors of cells that the fit has not seen: in turn each cell is left out, each row, or each
 * number of threads. First to last threads: up to MEASURED_FEW the clock is fitted, beyond that
 * efficiency_interval. Returns 0, or -1 with a sentence on stderr. */
int measured_left_out(unsigned first, unsigned last, struct measured_errors errors[FOLDS]);

#endif
