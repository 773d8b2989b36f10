#include "functional/amx/matfp.h"

#include <string.h>

const struct matfp_lane_info amx_matfp_lane[MATFP_LANES_COUNT] = {
#define BITS_F16  16
#define BITS_BF16 16
#define BITS_F32  32
#define BITS_F64  64
#define LANE(id, name, x, z, mode, m2, sentence)                                                   \
    [MATFP_##id] = {name, AMX_FORMAT_##x, AMX_FORMAT_##z, mode, BITS_##x, 512 / BITS_##x, m2},
#include "functional/amx/insn.def"
};

static const struct {
    uint8_t bit, width;
} place[MATFP_FIELD_COUNT] = {
#define FIELD(id, bit, width, sentence) [MATFP_FIELD_##id] = {bit, width},
#include "functional/amx/insn.def"
};

unsigned amx_matfp_field(uint64_t operand, enum matfp_field field)
{
    return (unsigned)(operand >> place[field].bit & ((UINT64_C(1) << place[field].width) - 1));
}

static uint64_t field_mask(enum matfp_field field)
{
    return ((UINT64_C(1) << place[field].width) - 1) << place[field].bit;
}

uint64_t amx_matfp_with(uint64_t operand, enum matfp_field field, unsigned value)
{
    const uint64_t mask = field_mask(field);
    return (operand & ~mask) | ((uint64_t)value << place[field].bit & mask);
}

/* The lanes enabled by an enable mode and value (table "X/Y enable modes"). */
static uint32_t enabled_lanes(unsigned mode, unsigned value, unsigned lanes)
{
    const uint32_t all = lanes == 32 ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
    const unsigned n = value % lanes; /* the value has only as many bits as the lanes need */
    const uint32_t first = (UINT32_C(1) << n) - 1;
    switch (mode) {
    case 0:
        switch (value) {
        case 0:
        case 3: /* all lanes; the operation or the values are overridden */
        case 4:
        case 5:
            return all;
        case 1:
            return all & 0xaaaaaaaa;
        case 2:
            return all & 0x55555555;
        default:
            return 0;
        }
    case 1:
        return UINT32_C(1) << n;
    case 2:
        return n ? first : all;
    case 3:
        return n ? all & ~(all >> n) : all;
    case 4:
        return first;
    case 5:
        return all & ~(all >> n);
    default:
        return 0;
    }
}

void amx_matfp_decode(struct matfp *m, uint64_t operand, enum amx_version version)
{
    memset(m, 0, sizeof *m);
    unsigned alu = amx_matfp_field(operand, MATFP_FIELD_ALU);
    if (amx_matfp_field(operand, MATFP_FIELD_INDEXED)) {
        alu = MATFP_FMA; /* the bits of the ALU mode select the indexed operand */
        m->indexed = amx_matfp_field(operand, MATFP_FIELD_INDEX_Y) ? MATFP_INDEX_Y : MATFP_INDEX_X;
        m->index_bits = amx_matfp_field(operand, MATFP_FIELD_INDEX_4BIT) ? 4 : 2;
        m->index_reg = (uint8_t)amx_matfp_field(operand, MATFP_FIELD_INDEX_REG);
    }
    m->alu = (uint8_t)alu;
    m->noop = amx_matfp_field(operand, MATFP_FIELD_MUST_BE_0) != 0;
    switch (alu) {
#define ALU(id, name, mode, sentence) case mode:
#include "functional/amx/insn.def"
        break;
    default:
        m->noop = true;
    }

    m->lanes = MATFP_F16; /* "anything else" */
    const unsigned mode = amx_matfp_field(operand, MATFP_FIELD_LANES);
    for (unsigned i = 0; i < MATFP_LANES_COUNT; i++)
        if (amx_matfp_lane[i].mode == mode && (version >= AMX_M2 || !amx_matfp_lane[i].m2))
            m->lanes = (uint8_t)i;
    const struct matfp_lane_info *lane = &amx_matfp_lane[m->lanes];

    m->x_offset = (uint16_t)amx_matfp_field(operand, MATFP_FIELD_X_OFFSET);
    m->y_offset = (uint16_t)amx_matfp_field(operand, MATFP_FIELD_Y_OFFSET);
    m->x_shuffle = (uint8_t)amx_matfp_field(operand, MATFP_FIELD_X_SHUFFLE);
    m->y_shuffle = (uint8_t)amx_matfp_field(operand, MATFP_FIELD_Y_SHUFFLE);

    const unsigned x_mode = amx_matfp_field(operand, MATFP_FIELD_X_MODE);
    const unsigned y_mode = amx_matfp_field(operand, MATFP_FIELD_Y_MODE);
    const unsigned x_value = amx_matfp_field(operand, MATFP_FIELD_X_VALUE);
    const unsigned y_value = amx_matfp_field(operand, MATFP_FIELD_Y_VALUE);
    m->x_enable = enabled_lanes(x_mode, x_value, lane->count);
    m->y_enable = enabled_lanes(y_mode, y_value, lane->count);
    m->result_zero = (x_mode == 0 && x_value == 3) || (y_mode == 0 && y_value == 3);
    m->x_zero = x_mode == 0 && (x_value == 4 || x_value == 5);
    m->y_zero = y_mode == 0 && (y_value == 4 || y_value == 5);

    const unsigned step = amx_format[lane->z].bits / 8; /* rows of Z per lane of Y */
    if (lane->x != lane->z) {
        m->rows = UINT64_MAX;
    } else {
        m->z_row = (uint8_t)(amx_matfp_field(operand, MATFP_FIELD_Z_ROW) % step);
        for (unsigned row = m->z_row; row < AMX_Z_ROWS; row += step)
            m->rows |= UINT64_C(1) << row;
    }
    if (m->noop)
        m->rows = 0;
}

static uint64_t get_lane(const uint8_t *bytes, unsigned bits, unsigned lane)
{
    if (bits == 16)
        return amx_get16(bytes + 2 * lane);
    if (bits == 32)
        return amx_get32(bytes + 4 * lane);
    return amx_get64(bytes + 8 * lane);
}

static void put_lane(uint8_t *bytes, unsigned bits, unsigned lane, uint64_t value)
{
    if (bits == 16)
        amx_put16(bytes + 2 * lane, (uint16_t)value);
    else if (bits == 32)
        amx_put32(bytes + 4 * lane, (uint32_t)value);
    else
        amx_put64(bytes + 8 * lane, value);
}

/* The source of a vector. */
struct vector {
    const uint8_t *ring;
    unsigned offset;      /* byte offset in the ring */
    const uint8_t *table; /* the register that indices select lanes of; NULL: no indices */
    unsigned index_bits, shuffle;
};

/* The vector as the grid uses it: 64 bytes of the ring from a byte offset, indices replaced by the
 * selected lanes, lanes shuffled. */
static void load_vector(uint64_t lanes[32], const struct vector *v, unsigned bits)
{
    uint8_t bytes[AMX_ROW];
    for (unsigned i = 0; i < AMX_ROW; i++)
        bytes[i] = v->ring[(v->offset + i) % AMX_RING];
    const unsigned count = 512 / bits;
    uint64_t straight[32];
    for (unsigned i = 0; i < count; i++) {
        unsigned from = i;
        const uint8_t *of = bytes;
        if (v->table) {
            const unsigned bit = i * v->index_bits;
            from = (unsigned)bytes[bit / 8] >> (bit % 8) & ((1U << v->index_bits) - 1);
            from %= count; /* four-bit indices into eight lanes */
            of = v->table;
        }
        straight[i] = get_lane(of, bits, from);
    }
    /* Shuffle s splits the vector into 2^s parts and interleaves their lanes. */
    const unsigned parts = 1U << v->shuffle, each = count / parts;
    for (unsigned i = 0; i < count; i++)
        lanes[i] = straight[i % parts * each + i / parts];
}

static uint64_t alu(const struct matfp *m, enum amx_format format, uint64_t x, uint64_t y,
                    uint64_t z, bool reference)
{
    if (m->result_zero)
        return 0;
    if (m->alu == MATFP_RELU)
        return amx_not_positive(format, x) ? 0 : y;
    const bool subtract = m->alu == MATFP_FMS;
    if (!reference && format == AMX_FORMAT_F32)
        return amx_fma32((uint32_t)x, (uint32_t)y, (uint32_t)z, subtract);
    if (!reference && format == AMX_FORMAT_F64)
        return amx_fma64(x, y, z, subtract);
    return amx_fma(format, x, y, z, subtract);
}

/* Row and lane of Z for lane i of X and lane j of Y. With mixed widths, even lanes of X go to even
 * rows, odd lanes to odd rows. */
struct grid {
    bool mixed;
    unsigned step, z_row;
};

static unsigned grid_row(const struct grid *g, unsigned i, unsigned j)
{
    return g->mixed ? 2 * j + i % 2 : j * g->step + g->z_row;
}

static unsigned grid_lane(const struct grid *g, unsigned i)
{
    return g->mixed ? i / 2 : i;
}

/* fma and fms on 16-bit lanes of Z, using doubles. */
static void outer16(struct amx_regs *regs, const struct matfp *m, const struct grid *g,
                    const uint64_t x[32], const uint64_t y[32])
{
    const enum amx_format format = amx_matfp_lane[m->lanes].z;
    double dx[32], dy[32];
    for (unsigned i = 0; i < 32; i++) {
        dx[i] = amx_double16(format, (uint16_t)(x[i] ^ (m->alu == MATFP_FMS ? 0x8000 : 0)));
        dy[i] = amx_double16(format, (uint16_t)y[i]);
    }
    for (unsigned j = 0; j < 32; j++) {
        if (!(m->y_enable >> j & 1))
            continue;
        uint8_t *row = regs->z[grid_row(g, 0, j)];
        for (unsigned i = 0; i < 32; i++)
            if (m->x_enable >> i & 1) {
                const double z = amx_double16(format, amx_get16(row + 2 * i));
                amx_put16(row + 2 * i, amx_fma16(format, dx[i], dy[j], z));
            }
    }
}

void amx_matfp_execute(struct amx_regs *regs, const struct matfp *m, bool reference)
{
    if (m->noop)
        return;
    const struct matfp_lane_info *lane = &amx_matfp_lane[m->lanes];
    const unsigned z_bits = amx_format[lane->z].bits;
    const struct grid grid = {lane->x != lane->z, z_bits / 8, m->z_row};

    uint64_t x[32], y[32];
    const size_t table = (size_t)m->index_reg * AMX_ROW;
    const struct vector from_x = {.ring = regs->x,
                                  .offset = m->x_offset,
                                  .table = m->indexed == MATFP_INDEX_X ? regs->x + table : NULL,
                                  .index_bits = m->index_bits,
                                  .shuffle = m->x_shuffle};
    const struct vector from_y = {.ring = regs->y,
                                  .offset = m->y_offset,
                                  .table = m->indexed == MATFP_INDEX_Y ? regs->y + table : NULL,
                                  .index_bits = m->index_bits,
                                  .shuffle = m->y_shuffle};
    load_vector(x, &from_x, lane->bits);
    load_vector(y, &from_y, lane->bits);
    for (unsigned i = 0; i < lane->count; i++) {
        if (m->x_zero)
            x[i] = 0;
        if (m->y_zero)
            y[i] = 0;
        if (grid.mixed) {
            x[i] = amx_widen(lane->x, (uint16_t)x[i]);
            y[i] = amx_widen(lane->x, (uint16_t)y[i]);
        }
    }

    if (!reference && z_bits == 16 && !m->result_zero && m->alu != MATFP_RELU) {
        outer16(regs, m, &grid, x, y);
        return;
    }
    for (unsigned j = 0; j < lane->count; j++) {
        if (!(m->y_enable >> j & 1))
            continue;
        for (unsigned i = 0; i < lane->count; i++) {
            if (!(m->x_enable >> i & 1))
                continue;
            uint8_t *row = regs->z[grid_row(&grid, i, j)];
            const unsigned at = grid_lane(&grid, i);
            put_lane(row, z_bits, at,
                     alu(m, lane->z, x[i], y[j], get_lane(row, z_bits, at), reference));
        }
    }
}

static unsigned ones(uint32_t v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

uint64_t amx_matfp_flops(const struct matfp *m)
{
    if (m->noop || m->result_zero || m->alu == MATFP_RELU)
        return 0;
    return 2 * (uint64_t)ones(m->x_enable) * ones(m->y_enable);
}
