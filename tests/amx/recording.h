/*
 * recording: machine_amx driven as the commands drive it, with a small sink that keeps what it
 * gets and checks that it is sound.
 *
 *   text --recording_run--> struct recording (dump, units, totals, edges) --recording_free-->
 */
#ifndef TAKT_TESTS_AMX_RECORDING_H
#define TAKT_TESTS_AMX_RECORDING_H

#include "timing/machines.h"
#include "timing/range.h"

extern const struct machine machine_amx;

enum { RECORDING_UNITS = 64, RECORDING_EDGES = 4096, RECORDING_COUNTERS = 16 };

struct recording {
    int status; /* 0 fine, 1 refused: diags; else the host failed */
    struct source source;
    struct diag_list diags;
    char error[MACHINE_ERROR];
    char *dump; /* of d get */
    size_t dump_size;
    uint64_t hash;

    char unit_name[RECORDING_UNITS][64];
    size_t unit_count, stmt_count;
    double clock_hz;
    uint64_t total[RECORDING_UNITS][REASON_MACHINE];
    uint64_t seen[RECORDING_UNITS][REASON_MACHINE]; /* the same, summed over intervals */
    uint64_t interval_end[RECORDING_UNITS];
    uint64_t intervals_hash[RECORDING_UNITS]; /* of each unit's, in their order */
    struct sink_edge edges[RECORDING_EDGES];
    size_t edge_count;
    uint64_t edges_hash;         /* of all, whatever their order */
    struct range range;          /* without its rows */
    struct sink_summary summary; /* pointers are NULL; rows are copied below */
    struct sink_crit *crit;
    struct sink_slack *slack;
    struct sink_stmt_total *stmt_totals;
    size_t stmt_total_count;
    uint64_t window_busy[RECORDING_UNITS];
    struct sink_counter counters[RECORDING_COUNTERS];
    char counter_name[RECORDING_COUNTERS][32];
    size_t counter_count;
    const char *unsound; /* what was wrong in a call of the sink; NULL = nothing */
};

/* Budget of each call of advance. */
extern uint64_t recording_budget;
/* Find the range, too. */
extern bool recording_ranges;

/* sets: "KEY=VALUE", NULL-terminated, or NULL. options may be NULL. */
struct recording *recording_run(const char *text, const struct run_options *options,
                                const char *const *sets);
void recording_free(struct recording *r);

/* Number of a unit; fails the test when there is none. */
size_t recording_unit(const struct recording *r, const char *name);
uint64_t recording_busy(const struct recording *r, const char *name);
/* Value of a counter; fails the test when there is none. */
uint64_t recording_counter(const struct recording *r, const char *name);

/* Every cycle of every unit has one reason, sums by statement agree, path and bounds fit. */
void recording_assert_sound(const struct recording *r);

/* Everything that the two sinks got is the same, but for the order among units and edges. */
void recording_assert_same(const struct recording *a, const struct recording *b);

#endif
