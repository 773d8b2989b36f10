/*
 * store: what a run reported, as arrays. Answers are computed from it, a trace is written from it
 * (traces/recorder.h), and what answers need of a trace is read into it (traces/store_read.h).
 *
 *   store_open --store_sink--> model --> answers --store_close-->
 *
 * Lists of header and summary are the run's, to which the store refers until it is closed. What
 * the sink is given otherwise is kept, sorted at finish, so that no answer depends on the order of
 * its arrival.
 */
#ifndef TAKT_TRACES_STORE_H
#define TAKT_TRACES_STORE_H

#include "functional/diag.h"
#include "timing/bounds.h"
#include "timing/costs.h"
#include "timing/sink.h"
#include "traces/deps.h"
#include "traces/region_totals.h"
#include "traces/strings.h"

struct store_options {
    bool regions;   /* the program has some: totals are divided among them */
    bool no_events; /* only the header and the summary are kept */
    /* What is proven of the program, valid until the store is closed; NULL: nothing. */
    const struct bounds *bounds;
    const struct graph *graph;
};

/* mode and tag_name: as texts of the store (store_text). */
struct store_transfer {
    struct sink_transfer sink; /* without its texts */
    uint32_t mode, tag_name;
    size_t attributes; /* its first in store.attributes */
};

/* name and sentence: as texts of the store. file NONE_ID: that of stmt. */
struct store_warning {
    uint32_t name, stmt, file, line, sentence;
    uint32_t order; /* of findings, which keep the order of the text; 0 for those of the run */
};

struct store_bound {
    const char *class, *kind, *resource; /* resource NULL: none */
    uint32_t unit;                       /* of resource, or NONE_ID */
    uint64_t cycles;
    char *certificate; /* JSON; traces/schema.sql */
};

/* Of totals over the plausible ranges. */
struct store_range {
    bool known;
    uint64_t low, high, parameters, most_cycles;
    const char *most;
};

enum { STORE_STATE = 17 };

struct store {
    struct store_options options;
    struct sink_header header;
    struct sink_summary summary; /* from finish on */
    bool begun, finished, complete;
    bool failed;             /* memory was out */
    uint64_t *region_bounds; /* by region; NULL: not known */
    struct region_totals *region_totals;
    const struct sink_unit_total *unit_totals; /* divided among regions, where there are some */
    size_t unit_total_count;
    struct sink_unit_total *divided;
    struct store_range range;
    struct strings strings;
    struct deps deps;
    struct store_transfer *transfers; /* from finish on by issue */
    size_t transfer_count, transfer_capacity;
    uint64_t *attributes;
    size_t attribute_count, attribute_capacity;
    struct store_warning *warnings; /* from finish on by place */
    size_t warning_count, warning_capacity;
    uint64_t left_out; /* warnings without a row */
    struct store_bound *bounds;
    size_t bound_count;
    struct sink_slack *slack; /* instead of the summary's; or NULL */
    size_t slack_count;
    char state[STORE_STATE]; /* hash of the final state, or "" */
    /* The region that a trace was reduced to; NONE_ID: the whole run. Totals, edges, warnings and
     * the critical path are then the region's, the rest is the run's. */
    uint32_t region;
    void *copies; /* of what was read */
};

void store_open(struct store *store, const struct store_options *options);
void store_close(struct store *store);

struct sink store_sink(struct store *store);

/* The calls of the sink. Return 0, or -1 when memory is out. */
int store_begin(void *store, const struct sink_header *header);
int store_interval(void *store, const struct sink_interval *interval);
int store_transfer(void *store, const struct sink_transfer *transfer);
int store_edge(void *store, const struct sink_edge *edge);
int store_warning(void *store, const struct sink_warning *warning);
int store_finish(void *store, const struct sink_summary *summary);

/* After begin, before finish: add warnings of the language or of time to the run's, and the number
 * of findings beyond those of the list. */
int store_diags(struct store *store, const struct diag_list *diags);

/* After finish: these slacks instead; allocated, from then on the store's. */
void store_slack(struct store *store, struct sink_slack *slack, size_t count);
const struct sink_slack *store_slacks(const struct store *store, size_t *count);

/* A text of the store; NULL for 0 and NONE_ID. */
const char *store_text(const struct store *store, uint32_t id);
/* NULL for another number than a statement's. */
const struct stmt_info *store_stmt(const struct store *store, uint32_t stmt);
/* The name of a file or unit; NULL for NONE_ID. */
const char *store_file(const struct store *store, uint32_t file);
const char *store_unit(const struct store *store, uint32_t unit);
/* The region of a name, or NONE_ID. */
uint32_t store_region(const struct store *store, const char *name);
/* File and line of a warning: NULL and 0 without a place. */
const char *store_place(const struct store *store, const struct store_warning *warning,
                        uint32_t *line);
/* Whether a statement belongs to the region; without one, always. */
bool store_asks(const struct store *store, uint32_t stmt);

/* store_bounds.c: the bounds of the options as rows. */
int store_list_bounds(struct store *store);
int store_bound_regions(struct store *store);

#endif
