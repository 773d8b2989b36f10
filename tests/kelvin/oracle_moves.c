/* Instructions that move lanes: between registers, and between registers and memory. */
#include "tests/kelvin/oracle_parts.h"

#include <string.h>

/* VDUP */
enum kelvin_fault oracle_vdup(const struct oracle_op *op)
{
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            oracle_vd(op, m, l, op->value2);
    return KELVIN_FAULT_NONE;
}

/* VMVP */
enum kelvin_fault oracle_vmvp(const struct oracle_op *op)
{
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++) {
            oracle_vd(op, m, l, oracle_vs1(op, m, op->bits, l));
            oracle_vd(op, op->sm + m, l, oracle_vs2(op, m, op->bits, l));
        }
    return KELVIN_FAULT_NONE;
}

/* Lane l of the register or of the four registers. */
static uint64_t long_vs1(const struct oracle_op *op, unsigned l)
{
    return oracle_vs1(op, l / op->lanes, op->bits, l % op->lanes);
}

static uint64_t long_vs2(const struct oracle_op *op, unsigned l)
{
    return oracle_vs2(op, l / op->lanes, op->bits, l % op->lanes);
}

/* {vd+reg}[L] */
static void long_vd(const struct oracle_op *op, unsigned reg, unsigned l, uint64_t value)
{
    oracle_vd(op, reg * op->sm + l / op->lanes, l % op->lanes, value);
}

/* VEVN, VODD, VEVNODD */
enum kelvin_fault oracle_vevn(const struct oracle_op *op)
{
    const unsigned typelen = op->lanes * op->sm, m = typelen / 2;
    const bool even = strstr(op->base, "evn") != NULL, odd = strstr(op->base, "odd") != NULL;
    for (unsigned l = 0; l < typelen; l++) {
        if (even)
            long_vd(op, 0, l, l < m ? long_vs1(op, 2 * l) : long_vs2(op, 2 * (l - m)));
        if (odd)
            long_vd(op, even, l, l < m ? long_vs1(op, 2 * l + 1) : long_vs2(op, 2 * (l - m) + 1));
    }
    return KELVIN_FAULT_NONE;
}

/* VZIP */
enum kelvin_fault oracle_vzip(const struct oracle_op *op)
{
    const unsigned typelen = op->lanes * op->sm;
    for (unsigned l = 0; l < typelen; l++) {
        const unsigned m = l / 2, n = l / 2 + typelen / 2;
        long_vd(op, 0, l, l & 1 ? long_vs2(op, m) : long_vs1(op, m));
        long_vd(op, 1, l, l & 1 ? long_vs2(op, n) : long_vs1(op, n));
    }
    return KELVIN_FAULT_NONE;
}

/* Registers 0 to 3 are those of vs1, 4 to 7 those of vs2. */
static uint64_t of_both(const struct oracle_op *op, unsigned reg, unsigned l)
{
    return reg < 4 ? oracle_vs1(op, reg, op->bits, l) : oracle_vs2(op, reg - 4, op->bits, l);
}

/* VSLIDEN, VSLIDEP */
enum kelvin_fault oracle_vslide(const struct oracle_op *op)
{
    /* The vertical rows also serve the forms without .m. */
    static const unsigned next_va[] = {0, 1, 2, 3}, next_vb[2][4] = {{4, 5, 6, 7}, {1, 2, 3, 4}};
    static const unsigned prev_va[2][4] = {{0, 1, 2, 3}, {3, 4, 5, 6}}, prev_vb[] = {4, 5, 6, 7};
    const bool horizontal = op->base[6] == 'h';
    const bool next = op->base[strlen(op->base) - 1] == 'n';
    const unsigned *va = next ? next_va : prev_va[horizontal];
    const unsigned *vb = next ? next_vb[horizontal] : prev_vb;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++) {
            uint64_t value;
            if (next && l + op->index < op->lanes)
                value = of_both(op, va[m], l + op->index);
            else if (next)
                value = of_both(op, vb[m], l + op->index - op->lanes);
            else if (l < op->index)
                value = of_both(op, va[m], op->lanes + l - op->index);
            else
                value = of_both(op, vb[m], l - op->index);
            oracle_vd(op, m, l, value);
        }
    return KELVIN_FAULT_NONE;
}

/* NULL if any byte is outside memory. */
static uint8_t *at_address(const struct oracle_op *op, uint32_t address)
{
    const uint64_t from = op->after->base, bytes = op->bits / 8;
    if (address < from || address + bytes > from + op->after->size)
        return NULL;
    return op->after->memory + (address - from);
}

static void set_xs1(const struct oracle_op *op, uint32_t increment)
{
    if (op->xs1 != 0)
        op->after->x[op->xs1] = op->value1 + increment;
}

static uint32_t length(const struct oracle_op *op)
{
    const uint32_t all = op->lanes * op->sm;
    return op->value2 < all ? op->value2 : all;
}

/* The action on a lane and its bytes in memory. */
typedef void lane_action(const struct oracle_op *op, unsigned m, unsigned l, uint8_t *bytes);

static void nothing(const struct oracle_op *op, unsigned m, unsigned l, uint8_t *bytes)
{
    (void)op;
    (void)m;
    (void)l;
    (void)bytes;
}

static void load(const struct oracle_op *op, unsigned m, unsigned l, uint8_t *bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < op->bits / 8; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    oracle_vd(op, m, l, value);
}

static void store(const struct oracle_op *op, unsigned m, unsigned l, uint8_t *bytes)
{
    const uint64_t value = oracle_get(&op->before.v[op->vd + m], op->bits, l);
    for (unsigned i = 0; i < op->bits / 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/* False: a lane is outside memory. */
static bool all_lanes(const struct oracle_op *op, lane_action *action)
{
    const uint32_t size = op->bits / 8, len = length(op);
    uint32_t addr = op->value1;
    for (unsigned m = 0; m < op->sm; m++) {
        for (unsigned l = 0; l < op->lanes; l++)
            if (!op->l || l + m * op->lanes < len) {
                uint8_t *bytes = at_address(op, addr + l * size);
                if (!bytes)
                    return false;
                action(op, m, l, bytes);
            }
        addr += op->s ? op->value2 * size : KELVIN_BYTES;
    }
    return true;
}

/* VLD, VST: the end of both. */
static void post_increment(const struct oracle_op *op)
{
    const uint32_t size = op->bits / 8;
    if (!op->p)
        return;
    if (op->l && op->s) /* .tp */
        set_xs1(op, KELVIN_BYTES);
    else if (!op->l && !op->s && op->xs2 == 0) /* .p.x */
        set_xs1(op, KELVIN_BYTES * op->sm);
    else if (op->l) /* .lp */
        set_xs1(op, length(op) * size);
    else if (op->s) /* .sp */
        set_xs1(op, op->value2 * size * op->sm);
    else /* .p.xx */
        set_xs1(op, op->value2 * size);
}

/* VLD */
enum kelvin_fault oracle_vld(const struct oracle_op *op)
{
    if (!all_lanes(op, nothing))
        return KELVIN_FAULT_LOAD;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            oracle_vd(op, m, l, 0);
    all_lanes(op, load);
    post_increment(op);
    return KELVIN_FAULT_NONE;
}

/* VST */
enum kelvin_fault oracle_vst(const struct oracle_op *op)
{
    if (!all_lanes(op, nothing))
        return KELVIN_FAULT_STORE;
    all_lanes(op, store);
    post_increment(op);
    return KELVIN_FAULT_NONE;
}

/* False: a lane is outside memory. */
static bool all_quads(const struct oracle_op *op, lane_action *action)
{
    const uint32_t size = op->bits / 8;
    uint32_t addr = op->value1;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned q = 0; q < 4; q++) {
            for (unsigned l = 0; l < op->lanes / 4; l++) {
                uint8_t *bytes = at_address(op, addr + l * size);
                if (!bytes)
                    return false;
                action(op, m, l + q * op->lanes / 4, bytes);
            }
            addr += op->value2 * size;
        }
    return true;
}

/* VSTQ */
enum kelvin_fault oracle_vstq(const struct oracle_op *op)
{
    if (!all_quads(op, nothing))
        return KELVIN_FAULT_STORE;
    all_quads(op, store);
    if (op->p)
        set_xs1(op, op->value2 * (op->bits / 8) * 4 * op->sm);
    return KELVIN_FAULT_NONE;
}

/* GETVL, GETMAXVL */
enum kelvin_fault oracle_getvl(const struct oracle_op *op)
{
    uint32_t least = op->lanes * op->sm;
    if (op->form[0] && op->value1 < least)
        least = op->value1;
    if (strcmp(op->form, "xx") == 0 && op->xs2 != 0 && op->value2 < least)
        least = op->value2;
    if (op->xd != 0)
        op->after->x[op->xd] = least;
    return KELVIN_FAULT_NONE;
}
