/*
 * timing_kit: run a program text on the model and keep what its sink was given, for the timing
 * tests.
 *
 *   struct kit kit = {.options = {...}, .sets = {"key=value", NULL}};
 *   kit_run(&kit, "nop\n");  ... kit.summary, kit.transfers[], kit.edges[] ...  kit_free(&kit);
 */
#ifndef TAKT_TESTS_MNCORE2_TIMING_KIT_H
#define TAKT_TESTS_MNCORE2_TIMING_KIT_H

#include "timing/machine.h"
#include "timing/mncore2/model.h"
#include "timing/range.h"

enum { KIT_SETS = 64 };

/* Settings without latency before and after a transfer, and a DRAM that never holds back, through a
 * path as wide as a PDM's port: ports and rates alone show. */
#define KIT_DIRECT                                                                                 \
    "mv_start_latency=0", "mv_notice_latency=0", "dram_tccd=0", "dram_trcd=0", "dram_trp=0",       \
        "dram_tras=0", "dram_tcl=0", "dram_turnaround=0", "dram_trefi=0", "dram_controller=0",     \
        "dram_port=16"

/* As the options of takt run. */
struct kit_options {
    const char *packing, *dar;
    bool interlock, documented, no_run_ahead, drop_nops;
};

enum { KIT_SETTINGS = 5 };
/* The options of MN-Core 2 alone, as struct run_options holds them. */
void kit_settings(const struct kit_options *options, struct machine_setting list[KIT_SETTINGS]);

struct kit {
    struct kit_options options; /* in */
    const char *sets[KIT_SETS]; /* in: --set texts */
    bool values;                /* in: run the functional core too; else time alone */
    bool checked;               /* in: run takt check first and fail when it finds errors */
    bool detail;                /* in: ask for intervals */
    uint64_t stop_after;        /* in: stop after so many items; 0 = run to the end */
    FILE *events;               /* in: where the list of events goes, or NULL */
    uint64_t budget;            /* in: of each advance; 0 = all at once */
    bool ranges;                /* in: find the range, too */

    int status; /* out: 0, 1, -1 */
    char error[MACHINE_ERROR];
    size_t errors;               /* findings of severity error */
    struct sink_summary summary; /* its tables are copies */
    struct sink_stmt_total *stmt_totals;
    size_t stmt_total_count;
    struct range range;            /* without its rows */
    struct counter_info *counters; /* of the header */
    struct sink_transfer *transfers;
    size_t transfer_count;
    struct sink_edge *edges;
    size_t edge_count;
    struct sink_interval *intervals;
    size_t interval_count;
    struct unit_info *units;
    size_t unit_count;
    uint64_t hash;
    uint64_t early; /* run_early */
};

/* Returns kit->status. Aborts the test when the host fails. */
int kit_run(struct kit *kit, const char *text);
void kit_free(struct kit *kit);

uint32_t kit_unit(const struct kit *kit, const char *name);
/* Cycles of a unit with a reason. */
uint64_t kit_cycles(const struct kit *kit, const char *unit, uint32_t reason);
/* A counter by its name; of those that have several values, one. */
uint64_t kit_counter(const struct kit *kit, const char *name);
uint64_t kit_indexed(const struct kit *kit, const char *name, uint32_t index);
/* Slack of a statement, which must have one. */
int64_t kit_slack(const struct kit *kit, uint32_t stmt);
/* Fails the test unless every unit's cycles add up to the total, stmt totals of the PE side to the
 * units' busy cycles, windows to them too, the critical path tiles the run, and so on. */
void kit_consistent(const struct kit *kit);

/* Runs and returns the total of a program that must be fine; sets as in kit, NULL-terminated. */
uint64_t kit_total(const char *packing, const char *const *sets, const char *text);

/* A program that must be fine, unpacked, with KIT_DIRECT and more settings (NULL: none). */
void kit_direct(struct kit *kit, const char *const *sets, const char *text);

/* Transfers that are run so: when each has finished. */
struct kit_race {
    const char *text;
    uint64_t finished[4]; /* in order; 0 = no more */
    const char *sets[4];
};
void kit_races(const struct kit_race *races, size_t count);
#define KIT_RACES(races) kit_races(races, sizeof(races) / sizeof *(races))

#endif
