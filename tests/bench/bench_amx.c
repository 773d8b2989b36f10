/*
 * bench_amx: the published throughput of matfp beside the same kernels run on the model, for one to
 * six threads: first the errors of cells that the fit has not seen, then all cells. Exit 1 when a
 * cell of one or two threads differs by more than the tolerance, the others do in the mean, or a
 * cell lies outside the range of its program.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "tests/amx/measured.h"

enum { TURNS = 2000 };

struct tally {
    double sum, largest;
    unsigned cells, outside;
};

static int left_out(void)
{
    static const char *const folds[FOLDS] = {"cell", "row", "number of threads"};
    struct measured_errors few[FOLDS], many[FOLDS];
    if (measured_left_out(1, MEASURED_FEW, few) != 0 ||
        measured_left_out(MEASURED_FEW + 1, MEASURED_THREADS, many) != 0)
        return -1;
    printf("errors of what was left out of the fit, mean and largest\n");
    for (unsigned f = 0; f < FOLDS; f++)
        printf("  1 and 2 threads, each %-18s %5.2f %% %6.2f %%   clock %.4f to %.4f of clock_hz\n",
               folds[f], few[f].mean, few[f].largest, few[f].low, few[f].high);
    for (unsigned f = 0; f < FOLDS; f++)
        printf("  3 to 6 threads,  each %-18s %5.2f %% %6.2f %%   efficiency_interval %g to %g\n",
               folds[f], many[f].mean, many[f].largest, many[f].low, many[f].high);
    return 0;
}

static int print_cell(const struct measured_row *row, unsigned threads, struct tally *tally)
{
    const double measured = row->gflops[threads - 1];
    struct measured_answer model;
    if (measured_cell(row, threads, TURNS, NULL, &model) != 0)
        return -1;
    const double error = 100 * (model.gflops - measured) / measured;
    const bool inside = model.slowest <= measured && measured <= model.fastest;
    tally->cells++;
    tally->outside += !inside;
    tally->sum += fabs(error);
    tally->largest = fabs(error) > tally->largest ? fabs(error) : tally->largest;
    printf("%-18s%7u%9u%11.1f%9.1f%+8.2f%%  %8.1f to %6.1f%s\n", row->title, row->accumulators,
           threads, measured, model.gflops, error, model.slowest, model.fastest,
           inside ? "" : "  OUTSIDE");
    return 0;
}

int main(void)
{
    struct tally few = {0}, many = {0};
    printf("matfp, z + x*y without loads and stores, GFLOPS\n\n");
    if (left_out() != 0)
        return 1;
    printf("\nX x Y -> Z    accumulators  threads   measured    model   error       range\n");
    for (unsigned i = 0; i < MEASURED_ROWS; i++)
        for (unsigned threads = 1; threads <= MEASURED_THREADS; threads++)
            if (print_cell(&measured_row[i], threads, threads <= MEASURED_FEW ? &few : &many) != 0)
                return 1;
    few.sum /= few.cells;
    many.sum /= many.cells;
    printf(
        "\nas fitted: 1 and 2 threads mean %.2f %%, largest %.2f %%; 3 to 6 threads mean %.2f %%, "
        "largest %.2f %%\n%u of %u cells outside their range\n",
        few.sum, few.largest, many.sum, many.largest, few.outside + many.outside,
        few.cells + many.cells);
    return few.largest > MEASURED_TOLERANCE || many.sum > MEASURED_MEAN ||
           few.outside + many.outside > 0;
}
