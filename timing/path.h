/*
 * path: the critical path and slack, computed from the causes of waits, for all machines.
 *
 *   streams issue statements in order      path_issue: a statement that stalled, and its release,
 *   a statement may start an activity                  or that starts an activity
 *   (a transfer, an operation of a unit)   path_held*, path_end: what held it in flight, its end
 *                      --> path_critical, path_slack
 *
 * A statement's place in its stream is its ordinal: executions are counted, so a statement in a
 * loop has many. Records of one stream, and those of one unit, come in order of time. Statements
 * without a record issue immediately after the previous one.
 *
 * Critical path: from the end back along what released last; its rows tile [0, total). An activity
 * has rows of reason LATENCY before its first claim and after its last.
 *
 * Slack of a statement: how much later it may issue, all that follows in its stream moving along
 * until a stall has taken the delay up, with the total as it is. A delay moves whole steps of the
 * stream. An activity is unchanged as long as no other activity on its units comes nearer:
 *   yielding  one operation: the next one on its unit may be pushed, as far as its own slack goes
 *   rigid     many operations: it may not come nearer to the next activity on one of its units, and
 *             those that held each other must keep their distance
 *   pinned    what it uses does not move with it (a memory with refresh): its statement has none
 * So it is never too large, but can be too small.
 */
#ifndef TAKT_TIMING_PATH_H
#define TAKT_TIMING_PATH_H

#include "timing/account.h"

enum { PATH_UNITS = 64, PATH_STREAM = 48 };
#define PATH_NONE UINT64_MAX

struct path_record;

struct path_stream {
    uint32_t unit;    /* that issues */
    uint32_t first;   /* its first statement */
    uint64_t quantum; /* cycles of a step: the stream moves by whole ones only */
    uint64_t near;    /* cycles of a stall that must remain, since rules look back so far */
    /* Kept up to date by the machine. */
    uint64_t now;     /* cycle after its last statement */
    uint64_t ordinal; /* statements done */
    /* The end of the last result that only the end of the run waits for, 0: there is none; of which
     * statement, whose issue was over where, and on which unit. */
    uint64_t landed, landed_ordinal, landed_from;
    uint32_t landed_on;
    /* path's own. */
    struct path_record *records; /* a ring of capacity, a power of two */
    uint64_t count, capacity;
    uint64_t last; /* newest record that stalled, or PATH_NONE */
};

/* An activity was held in flight by another one at a unit: all its waits for the same. */
struct path_hold {
    uint64_t by; /* record, or PATH_NONE */
    uint32_t unit, reason;
    uint32_t pace;        /* as path_record.pace, while the two take turns */
    uint64_t waited;      /* cycles of all waits */
    uint64_t from, first; /* when the first began and ended */
    uint64_t at;          /* when the last one ended */
    uint32_t times;       /* how many */
    uint32_t next;        /* path's own */
};

/* A statement that stalled in [start, end), starts an activity at end, or both. */
struct path_record {
    uint64_t start, end;
    uint64_t released; /* when `by` let it go */
    uint64_t by;     /* record of the activity that it waited for; PATH_NONE: the machine itself */
    uint64_t waited; /* a wait for a tag: newest record that carries it, older ones follow */
    uint64_t landed; /* as path_stream.landed, of the statements before it */
    uint64_t ordinal;
    uint32_t stream, stmt;
    uint8_t reason; /* of the stall */
    uint8_t tag;    /* 0 = none */
    bool absorbs;   /* a later arrival stalls less */
    /* The activity; all 0 without one. */
    bool active, rigid, pinned;
    bool over;         /* path_end has come */
    uint32_t unit;     /* that it uses most */
    uint32_t pace;     /* reason of its rows on the critical path: BUSY where the unit limits */
    uint64_t units;    /* bit: shared unit that it needs */
    uint64_t claimed;  /* its first claim on a unit, if nothing held it back */
    uint64_t freed;    /* the end of its last claim */
    uint64_t finished; /* its result is there */
    uint64_t older;    /* earlier record with the same tag that no wait released, or PATH_NONE */
    /* path's own. */
    uint64_t oldest, newest; /* that it met on a unit: the first begun before it, the last after */
    uint64_t before;         /* record of the same stream before it that stalled */
    uint32_t holds;
    int64_t limit; /* how much later waits let it finish; once passed, what later stalls absorb */
};

/* Of a statement whose results are read from places: registers that only its own stream uses. */
struct path_shape {
    uint64_t latency;               /* cycles until what it writes can be read */
    const uint64_t *reads, *writes; /* bit sets of places */
};

struct path_config {
    struct path_stream *streams; /* of the machine, valid as long as path */
    size_t stream_count;
    size_t stmt_count;
    uint64_t remembered; /* most records kept, the newest of each stream in equal shares; 0 = all.
                            Older ones are one row of the critical path and have no slack */
    size_t places;       /* of each stream. 0 = none: then each statement is executed once, and its
                            ordinal is its number */
    void (*shape)(const void *context, uint32_t stmt, struct path_shape *shape); /* with places */
    bool no_slack; /* what its statements do to each other is not known well enough */
    /* What a stream did from one ordinal to another where nothing stalled: a reason. NULL: busy. */
    uint32_t (*does)(const void *context, uint32_t stream, uint64_t from, uint64_t to);
    const void *context;
};

struct path {
    struct path_config config;
    struct path_hold *holds;
    size_t hold_count, hold_capacity;
    int status; /* -1 once the host had no memory */
};

/* Returns 0, or -1 when the host has no memory. */
int path_init(struct path *path, const struct path_config *config);
void path_free(struct path *path);

/* The number of the new record: its stream from bit PATH_STREAM on, and how many of the stream came
 * before. So what is remembered does not depend on how the streams' records mix. */
uint64_t path_issue(struct path *path, const struct path_record *record);
static inline struct path_record *path_at(const struct path *path, uint64_t number)
{
    const struct path_stream *stream = &path->config.streams[number >> PATH_STREAM];
    return &stream->records[number & (stream->capacity - 1)];
}
/* The stream stalled once more for the reason of its newest stall: that reaches until `end` now. */
void path_extend(struct path *path, uint32_t stream, uint64_t end);
/* The younger activity meets the older one on a unit: that is still in flight, or still has the
 * unit where the younger one could take it first. */
void path_meet(struct path *path, uint64_t older, uint64_t younger);
/* An activity waited once: hold->waited = at - from cycles; first and times are set here. */
void path_held(struct path *path, uint64_t number, const struct path_hold *hold);
void path_end(struct path *path, uint64_t number, uint64_t freed, uint64_t finished);
/* The holds of an activity in the order in which they first bound. Returns how many, at most `size`
 * of them; the array is the caller's. */
size_t path_holds(const struct path *path, uint64_t number, struct path_hold *holds, size_t size);

/* Rows are the caller's to free in every case. Return 0, or -1 when the host has no memory. */
int path_critical(const struct path *path, uint64_t total, struct sink_crit **rows, size_t *count);
int path_slack(const struct path *path, uint64_t total, struct sink_slack **rows, size_t *count);

#endif
