/*
 * state: the architectural state: scalar core, vector registers, memory.
 *
 *   x0..x31, pc, mode, CSRs   functional/kelvin/csr.def
 *   v0..v63, accumulators     functional/kelvin/vector.h
 *   memory                    4 MiB from address 0, and further blocks used by an ELF file
 */
#ifndef TAKT_FUNCTIONAL_KELVIN_STATE_H
#define TAKT_FUNCTIONAL_KELVIN_STATE_H

#include "functional/kelvin/vector.h"

enum { KELVIN_MEMORY = 4 << 20 };

enum kelvin_csr {
#define CSR(name, number, kind, sentence) KELVIN_CSR_##name,
#include "functional/kelvin/csr.def"
    KELVIN_CSRS
};

/* Values of mcause. */
enum kelvin_cause {
    KELVIN_CAUSE_IDLE,
    KELVIN_CAUSE_EBREAK,
    KELVIN_CAUSE_ECALL,
    KELVIN_CAUSE_EEXIT,
    KELVIN_CAUSE_EYIELD,
    KELVIN_CAUSE_ECTXSW
};
#define KELVIN_CAUSE_UNDEFINED (UINT32_C(1) << 31 | 2)
#define KELVIN_CAUSE_USAGE     (UINT32_C(1) << 31 | 16)

struct kelvin_state {
    uint32_t x[32], pc;
    uint32_t user; /* mode: 0 machine, 1 user */
    uint32_t csr[KELVIN_CSRS];
    uint64_t executed; /* instructions retired */
    uint64_t cycle;    /* cycle of the current access to mcycle, if a timing model supplies it */
    uint64_t since[2]; /* offsets of mcycle and minstret, modulo 2^64 */
    struct kelvin_vector_state vector;
};

#endif
