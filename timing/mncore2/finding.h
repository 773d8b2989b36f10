/* finding: the place of an error or a warning about an item of a program, and what they share. */
#ifndef TAKT_TIMING_MNCORE2_FINDING_H
#define TAKT_TIMING_MNCORE2_FINDING_H

#include "functional/diag.h"
#include "functional/mncore2/program.h"

/* Of an operand of the item, or of its statement where that is NULL. A list that is full
 * (DIAG_LIMIT) only counts, so that the place within the line is not looked for. */
struct diag mncore2_finding_place(const struct program *program, size_t item,
                                  const struct operand *operand, const struct diag_list *list);

struct diag mncore2_finding_warning(const struct program *program, const struct diag_list *diags,
                                    size_t item, const struct operand *operand, const char *name);
/* The sentence of never-written. */
void mncore2_finding_never_written(struct diag_list *diags, const struct diag *at,
                                   const char *what);

/* A finding refers to another item: its line and source. Returns what follows the line number. */
struct diag_file mncore2_finding_other(const struct program *program, struct diag *at, size_t item);

#endif
