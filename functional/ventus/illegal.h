/*
 * illegal: statements that end the run whenever they are executed, found without a run.
 *
 *   program --ventus_illegal--> warnings "illegal"
 *           --ventus_find_groups--> where groups of two registers may be
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

/* Set `two` of the statements at which vtype may be m2. Returns 0, or -1 when the host has no
 * memory. */
int ventus_find_groups(struct ventus_program *program);

/* What an instruction cannot do whatever registers and memory hold, or NULL. In `vtypes` a bit for
 * each kind of vtype that it may have; threads: of a warp. */
enum { VENTUS_VTYPE_ONE = 1, VENTUS_VTYPE_TWO = 2, VENTUS_VTYPE_OTHER = 4, VENTUS_VTYPE_ANY = 7 };
const char *ventus_op_illegal(const struct ventus_op *op, const struct ventus_prefix *prefix,
                              uint8_t vtypes, uint32_t threads);

#endif
