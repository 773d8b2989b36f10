/* moves: what may be moved in a program of MN-Core 2, and what could be better (timing/moves.h). */
#ifndef TAKT_TIMING_MNCORE2_MOVES_H
#define TAKT_TIMING_MNCORE2_MOVES_H

#include "timing/machine.h"

int mncore2_moves(const struct machine_program *program, const struct config *config,
                  const struct machine_setting *settings, struct moves *moves,
                  char error[MACHINE_ERROR]);

int mncore2_advise(const struct machine_program *program, const struct config *config,
                   const struct machine_setting *settings, moves_advised *found, void *self);

#endif
