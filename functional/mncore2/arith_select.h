/* arith_select: selects the implementation of arith.h. The default is the widest set of vector
 * kernels that the host supports; all give the results of the plain C code, bit for bit. */
#ifndef TAKT_FUNCTIONAL_MNCORE2_ARITH_SELECT_H
#define TAKT_FUNCTIONAL_MNCORE2_ARITH_SELECT_H

#include <stdbool.h>

/* true: plain C only; false: the fastest available. Applies to the whole process. */
void mncore2_arith_select(bool reference);
/* By name ("reference", "avx2"); false when this host or build lacks it. */
bool mncore2_arith_select_name(const char *name);
/* The name of the selected implementation. */
const char *mncore2_arith_selected(void);

#endif
