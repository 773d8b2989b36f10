/* brute: the cycles of an executed Kelvin program, simulated cycle by cycle, from the table of the
 * machine's public description and the sentences of timing/kelvin/param.def. It is deliberately
 * slow and simple: in each cycle the core tries to dispatch, then every queue checks its first
 * operation, then decode checks the FIFO. It uses no event queue, no service of timing/ and no
 * cost.def. */
#ifndef TAKT_TESTS_KELVIN_BRUTE_H
#define TAKT_TESTS_KELVIN_BRUTE_H

#include "functional/kelvin/exec.h"

struct brute_numbers {
#define PARAM(name, ...) uint64_t name;
#include "timing/kelvin/param.def"
};

/* Total cycles, and the dispatch cycle of each step. 0: it did not end. */
uint64_t kelvin_brute(const struct kelvin_program *program, const struct kelvin_step *steps,
                      size_t count, const struct brute_numbers *numbers, uint64_t *dispatched);

#endif
