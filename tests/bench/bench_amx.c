/*
 * bench_amx: the published throughput of matfp beside the same kernels run on the model, for one
 * and two threads. Exit 1 when a cell differs by more than the tolerance.
 */
#include <math.h>
#include <stdio.h>

#include "tests/amx/measured.h"

int main(void)
{
    enum { TURNS = 10000 };
    unsigned beyond = 0;
    double largest = 0;
    printf("matfp, z + x*y without loads and stores, GFLOPS\n\n");
    printf("                                1 thread                     2 threads\n");
    printf(
        "X x Y -> Z        accumulators  measured    model   error    measured    model   error\n");
    for (unsigned i = 0; i < MEASURED_ROWS; i++) {
        const struct measured_row *row = &measured_row[i];
        printf("%-18s%-14u", row->title, row->accumulators);
        for (unsigned threads = 1; threads <= MEASURED_THREADS; threads++) {
            const double measured = row->gflops[threads - 1];
            const double model = measured_run(row, threads, TURNS);
            const double error = 100 * (model - measured) / measured;
            beyond += fabs(error) > MEASURED_TOLERANCE;
            largest = fabs(error) > largest ? fabs(error) : largest;
            printf("%s%8.1f %8.1f  %+5.2f%%", threads > 1 ? "    " : "", measured, model, error);
        }
        printf("\n");
    }
    printf("\nlargest error %.2f %%, %u of %d cells beyond %.1f %%\n", largest, beyond,
           MEASURED_ROWS * MEASURED_THREADS, MEASURED_TOLERANCE);
    return beyond ? 1 : 0;
}
