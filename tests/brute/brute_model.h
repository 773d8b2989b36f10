/*
 * brute_model: the timing of MN-Core 2, cycle by cycle, from timing/mncore2/README.md alone. Slow
 * and simple on purpose: every cycle looks at every transfer, every unit has one mark for every
 * cycle.
 * Shares the parser, the functional core (for DAR) and the chip file with the model that it checks,
 * no code of timing/.
 */
#ifndef TAKT_TESTS_BRUTE_MODEL_H
#define TAKT_TESTS_BRUTE_MODEL_H

#include "config/config.h"
#include "functional/mncore2/program.h"

enum { BRUTE_UNITS = 256, BRUTE_NAME = 24 };

struct brute_options {
    const char *packing; /* "none", "auto", "flat" */
    bool interlock;
    bool documented;
    bool values; /* execute too, for the contents of DAR */
};

struct brute_transfer {
    uint32_t line;
    uint64_t issued, started, finished;
};

struct brute_unit {
    char name[BRUTE_NAME];
    uint64_t busy;
    uint8_t *marks; /* one a cycle */
    size_t size;
};

/* A port in a cycle: "read", "write", "land", or "pass" of a link. */
struct brute_access {
    uint64_t cycle;
    char unit[BRUTE_NAME];
    const char *operation;
    unsigned amount; /* words, long words or rows; 0: it is not known */
    bool holds;      /* its port */
    uint32_t line;
    size_t statement; /* how many before it have issued */
};

struct brute_result {
    struct brute_access *accesses;
    size_t access_count, access_room;
    uint64_t cycles;
    uint64_t nops_written, nops_packing, nops_wait, nops_empty, nops_hazard; /* steps */
    struct brute_transfer *transfers;
    size_t transfer_count;
    struct brute_unit units[BRUTE_UNITS];
    size_t unit_count;
};

/* Returns 0, or -1 when the host has no memory or something is wrong with the caller's input. */
int brute_run(const struct program *program, const struct config *config,
              const struct brute_options *options, struct brute_result *result);
void brute_result_free(struct brute_result *result);
/* Busy cycles of a unit; 0 when it never worked. */
uint64_t brute_busy(const struct brute_result *result, const char *name);

#endif
