/* rig: runs a Kelvin program given as text to its end. */
#ifndef TAKT_TESTS_KELVIN_RIG_H
#define TAKT_TESTS_KELVIN_RIG_H

#include "functional/kelvin/exec.h"

struct rig {
    struct source source;
    struct kelvin_program program;
    struct diag_list diags;
    struct kelvin_exec *exec;
};

/* The test fails if the text cannot be assembled. */
void rig_load(struct rig *rig, const char *text);
void rig_run(struct rig *rig, const char *text);
void rig_free(struct rig *rig);

/* The program must end normally; then registers have the given values. */
void expect_registers(const char *text, const uint32_t *numbers, const uint32_t *values,
                      size_t count);
/* a0 at the end. */
#define A0(text, value) expect_registers(text, (const uint32_t[]){10}, (const uint32_t[]){value}, 1)

#endif
