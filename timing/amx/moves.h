/* moves: what may be moved in an AMX program, and what could be better (timing/moves.h). */
#ifndef TAKT_TIMING_AMX_MOVES_H
#define TAKT_TIMING_AMX_MOVES_H

#include "config/config.h"
#include "functional/amx/program.h"
#include "timing/moves.h"

/* Of a program of one source. Returns 0 or -1. */
int amx_moves(const struct amx_program *program, const struct config *config, struct moves *moves);
int amx_advise(const struct amx_program *program, const struct config *config, moves_advised *found,
               void *self);

#endif
