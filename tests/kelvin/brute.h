/*
 * brute: cycles of an executed Kelvin program, one cycle after the other, from the table of the
 * machine's public description and the sentences of timing/kelvin/param.def. Slow and simple on
 * purpose: in each cycle the core tries to dispatch, then every queue looks at its first operation,
 * then decode at the FIFO. No queue of events, no service of timing/, no cost.def.
 */
#ifndef TAKT_TESTS_KELVIN_BRUTE_H
#define TAKT_TESTS_KELVIN_BRUTE_H

#include "functional/kelvin/exec.h"

struct brute_numbers {
#define PARAM(name, ...) uint64_t name;
#include "timing/kelvin/param.def"
};

/* Cycles, and in which of them each step was dispatched. 0: it did not end. */
uint64_t kelvin_brute(const struct kelvin_program *program, const struct kelvin_step *steps,
                      size_t count, const struct brute_numbers *numbers, uint64_t *dispatched);

#endif
