/*
 * arith_select: which code computes the values of arith.h. By default the widest vector kernels
 * that the host has; their results are those of the plain C code, bit for bit.
 */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_SELECT_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_SELECT_H

#include <stdbool.h>

/* true: plain C only; false: the best there is. Holds for the whole process. */
void mncore2_arith_select(bool reference);
/* By name ("reference", "avx2"); false when this host or build lacks it. */
bool mncore2_arith_select_name(const char *name);
/* The name of what is in use. */
const char *mncore2_arith_selected(void);

#endif
