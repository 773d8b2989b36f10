/* exec: the toy's values. A copy takes place where it is started: legal programs see no
 * difference. */
#ifndef TAKT_FUNCTIONAL_TOY_EXEC_H
#define TAKT_FUNCTIONAL_TOY_EXEC_H

#include "functional/init.h"
#include "functional/toy/program.h"

struct toy_state {
    uint64_t acc[TOY_ACCS], cells[TOY_CELLS];
    size_t executed; /* statements */
};

void toy_state_init(struct toy_state *state, const struct init *init);
uint64_t toy_state_hash(const struct toy_state *state);

/* dump takes what get prints, or is NULL. Returns 0, or -1 when it could not be written. */
int toy_exec(struct toy_state *state, const struct toy_stmt *stmt, FILE *dump);

#endif
