/*
 * removable: how many steps of each written nop run no rule requires, and which rules require the
 * others.
 *
 *   legal program --mncore2_removable_find--> runs with steps to spare
 *   and one nop   --mncore2_removable_needs-> the pairs of statements that need steps of its run
 *
 * A run is nop statements one after the other, without anything that takes a step between. Each run
 * is judged by itself, all others staying as they are, in the stream as written: its spare steps
 * are the least of what separates a statement before it from one after it, beyond what is due
 * between them. `together` are those that can go with those of all earlier runs removed as well.
 * `nop; wait` is a wait and no part of a run; its step counts.
 *
 * What is due: the hazards of 3.6.3 (hazard.h); between a transfer and an access that meets it
 * (check_race.h), the steps until it has ended in the run as written (arrive.h), or all of them
 * where the access does not wait so long there, or no run is known; all steps before a tag is given
 * again; the latency of DAR writes that a transfer goes by.
 *
 * A spare step may still serve a reader of the program; removing it changes no value.
 */
#ifndef TAKT_TIMING_MNCORE2_REMOVABLE_H
#define TAKT_TIMING_MNCORE2_REMOVABLE_H

#include "config/config.h"
#include "functional/mncore2/program.h"
#include "timing/mncore2/arrive.h"

struct removable {
    size_t item; /* the first of the run */
    uint64_t written, steps, together;
};

/* In program order. */
struct removable_list {
    struct removable *rows;
    size_t count, capacity;
    bool untimed; /* some rows are what the rules say alone: runs without them would be too many */
};

/* arrivals: of the run as written, or NULL. The rows are the caller's to free in every case.
 * Returns 0, or -1 when the host has no memory. */
int mncore2_removable_find(const struct program *program, const struct config *config,
                           bool documented, const struct arrivals *arrivals,
                           struct removable_list *list);
/* As struct machine. */
int mncore2_removable_needs(const struct program *program, const struct config *config,
                            bool documented, const struct arrivals *arrivals, size_t item,
                            struct machine_needs *needs);

int mncore2_removable_all_needs(const struct program *program, const struct config *config,
                                const struct arrivals *arrivals, bool documented,
                                machine_needs_found *found, void *self);

/* Steps removed from the run of a row: how many from each of its items, in `cut` of all. */
void mncore2_removable_cut(const struct program *program, const struct removable *row,
                           uint64_t steps, uint32_t *cut);

#endif
