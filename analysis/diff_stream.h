/*
 * diff_stream: what the issuing units of a run did, statement by statement, kept while it runs.
 *
 *   model --interval*--> diff_stream --> by unit: cycles of each statement and reason,
 *                                                 and the first intervals in order of time
 *
 * A trace with intervals gives the same. It takes memory for each pair of statement and reason and
 * for DIFF_RUNS intervals of a unit, however long the run.
 */
#ifndef TAKT_ANALYSIS_DIFF_STREAM_H
#define TAKT_ANALYSIS_DIFF_STREAM_H

#include "timing/sink.h"

enum { DIFF_RUNS = 1 << 19 };

/* A statement (or NONE_ID) held the stream for a reason. */
struct diff_run {
    uint32_t stmt, reason;
    uint64_t cycles;
};

struct diff_unit {
    bool issues;
    struct diff_run *cells; /* one for each statement and reason, in no order */
    size_t cell_count, cell_capacity;
    uint32_t *slots; /* cell + 1; 0: empty */
    size_t slot_count;
    struct diff_run *runs; /* in order of time; neighbours differ */
    size_t run_count, run_capacity;
    uint64_t reached; /* end of the last run */
    bool all;         /* no interval was too many for runs */
};

struct diff_stream {
    struct diff_unit *units;
    size_t unit_count;
};

struct sink diff_stream_sink(struct diff_stream *stream);
void diff_stream_free(struct diff_stream *stream);

void diff_unit_begin(struct diff_unit *unit);
/* Returns 0, or -1 without memory. */
int diff_unit_add(struct diff_unit *unit, const struct sink_interval *interval);

#endif
