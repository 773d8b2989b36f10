/*
 * measured: the published throughput of matfp and the same kernels on the model.
 *
 *   row (lanes, accumulators), threads --measured_run--> GFLOPS of the model
 *
 * The tables count two operations a multiply-add and give 1 to 6 threads; beyond two threads they
 * show how an operating system placed the threads, which is no property of the unit.
 */
#ifndef TAKT_TESTS_AMX_MEASURED_H
#define TAKT_TESTS_AMX_MEASURED_H

#include <stddef.h>

enum { MEASURED_ROWS = 15, MEASURED_THREADS = 2 };
#define MEASURED_TOLERANCE 2.5 /* per cent */

struct measured_row {
    const char *lanes, *title;
    unsigned accumulators;           /* of each thread */
    double gflops[MEASURED_THREADS]; /* 1 thread, 2 threads */
};
extern const struct measured_row measured_row[MEASURED_ROWS];

/* The kernel as a program: every thread accumulates onto each accumulator, turns times. */
void measured_program(const struct measured_row *row, unsigned threads, unsigned turns, char *text,
                      size_t size);
/* GFLOPS of it on the model with the default chip; 0 and a sentence on stderr when it fails. */
double measured_run(const struct measured_row *row, unsigned threads, unsigned turns);

#endif
