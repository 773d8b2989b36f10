/* values: executes the program of a run in pieces, for the models that time it. */
#ifndef TAKT_TIMING_KELVIN_VALUES_H
#define TAKT_TIMING_KELVIN_VALUES_H

#include "timing/kelvin/model.h"

struct kelvin_values {
    struct kelvin_exec *exec;
    struct kelvin_exec *start; /* the initial state, for further models */
    uint64_t most;             /* maximum number of instructions */
    struct kelvin_step *kept;  /* steps of the first model; all of them if kept_all */
    size_t kept_count, kept_capacity;
    bool kept_all;
};

/* The result of an execution: 0; 1 with a message for an error in the program; -1. */
int kelvin_values_judge(const struct machine_run *run, char error[MACHINE_ERROR]);
/* Instructions that may still be executed, at most `budget`. */
uint64_t kelvin_values_room(const struct kelvin_values *values, uint64_t budget);

#endif
