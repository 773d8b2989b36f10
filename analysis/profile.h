/*
 * profile: the cycles of a program's functions, and their calls.
 *
 *   image --profile_open--> functions
 *   run   --interval*, execution*--> struct profile_listener (profile_sink)
 *   both  --profile_sum--> exclusive, inclusive, calls, lines
 *         --profile_print, profile_json, profile_callgrind--> FILE
 *
 * Cycles are those of the issuing streams (a core, or each warp): a wait and a
 * busy cycle belong to the instruction that waited or issued. Cycles without an instruction (before
 * the first one, or after the last one) belong to no function.
 *
 * A function begins at a function symbol, at the entry, or at the target of a `jal` that saves the
 * return address in ra or t0. A call pushes a frame; the frame goes when its return address is
 * executed. A jump into another function replaces the frame (tail call). A function that is called
 * while it has a frame in the same stack is counted there: recursion is folded.
 */
#ifndef TAKT_ANALYSIS_PROFILE_H
#define TAKT_ANALYSIS_PROFILE_H

#include <stdio.h>

#include "functional/riscv/image.h"
#include "timing/sink.h"

struct profile_cost {
    uint64_t cycles, waiting; /* waiting: those of the cycles that are waits */
    uint64_t executions;      /* instructions */
};

struct profile_function {
    char *name; /* demangled */
    uint32_t stmt;
    uint64_t calls;
    struct profile_cost exclusive, inclusive;
};

/* A function as called from one line: a node of the call tree. */
struct profile_node {
    uint32_t function, parent; /* parent: NONE_ID for a root */
    uint32_t site;             /* statement of the first call, or NONE_ID */
    uint32_t child, next;      /* the newest child; the next node with this parent; or NONE_ID */
    uint64_t calls;
    struct profile_cost exclusive, inclusive;
};

/* One source line in one function. */
struct profile_line {
    uint32_t function, file, line;
    struct profile_cost cost;
};

struct profile {
    const char *program, *machine;
    const struct riscv_image *image;
    bool wide; /* of the machine (machine_language.wide) */

    struct profile_function *functions;
    size_t function_count;
    uint32_t *function_of; /* by statement */
    struct profile_node *nodes;
    size_t node_count, node_capacity;
    uint32_t root;              /* the newest; NONE_ID: no node */
    struct profile_line *lines; /* by function, file and line */
    size_t line_count;
    struct profile_cost *costs;  /* by statement */
    uint64_t total;              /* cycles of the run */
    struct profile_cost charged; /* of all streams, to functions */
    uint32_t streams;

    struct profile_stream *stream; /* by unit; only of issuing units */
    size_t unit_count;
    uint32_t *stream_of; /* by number of the stream: the unit */
};

/* Returns 0, or -1 when memory is out; free in every case. The image must remain. */
int profile_open(struct profile *profile, const struct riscv_image *image, bool wide);
struct sink profile_sink(struct profile *profile);
/* After the run. Returns 0, or -1 when memory is out. */
int profile_sum(struct profile *profile);
void profile_free(struct profile *profile);

/* most: rows of each table; 0: all. */
void profile_print(const struct profile *profile, size_t most, FILE *out);
struct json_t;
struct json_t *profile_json(const struct profile *profile);
/* The format of callgrind_annotate and KCachegrind. */
void profile_callgrind(const struct profile *profile, FILE *out);

#endif
