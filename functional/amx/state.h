/*
 * state: the AMX state. Each CPU thread has its own registers; memory is shared.
 *
 *   X, Y   512 bytes each: 8 registers of 64 bytes, and a ring for byte offsets 0..511
 *   Z      64 rows of 64 bytes
 *
 * Lanes are stored little-endian, as in the hardware, on every host.
 */
#ifndef TAKT_FUNCTIONAL_AMX_STATE_H
#define TAKT_FUNCTIONAL_AMX_STATE_H

#include <stdint.h>

enum {
    AMX_ROW = 64, /* bytes of a register or row */
    AMX_XY_REGS = 8,
    AMX_RING = 512, /* bytes of X or Y */
    AMX_Z_ROWS = 64,
    AMX_THREADS = 16, /* highest number of threads of a program */
    AMX_CLUSTERS = 8  /* highest number of clusters of a program */
};
#define AMX_MEMORY ((uint64_t)64 << 20) /* bytes, starting at address 0 */

enum amx_version { AMX_M1 = 1, AMX_M2 = 2 };

enum amx_insn {
#define INSN(id, mnemonic, form, code, sentence) AMX_##id,
#include "functional/amx/insn.def"
    AMX_INSN_COUNT
};

struct amx_regs {
    uint8_t x[AMX_RING], y[AMX_RING];
    uint8_t z[AMX_Z_ROWS][AMX_ROW];
};

/* Little-endian lanes. */
static inline uint16_t amx_get16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t amx_get32(const uint8_t *p)
{
    return (uint32_t)amx_get16(p) | (uint32_t)amx_get16(p + 2) << 16;
}

static inline uint64_t amx_get64(const uint8_t *p)
{
    return (uint64_t)amx_get32(p) | (uint64_t)amx_get32(p + 4) << 32;
}

static inline void amx_put16(uint8_t *p, uint16_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
}

static inline void amx_put32(uint8_t *p, uint32_t v)
{
    amx_put16(p, (uint16_t)v);
    amx_put16(p + 2, (uint16_t)(v >> 16));
}

static inline void amx_put64(uint8_t *p, uint64_t v)
{
    amx_put32(p, (uint32_t)v);
    amx_put32(p + 4, (uint32_t)(v >> 32));
}

#endif
