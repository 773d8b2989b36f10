/*
 * unit_event: what units do for a statement in single cycles, as events of the kernel: a port is
 * read, a write begins, what was written lands.
 *
 *   statement issues --unit_event_at--> pending --its cycle--> event --`lands` later--> landing
 *
 * Without run-ahead alone. With it there is no set: the machine works out what its units do when
 * the statement issues, and adds the number of these events to kernel->unit_events. Both ways read
 * the same rows, so that a machine has one description of what a statement does to its units.
 *
 * Unit events come after everything else of their cycle, in the order of their calls. A set
 * allocates while it runs.
 */
#ifndef TAKT_TIMING_UNIT_EVENT_H
#define TAKT_TIMING_UNIT_EVENT_H

#include "timing/kernel.h"
#include "timing/sink.h"

struct unit_event {
    uint32_t unit, stmt;
    const char *part;      /* of the unit, ".x", or "" */
    const char *operation; /* "read" */
    const char *landing;   /* "land": what the landing is called */
    uint32_t amount;       /* of what: "2 words" */
    const char *of;
    uint32_t lands; /* cycles until its landing; 0: it has none */
    enum phase
        phase; /* of the landing: NOTICE if statements of that cycle can use it, else ACCESS */
    const char *rule; /* why the landing comes then: a parameter */
    bool holds;       /* it holds the unit in its cycle; every landing does */
};

struct unit_event_calls {
    uint32_t (*line)(const void *context, uint32_t stmt);
    /* The event, or its landing, holds its unit in this cycle. Or NULL. */
    void (*hold)(void *context, const struct unit_event *event, uint64_t cycle);
};

struct unit_events;

/* NULL when the host has no memory. `units` are named in the list of events; *status becomes -1
 * when memory is out later. */
struct unit_events *unit_events_open(struct kernel *kernel, int *status,
                                     const struct unit_info *units,
                                     const struct unit_event_calls *calls, void *context);
void unit_events_close(struct unit_events *set); /* or NULL */

/* An event in a cycle, not before now, caused by its statement; cause: why, a literal. */
void unit_event_at(struct unit_events *set, uint64_t cycle, const struct unit_event *event,
                   const char *cause);

/* The run has stopped: what is pending holds its unit, without an event. */
void unit_events_stop(struct unit_events *set);

#endif
