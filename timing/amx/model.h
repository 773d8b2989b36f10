/*
 * model: when the instructions of an AMX program may happen. Values play no part in it.
 *
 *   program, costs --amx_model_advance--> intervals, edges at the sink --amx_model_finish--> summary
 *
 *    cpu0 ---+                 one AMX instruction each issue_interval, in program order
 *    cpu2 ---+--> array0       matfp takes the array for its interval; its Z rows can be used again
 *            +--> ldst0        result_latency later. Loads and stores take the port.
 *    cpu1 ------> array1 ...
 *
 * Each CPU thread is a process of the kernel and issues in order. Its next instruction goes when the
 * thread is through with the one before (order), when every register that it reads is ready (data),
 * and when the array or port that it needs is free (port). Of several threads that could go first on
 * a port, the one that has waited longest goes. What held an instruction last is its binding edge.
 *
 * Run-ahead: as long as no other thread of its cluster can issue, a thread goes on in one event.
 *
 * Not modelled: caches and misses (load_latency is one number), the CPU's own instructions, waiting
 * of a load for a store to the same address. Critical path and slack come from the newest million
 * instructions: of a longer run the part before them is one row of the path, and there is no slack.
 */
#ifndef TAKT_TIMING_AMX_MODEL_H
#define TAKT_TIMING_AMX_MODEL_H

#include <stdio.h>

#include "config/config.h"
#include "functional/amx/program.h"
#include "timing/sink.h"

enum amx_param {
#define PARAM(name, type, sentence) AMX_PARAM_##name,
#include "timing/amx/param.def"
    AMX_PARAM_COUNT
};
enum amx_counter {
#define COUNTER(id, name, index, unit, sentence) AMX_COUNTER_##id,
#include "timing/amx/counter.def"
    AMX_COUNTERS
};
extern const struct param_row amx_params[AMX_PARAM_COUNT];

struct amx_model_options {
    const struct config *config;
    bool documented;         /* with the numbers of --documented */
    bool run_ahead;
    const struct sink *sink; /* NULL: only the total is wanted */
    FILE *events;            /* list of the kernel's events, or NULL */
};

struct amx_model;

/* What options points to stands as long as the model. NULL when memory is out. */
struct amx_model *amx_model_new(const struct amx_program *program,
                                const struct amx_model_options *options);
void amx_model_free(struct amx_model *model);

/* Units, statements and counters of the sink's header; they live as long as the model. */
void amx_model_header(const struct amx_model *model, struct sink_header *header);

/* Issue about budget instructions. Returns 1 while there are more, 0 at the end, -1 when the sink
 * failed, memory is out or an invariant of the model is broken. */
int amx_model_advance(struct amx_model *model, uint64_t budget);
uint64_t amx_model_cycles(const struct amx_model *model); /* so far, results included */
uint64_t amx_model_issued(const struct amx_model *model);

/* The summary; documented is the total of the documented-only run, 0 = unknown. Returns 0, or -1 when
 * the host failed. */
int amx_model_finish(struct amx_model *model, bool complete, uint64_t documented);

#endif
