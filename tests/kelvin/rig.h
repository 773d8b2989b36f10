/* rig: a Kelvin program from text, run to its end. */
#ifndef TAKT_TESTS_KELVIN_RIG_H
#define TAKT_TESTS_KELVIN_RIG_H

#include "functional/kelvin/exec.h"

struct rig {
    struct source source;
    struct kelvin_program program;
    struct diag_list diags;
    struct kelvin_exec *exec;
};

/* A text that is not assembled fails the test. */
void rig_load(struct rig *rig, const char *text);
void rig_run(struct rig *rig, const char *text);
void rig_free(struct rig *rig);

/* A program that ends as it should; then registers and their values. */
void expect_registers(const char *text, const uint32_t *numbers, const uint32_t *values,
                      size_t count);
/* a0 at its end. */
#define A0(text, value) expect_registers(text, (const uint32_t[]){10}, (const uint32_t[]){value}, 1)

#endif
