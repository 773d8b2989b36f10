/* values: execution of the program of a run, piece by piece, for the models that time it. */
#ifndef TAKT_TIMING_KELVIN_VALUES_H
#define TAKT_TIMING_KELVIN_VALUES_H

#include "timing/kelvin/model.h"

struct kelvin_values {
    struct kelvin_exec *exec;
    struct kelvin_exec *start; /* the state at the begin, for another timing */
    uint64_t most;             /* instructions */
    struct kelvin_step *kept;  /* all of them, if kept_all: those of the first model */
    size_t kept_count, kept_capacity;
    bool kept_all;
};

/* What an execution has come to: 0; 1, with a sentence, when the program is at fault; -1. */
int kelvin_values_judge(const struct machine_run *run, char error[MACHINE_ERROR]);
/* Instructions that may be executed, `budget` at most. */
uint64_t kelvin_values_room(const struct kelvin_values *values, uint64_t budget);

#endif
