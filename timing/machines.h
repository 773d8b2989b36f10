/* machines: the list of all machines, and which of them a name or a program's file means. */
#ifndef TAKT_TIMING_MACHINES_H
#define TAKT_TIMING_MACHINES_H

#include "timing/machine.h"

#define MACHINE(name) extern const struct machine machine_##name;
#include "config/machines.def"

/* In the order of config/machines.def. */
extern const struct machine *const machines[];
extern const size_t machine_count;

/* By name; by the extension of a program's file, or else by what it holds. NULL: none. */
const struct machine *machine_named(const char *name);
const struct machine *machine_of(const char *path);

#endif
