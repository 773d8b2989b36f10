/* oracle: executes one vector instruction, lane by lane from the parts of its mnemonic, in 64- and
 * 128-bit numbers; written from the instruction reference, with a different structure than the
 * bodies. */
#ifndef TAKT_TESTS_KELVIN_ORACLE_H
#define TAKT_TESTS_KELVIN_ORACLE_H

#include "functional/kelvin/vector.h"

struct kelvin_oracle {
    struct kelvin_vector_state state;
    uint32_t x[32];
    uint8_t *memory; /* memory starting at address `base` */
    uint32_t base, size;
};

enum kelvin_fault kelvin_oracle_run(struct kelvin_oracle *oracle, const struct kelvin_vop *op);

#endif
