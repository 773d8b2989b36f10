#include "tests/amx/measured.h"

#include <stdio.h>
#include <string.h>

#include "timing/machine.h"
#include "timing/run.h"

const struct measured_row measured_row[MEASURED_ROWS] = {
    {"f16", "f16 x f16 -> f16", 1, {1444.6, 2945.9}},
    {"f16", "f16 x f16 -> f16", 2, {2944.7, 5856.6}},
    {"f16f32", "f16 x f16 -> f32", 1, {1466.1, 2926.1}},
    {"f32", "f32 x f32 -> f32", 1, {367.0, 725.8}},
    {"f32", "f32 x f32 -> f32", 2, {735.4, 1474.6}},
    {"f32", "f32 x f32 -> f32", 3, {1095.0, 2215.9}},
    {"f32", "f32 x f32 -> f32", 4, {1478.4, 2955.3}},
    {"f64", "f64 x f64 -> f64", 1, {91.6, 184.9}},
    {"f64", "f64 x f64 -> f64", 2, {184.7, 369.7}},
    {"f64", "f64 x f64 -> f64", 3, {276.2, 553.2}},
    {"f64", "f64 x f64 -> f64", 4, {364.6, 736.5}},
    {"f64", "f64 x f64 -> f64", 5, {368.3, 731.0}},
    {"f64", "f64 x f64 -> f64", 6, {369.5, 737.3}},
    {"f64", "f64 x f64 -> f64", 7, {369.1, 738.6}},
    {"f64", "f64 x f64 -> f64", 8, {369.6, 736.8}},
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
    uint64_t cycles, flops;
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
    for (size_t i = 0; i < summary->counter_count; i++)
        if (answer->flop_counters >> summary->counters[i].counter & 1)
            answer->flops += summary->counters[i].value;
    return 0;
}

static const struct sink_ops ops = {.name = "measured", .begin = on_begin, .finish = on_finish};

/* Timing alone, as takt run --timing-only. */
static int time_program(const struct machine_program *program, const struct config *config,
                        struct diag_list *diags, struct answer *answer)
{
    const struct run_options options = {.timing_only = true};
    const struct sink sink = {&ops, answer};
    char error[MACHINE_ERROR] = "";
    struct machine_run *run;
    const struct run_setup setup = {program, config, &options, &sink};
    if (run_open(&run, &machine_amx, &setup, diags, error) != 0) {
        fprintf(stderr, "%s\n", error);
        return -1;
    }
    enum run_status status;
    do
        status = run_advance(run, 10000, diags, error);
    while (status == RUN_MORE);
    run_close(run);
    if (status != RUN_DONE)
        fprintf(stderr, "%s\n", error);
    return status == RUN_DONE ? 0 : -1;
}

double measured_run(const struct measured_row *row, unsigned threads, unsigned turns)
{
    char text[1000], error[400];
    measured_program(row, threads, turns, text, sizeof text);
    struct source source;
    struct config config;
    struct diag_list diags;
    struct machine_program *program = NULL;
    struct answer answer = {0};
    diag_list_init(&diags);
    if (source_from_text(&source, "kernel.amx", text, strlen(text)) != 0)
        return 0;
    int status = machine_config(&machine_amx, &config, error, sizeof error);
    if (status != 0) {
        fprintf(stderr, "%s\n", error);
        source_close(&source);
        return 0;
    }
    status = machine_amx.load(&program, &source, 1, &diags);
    if (status == 0)
        status = time_program(program, &config, &diags, &answer);
    else
        diag_print(&diags, &source, 1, stderr, false);
    machine_amx.unload(program);
    config_free(&config);
    diag_list_free(&diags);
    source_close(&source);
    if (status != 0 || answer.cycles == 0)
        return 0;
    return (double)answer.flops / ((double)answer.cycles / answer.clock_hz) / 1e9;
}
