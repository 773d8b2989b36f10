/*
 * matfp: the outer product on the floating-point grid.
 *
 *   operand, version --amx_matfp_decode--> struct matfp --amx_matfp_execute--> Z
 *
 *  63 62....58 57 56.54 53 52...47 46 45.42 41 40.38 37 36..32
 *  [-][Y value][-][ 0 ][I][ ALU  ][-][lanes][-][Xmode][-][X val]
 *
 *  31 30.29 28.27 26 25.23 22.20 19 18..10 9 8...0
 *  [-][shX][shY][-][Ymode][Zrow][-][X off][-][Y off]
 *
 *  with I = 1: 52 ignored, 51..49 register, 48 four-bit indices, 47 Y
 *
 * If all widths are equal, lane i of X and lane j of Y go to lane i of row j * (lane bytes) + Z
 * row; 16-bit lanes that accumulate in f32 use the whole grid: lane i / 2 of row 2 j + i % 2.
 */
#ifndef TAKT_FUNCTIONAL_AMX_MATFP_H
#define TAKT_FUNCTIONAL_AMX_MATFP_H

#include <stdbool.h>
#include <stdint.h>

#include "functional/amx/arith.h"
#include "functional/amx/state.h"

enum matfp_lanes {
#define LANE(id, name, x, z, mode, m2, sentence) MATFP_##id,
#include "functional/amx/insn.def"
    MATFP_LANES_COUNT
};

enum matfp_alu {
#define ALU(id, name, mode, sentence) MATFP_##id = mode,
#include "functional/amx/insn.def"
};

enum { MATFP_REGULAR, MATFP_INDEX_X, MATFP_INDEX_Y };

/* A decoded operand. */
struct matfp {
    bool noop;       /* bits 54 to 56 or the ALU mode make it a no-op */
    uint8_t lanes;   /* enum matfp_lanes */
    uint8_t alu;     /* enum matfp_alu */
    uint8_t z_row;   /* reduced to the significant bits */
    uint8_t indexed; /* MATFP_REGULAR, MATFP_INDEX_X or MATFP_INDEX_Y */
    uint8_t index_reg, index_bits;
    uint8_t x_shuffle, y_shuffle;
    uint16_t x_offset, y_offset;
    bool result_zero;            /* an enable mode turns the operation into 0.0 */
    bool x_zero, y_zero;         /* an enable mode turns the values into 0.0 */
    uint32_t x_enable, y_enable; /* one bit per lane */
    uint64_t rows;               /* rows of Z in the accumulator, enabled or not */
};

struct matfp_lane_info {
    const char *name;
    enum amx_format x, z;
    unsigned mode, bits, count; /* of X and Y: bits per lane, lanes in 64 bytes */
    bool m2;
};
extern const struct matfp_lane_info amx_matfp_lane[MATFP_LANES_COUNT];

/* The fields of the operand, by their rows in insn.def. */
enum matfp_field {
#define FIELD(id, bit, width, sentence) MATFP_FIELD_##id,
#include "functional/amx/insn.def"
    MATFP_FIELD_COUNT
};
unsigned amx_matfp_field(uint64_t operand, enum matfp_field field);
uint64_t amx_matfp_with(uint64_t operand, enum matfp_field field, unsigned value);

void amx_matfp_decode(struct matfp *matfp, uint64_t operand, enum amx_version version);

/* reference: integer arithmetic only, without the host's fma. */
void amx_matfp_execute(struct amx_regs *regs, const struct matfp *matfp, bool reference);

/* Floating-point operations: two per enabled lane pair of a multiply-add. */
uint64_t amx_matfp_flops(const struct matfp *matfp);

#endif
