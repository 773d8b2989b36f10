/*
 * collect: the collectors of an SM, its units and the ports of write-back, cycle by cycle.
 *
 *   issue --> collector: ventus_read_banks --> ventus_leave_collectors --> unit
 *                                              unit --> ventus_write_back --> registers
 *
 * The calls of a cycle: leave (scalars, vectors), write back what goes before loads, the answers of
 * the load and store unit, write back what goes after them, read banks, issue.
 */
#ifndef TAKT_TIMING_VENTUS_COLLECT_H
#define TAKT_TIMING_VENTUS_COLLECT_H

#include "timing/ventus/model.h"

/* Cycles from the reading of the last register, and from issue without any, to leaving. */
enum { VENTUS_BEHIND_READ = 3, VENTUS_BEHIND_ISSUE = 2 };

void ventus_read_banks(struct ventus_sm *sm, uint64_t now);
void ventus_leave_collectors(struct ventus_sm *sm, bool vector, uint64_t now);
void ventus_write_back(struct ventus_sm *sm, bool behind_loads, uint64_t now);
/* The first cycle after now in which one of them has something to do. */
uint64_t ventus_collect_next(const struct ventus_sm *sm, uint64_t now);

#endif
