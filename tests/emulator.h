/*
 * emulator: whether an emulator runs the suites (make test-arm64), for what none can run: it has
 * descriptors of its own, it does not run what a script starts, and qemu 7.2 keeps some 100 MB for
 * each state of MN-Core 2 that has been given back.
 */
#ifndef TAKT_TESTS_EMULATOR_H
#define TAKT_TESTS_EMULATOR_H

#include <stdbool.h>
#include <stdlib.h>

static inline bool emulated(void)
{
    return getenv("EMULATOR") != NULL;
}

#endif
