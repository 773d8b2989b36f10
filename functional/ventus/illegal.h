/*
 * illegal: statements that end the run whenever they are executed, found without a run.
 *
 *   program --ventus_illegal--> warnings "illegal"
 *
 * A walk over the control flow from the start, and from labels that it does not reach, gives the
 * prefix and the vtype of each statement. A statement is reported if it fails with every prefix and
 * every vtype that it may have.
 */
#ifndef TAKT_FUNCTIONAL_VENTUS_ILLEGAL_H
#define TAKT_FUNCTIONAL_VENTUS_ILLEGAL_H

#include "functional/ventus/program.h"

/* Returns 0, or -1 when the host has no memory. */
int ventus_illegal(const struct ventus_program *program, struct diag_list *diags);

/* What an instruction cannot do whatever registers and memory hold, or NULL. In `vtypes` a bit for
 * each kind of vtype that it may have; threads: of a warp. */
enum { VENTUS_VTYPE_ONE = 1, VENTUS_VTYPE_TWO = 2, VENTUS_VTYPE_OTHER = 4, VENTUS_VTYPE_ANY = 7 };
const char *ventus_op_illegal(const struct ventus_op *op, const struct ventus_prefix *prefix,
                              uint8_t vtypes, uint32_t threads);

#endif
