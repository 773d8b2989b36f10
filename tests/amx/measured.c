#include "tests/amx/measured.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timing/machines.h"
#include "timing/run.h"

const struct measured_row measured_row[MEASURED_ROWS] = {
    {"f16", "f16 x f16 -> f16", 1, {1444.6, 2945.9, 2668.9, 4296.1, 4692.2, 5082.6}},
    {"f16", "f16 x f16 -> f16", 2, {2944.7, 5856.6, 4857.7, 6150.3, 5565.6, 6186.8}},
    {"f16f32", "f16 x f16 -> f32", 1, {1466.1, 2926.1, 2665.2, 2856.6, 2835.5, 2874.2}},
    {"f32", "f32 x f32 -> f32", 1, {367.0, 725.8, 923.2, 1053.6, 1572.3, 1418.4}},
    {"f32", "f32 x f32 -> f32", 2, {735.4, 1474.6, 1321.7, 1790.2, 2708.2, 2673.2}},
    {"f32", "f32 x f32 -> f32", 3, {1095.0, 2215.9, 2010.7, 2469.2, 2865.7, 2861.8}},
    {"f32", "f32 x f32 -> f32", 4, {1478.4, 2955.3, 2771.5, 2786.5, 2903.5, 2963.8}},
    {"f64", "f64 x f64 -> f64", 1, {91.6, 184.9, 210.1, 329.7, 411.7, 408.6}},
    {"f64", "f64 x f64 -> f64", 2, {184.7, 369.7, 334.1, 491.7, 720.2, 712.6}},
    {"f64", "f64 x f64 -> f64", 3, {276.2, 553.2, 546.5, 652.4, 757.9, 685.1}},
    {"f64", "f64 x f64 -> f64", 4, {364.6, 736.5, 702.4, 770.0, 767.5, 754.2}},
    {"f64", "f64 x f64 -> f64", 5, {368.3, 731.0, 596.8, 763.6, 793.2, 710.5}},
    {"f64", "f64 x f64 -> f64", 6, {369.5, 737.3, 776.0, 768.2, 794.7, 787.6}},
    {"f64", "f64 x f64 -> f64", 7, {369.1, 738.6, 606.1, 708.7, 787.0, 792.2}},
    {"f64", "f64 x f64 -> f64", 8, {369.6, 736.8, 686.6, 773.6, 779.9, 790.0}},
};

void measured_program(const struct measured_row *row, unsigned threads, unsigned turns, char *text,
                      size_t size)
{
    size_t used = (size_t)snprintf(text, size, ".thread 0..%u\n.repeat %u\n", threads - 1, turns);
    for (unsigned i = 0; i < row->accumulators && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "    matfp %s z=%u\n", row->lanes, i);
    if (used < size)
        snprintf(text + used, size - used, ".end\n");
}

struct answer {
    double clock_hz;
    uint64_t cycles, flops, low, high;
    uint32_t flop_counters; /* bit i: counter i counts operations */
};

static int on_begin(void *context, const struct sink_header *header)
{
    struct answer *answer = context;
    answer->clock_hz = header->clock_hz;
    for (size_t i = 0; i < header->counter_count && i < 32; i++)
        if (strncmp(header->counters[i].name, "flops.", 6) == 0)
            answer->flop_counters |= UINT32_C(1) << i;
    return 0;
}

static int on_finish(void *context, const struct sink_summary *summary)
{
    struct answer *answer = context;
    answer->cycles = summary->cycles;
    if (summary->range && summary->range->known) {
        answer->low = summary->range->low;
        answer->high = summary->range->high;
    }
    for (size_t i = 0; i < summary->counter_count; i++)
        if (answer->flop_counters >> summary->counters[i].counter & 1)
            answer->flops += summary->counters[i].value;
    return 0;
}

static const struct sink_ops ops = {.name = "measured", .begin = on_begin, .finish = on_finish};

/* Timing alone, as takt run --timing-only. */
static int time_program(const struct machine_program *program, const struct config *config,
                        bool total_only, struct diag_list *diags, struct answer *answer)
{
    const struct run_options options = {.timing_only = true, .total_only = total_only};
    const struct sink sink = {&ops, answer};
    char error[MACHINE_ERROR] = "";
    struct machine_run *run;
    const struct run_setup setup = {program, config, &options, &sink};
    if (run_open(&run, &machine_amx, &setup, diags, error) != 0) {
        fprintf(stderr, "%s\n", error);
        return -1;
    }
    const int status = run_whole(run, diags, error);
    run_close(run);
    if (status != 0)
        fprintf(stderr, "%s\n", error);
    return status == 0 ? 0 : -1;
}

static int load_and_time(const struct source *source, const char *set, struct answer *answer)
{
    char error[400];
    struct config config;
    struct diag_list diags;
    struct machine_program *program = NULL;
    int status = machine_config(&machine_amx, &config, error, sizeof error);
    if (status == 0 && set)
        status = config_set(&config, set, error, sizeof error);
    if (status != 0) {
        fprintf(stderr, "%s\n", error);
        config_free(&config);
        return -1;
    }
    diag_list_init(&diags);
    status = machine_amx.language->load(&program, source, 1, &diags);
    if (status == 0)
        status = time_program(program, &config, set != NULL, &diags, answer);
    else
        diag_print(&diags, source, 1, stderr, false);
    machine_amx.language->unload(program);
    config_free(&config);
    diag_list_free(&diags);
    return status == 0 ? 0 : -1;
}

static double rate(const struct answer *answer, uint64_t cycles)
{
    return cycles ? (double)answer->flops / ((double)cycles / answer->clock_hz) / 1e9 : 0;
}

int measured_cell(const struct measured_row *row, unsigned threads, unsigned turns, const char *set,
                  struct measured_answer *result)
{
    char text[1000];
    struct source source;
    struct answer answer = {0};
    measured_program(row, threads, turns, text, sizeof text);
    if (source_from_text(&source, "kernel.amx", text, strlen(text)) != 0)
        return -1;
    const int status = load_and_time(&source, set, &answer);
    source_close(&source);
    *result = (struct measured_answer){rate(&answer, answer.cycles), rate(&answer, answer.high),
                                       rate(&answer, answer.low)};
    return status;
}

/* --- fits without some cells ------------------------------------------------------------------ */

/* Of a cell, the model with each candidate. One candidate whose scale is free is the clock. */
enum { CANDIDATES = 12, FIRST_CANDIDATE = 1, FIT_TURNS = 200, CELLS = 90 };

struct fit {
    struct cell {
        double measured, model[CANDIDATES];
        unsigned row, threads;
    } cells[CELLS];
    size_t count;
    unsigned candidates;
};

static int fill(struct fit *fit, unsigned first, unsigned last)
{
    struct measured_answer answer;
    fit->candidates = last > MEASURED_FEW ? CANDIDATES : 1;
    fit->count = 0;
    for (unsigned row = 0; row < MEASURED_ROWS; row++)
        for (unsigned threads = first; threads <= last; threads++) {
            struct cell *cell = &fit->cells[fit->count++];
            *cell = (struct cell){
                .measured = measured_row[row].gflops[threads - 1], .row = row, .threads = threads};
            for (unsigned c = 0; c < fit->candidates; c++) {
                char set[40];
                snprintf(set, sizeof set, "efficiency_interval=%u", FIRST_CANDIDATE + c);
                if (measured_cell(&measured_row[row], threads, FIT_TURNS, set, &answer) != 0)
                    return -1;
                cell->model[c] = answer.gflops;
            }
        }
    return 0;
}

static bool together(const struct cell *a, const struct cell *b, enum measured_fold fold)
{
    const bool row = a->row == b->row, threads = a->threads == b->threads;
    return fold == FOLD_ROW ? row : fold == FOLD_THREADS ? threads : row && threads;
}

static double error_of(const struct cell *cell, unsigned candidate, double scale)
{
    return 100 * fabs(cell->model[candidate] * scale - cell->measured) / cell->measured;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The clock that is the median of what the other cells say, as a part of the configured one. */
static double fit_clock(const struct fit *fit, const struct cell *out, enum measured_fold fold)
{
    double ratio[CELLS];
    size_t count = 0;
    for (const struct cell *cell = fit->cells; cell < fit->cells + fit->count; cell++)
        if (!together(cell, out, fold))
            ratio[count++] = cell->measured / cell->model[0];
    qsort(ratio, count, sizeof *ratio, by_size);
    return (ratio[(count - 1) / 2] + ratio[count / 2]) / 2;
}

/* The candidate with the least mean error of the other cells. */
static unsigned fit_candidate(const struct fit *fit, const struct cell *out,
                              enum measured_fold fold)
{
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned c = 0; c < fit->candidates; c++) {
        double sum = 0;
        for (const struct cell *cell = fit->cells; cell < fit->cells + fit->count; cell++)
            sum += together(cell, out, fold) ? 0 : error_of(cell, c, 1);
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    return best;
}

static struct measured_errors errors_of(const struct fit *fit, enum measured_fold fold)
{
    struct measured_errors errors = {.low = INFINITY};
    for (const struct cell *cell = fit->cells; cell < fit->cells + fit->count; cell++) {
        const bool many = fit->candidates > 1;
        const unsigned candidate = many ? fit_candidate(fit, cell, fold) : 0;
        const double scale = many ? 1 : fit_clock(fit, cell, fold);
        const double number = many ? FIRST_CANDIDATE + candidate : scale;
        const double error = error_of(cell, candidate, scale);
        errors.mean += error / (double)fit->count;
        errors.largest = fmax(errors.largest, error);
        errors.low = fmin(errors.low, number);
        errors.high = fmax(errors.high, number);
    }
    return errors;
}

int measured_left_out(unsigned first, unsigned last, struct measured_errors errors[FOLDS])
{
    struct fit *fit = calloc(1, sizeof *fit);
    const int status = fit ? fill(fit, first, last) : -1;
    for (unsigned fold = 0; status == 0 && fold < FOLDS; fold++)
        errors[fold] = errors_of(fit, (enum measured_fold)fold);
    free(fit);
    return status;
}
