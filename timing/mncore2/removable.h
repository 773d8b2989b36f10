/*
 * removable: how many steps of each written nop run the rules of 3.6.3 do not ask for.
 *
 *   legal program --mncore2_removable_find--> for each run with steps to spare: its first item, how
 *   many
 *
 * A run is nop statements one after the other, without anything that takes a step between. Each run
 * is judged by itself, all others staying as they are, in the stream as written: its spare steps
 * are the least of what separates a statement before it from one after it, beyond what the hazard
 * between them asks for (hazard.h). `nop; wait` is a wait and no part of a run; its step counts.
 *
 * Not judged: runs behind an MV statement that no later wait waits for, since they may be all that
 * gives it time. A spare step may still serve a reader of the program; removing it changes no
 * value.
 */
#ifndef TAKT_TIMING_MNCORE2_REMOVABLE_H
#define TAKT_TIMING_MNCORE2_REMOVABLE_H

#include "config/config.h"
#include "functional/diag.h"
#include "functional/mncore2/program.h"

/* Called in program order: `steps` of the `written` ones of the run that begins with item. Not 0
 * ends the search with that status. */
typedef int removable_found(void *self, size_t item, uint64_t steps, uint64_t written);

/* Returns 0, -1 when the host has no memory, or what found returned. */
int mncore2_removable_find(const struct program *program, const struct config *config,
                           bool documented, removable_found *found, void *self);

/* The same as notes with the name "removable". */
int mncore2_removable_diags(const struct program *program, const struct config *config,
                            struct diag_list *diags);

#endif
