/*
 * starts: when each statement of a run began, every time, and when it or its transfer was over. A
 * sink in front of another one.
 *
 *   starts_open(starts, next) --starts_sink--> run --starts_nodes--> by node of the program's graph
 */
#ifndef TAKT_TRACES_STARTS_H
#define TAKT_TRACES_STARTS_H

#include "timing/graph.h"
#include "timing/sink.h"

#define STARTS_NONE UINT64_MAX

struct starts {
    struct sink next;
    uint32_t *streams; /* of each unit: which stream it issues, NONE_ID: none */
    size_t unit_count;
    struct starts_row {
        uint64_t start, duration, end; /* STARTS_NONE: not known */
        uint32_t stream, stmt;
    } * rows;
    size_t count, capacity;
    bool executions; /* rows are those, not intervals */
    struct starts_end {
        uint64_t issued, finished;
        uint32_t stmt;
    } * ends;
    size_t end_count, end_capacity;
};

void starts_open(struct starts *starts, const struct sink *next);
struct sink starts_sink(struct starts *starts);
void starts_close(struct starts *starts);

/* Of each node of the graph the cycle in which it started, and of a transfer or execution the one
 * in which it was over; STARTS_NONE: not known. Both are the caller's to free. Returns 0, or -1
 * when the host has no memory. */
int starts_nodes(struct starts *starts, const struct graph *graph, uint64_t **started,
                 uint64_t **finished);

#endif
