/*
 * memory_feed: requests to a memory as they are planned, and what comes of each.
 *
 *   memory_requests[] --memory_feed_run--> there, start, behind; memory_seen[]; feed.rooms[]
 */
#ifndef TAKT_TESTS_TIMING_MEMORY_FEED_H
#define TAKT_TESTS_TIMING_MEMORY_FEED_H

#include "timing/memory.h"

enum { GROUPS = 2, CHANNELS = 3, BANKS = 4, ACCESSES = 300, BURST = 4, LAST = 1000000 };
#define NOT_YET UINT64_MAX

struct memory_request {
    struct memory_access access;
    uint64_t planned; /* when it would arrive if there were room */
    uint64_t arrival;
    unsigned together; /* with those behind it, it waits for room for all */
    /* From the memory. */
    uint64_t there, start;
    uint32_t behind;
    /* The oracle's. */
    unsigned group, channel, bank, row;
    uint64_t slot, age_from;
    uint32_t follows;
};

extern struct memory_request memory_requests[ACCESSES];
extern unsigned memory_request_count;

enum { FIRST_UNIT = 5, UNITS = FIRST_UNIT + GROUPS * CHANNELS };

struct memory_feed {
    struct process process; /* first */
    struct memory memory;
    struct kernel kernel;
    struct account account;
    unsigned next;
    uint64_t end;             /* of the run, NOT_YET = it goes on until nobody waits */
    uint64_t rooms[ACCESSES]; /* cycles in which a channel made room */
    unsigned room_count;
};

/* Intervals of each unit. */
extern struct sink_interval memory_seen[UNITS][ACCESSES];
extern unsigned memory_seen_count[UNITS];
extern const struct memory_calls memory_feed_calls;

/* All requests arrive as planned or when there is room; the answers go into them. */
void memory_feed_run(struct memory_feed *feed, const struct memory_config *config, bool recorded,
                     uint64_t end);
void memory_feed_finish(struct memory_feed *feed, uint64_t end);
void memory_feed_free(struct memory_feed *feed);

#endif
