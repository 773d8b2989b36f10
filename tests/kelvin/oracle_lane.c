/* The formulas of one lane. Their interpretation: oracle.c. */
#include "tests/kelvin/oracle_parts.h"

static wide power(unsigned exponent)
{
    return (wide)1 << exponent;
}

wide oracle_saturate(wide value, unsigned bits, bool is_unsigned)
{
    const wide least = is_unsigned ? 0 : -power(bits - 1);
    const wide most = is_unsigned ? power(bits) - 1 : power(bits - 1) - 1;
    return value < least ? least : value > most ? most : value;
}

/* Rounds down. */
static wide shift_right(wide value, unsigned amount)
{
    return value < 0 ? -((-value + power(amount) - 1) / power(amount)) : value / power(amount);
}

/* VABSD */
wide oracle_vabsd(const struct oracle_lane *at)
{
    return at->vs1 > at->vs2 ? at->vs1 - at->vs2 : at->vs2 - at->vs1;
}

/* VADD, VADDW */
wide oracle_vadd(const struct oracle_lane *at)
{
    return at->vs1 + at->vs2;
}

/* VADDS */
wide oracle_vadds(const struct oracle_lane *at)
{
    return oracle_saturate(at->vs1 + at->vs2, at->bits, at->u);
}

/* VADD3 */
wide oracle_vadd3(const struct oracle_lane *at)
{
    return at->vd + at->vs1 + at->vs2;
}

/* VAND */
wide oracle_vand(const struct oracle_lane *at)
{
    return (wide)(at->positive.vs1 & at->positive.vs2);
}

static wide count_leading_zeros(uint64_t value, unsigned bits)
{
    unsigned count = 0;
    while (count < bits && !(value >> (bits - 1 - count) & 1))
        count++;
    return count;
}

/* VCLB */
wide oracle_vclb(const struct oracle_lane *at)
{
    const bool msb = at->positive.vs1 >> (at->bits - 1) & 1;
    return count_leading_zeros(msb ? ~at->positive.vs1 : at->positive.vs1, at->bits);
}

/* VCLZ */
wide oracle_vclz(const struct oracle_lane *at)
{
    return count_leading_zeros(at->positive.vs1, at->bits);
}

/* VDMULH */
wide oracle_vdmulh(const struct oracle_lane *at)
{
    const unsigned sz = at->bits;
    const wide mul = at->vs1 * at->vs2;
    const wide rnd = at->r ? (at->n && mul < 0 ? -power(sz - 1) : power(sz - 1)) : 0;
    return shift_right(oracle_saturate(2 * mul + rnd, 2 * sz, false), sz);
}

/* VEQ */
wide oracle_veq(const struct oracle_lane *at)
{
    return at->vs1 == at->vs2 ? 1 : 0;
}

/* VGE */
wide oracle_vge(const struct oracle_lane *at)
{
    return at->vs1 >= at->vs2 ? 1 : 0;
}

/* VGT */
wide oracle_vgt(const struct oracle_lane *at)
{
    return at->vs1 > at->vs2 ? 1 : 0;
}

/* VHADD */
wide oracle_vhadd(const struct oracle_lane *at)
{
    return shift_right(at->vs1 + at->vs2 + at->r, 1);
}

/* VHSUB */
wide oracle_vhsub(const struct oracle_lane *at)
{
    return shift_right(at->vs1 - at->vs2 + at->r, 1);
}

/* VLE */
wide oracle_vle(const struct oracle_lane *at)
{
    return at->vs1 <= at->vs2 ? 1 : 0;
}

/* VLT */
wide oracle_vlt(const struct oracle_lane *at)
{
    return at->vs1 < at->vs2 ? 1 : 0;
}

/* VMACC */
wide oracle_vmacc(const struct oracle_lane *at)
{
    return at->vd + at->vs1 * at->vs2;
}

/* VMADD */
wide oracle_vmadd(const struct oracle_lane *at)
{
    return at->vd * at->vs2 + at->vs1;
}

/* VMAX */
wide oracle_vmax(const struct oracle_lane *at)
{
    return at->vs1 > at->vs2 ? at->vs1 : at->vs2;
}

/* VMIN */
wide oracle_vmin(const struct oracle_lane *at)
{
    return at->vs1 < at->vs2 ? at->vs1 : at->vs2;
}

/* VMUL, VMULW */
wide oracle_vmul(const struct oracle_lane *at)
{
    return at->vs1 * at->vs2;
}

/* VMULS */
wide oracle_vmuls(const struct oracle_lane *at)
{
    return oracle_saturate(at->vs1 * at->vs2, at->bits, at->u);
}

/* VMULH */
wide oracle_vmulh(const struct oracle_lane *at)
{
    const wide rnd = at->r ? power(at->bits - 1) : 0;
    return shift_right(at->vs1 * at->vs2 + rnd, at->bits);
}

/* VMV */
wide oracle_vmv(const struct oracle_lane *at)
{
    return at->vs1;
}

/* VNE */
wide oracle_vne(const struct oracle_lane *at)
{
    return at->vs1 != at->vs2 ? 1 : 0;
}

/* VNOT */
wide oracle_vnot(const struct oracle_lane *at)
{
    return (wide)~at->positive.vs1;
}

/* VOR */
wide oracle_vor(const struct oracle_lane *at)
{
    return (wide)(at->positive.vs1 | at->positive.vs2);
}

/* VCPOP */
wide oracle_vcpop(const struct oracle_lane *at)
{
    unsigned count = 0;
    for (unsigned i = 0; i < at->bits; i++)
        count += (unsigned)(at->positive.vs1 >> i & 1);
    return count;
}

/* VREV */
wide oracle_vrev(const struct oracle_lane *at)
{
    const uint64_t shamt = at->positive.vs2 & (at->bits - 1);
    uint64_t r = at->positive.vs1;
    if (shamt & 1)
        r = (r & 0x55555555) << 1 | (r & 0xaaaaaaaa) >> 1;
    if (shamt & 2)
        r = (r & 0x33333333) << 2 | (r & 0xcccccccc) >> 2;
    if (shamt & 4)
        r = (r & 0x0f0f0f0f) << 4 | (r & 0xf0f0f0f0) >> 4;
    if (shamt & 8)
        r = (r & 0x00ff00ff) << 8 | (r & 0xff00ff00) >> 8;
    if (shamt & 16)
        r = (r & 0x0000ffff) << 16 | (r & 0xffff0000) >> 16;
    return (wide)r;
}

/* VROR */
wide oracle_vror(const struct oracle_lane *at)
{
    const uint64_t shamt = at->positive.vs2 & (at->bits - 1);
    uint64_t r = 0;
    for (unsigned b = 0; b < at->bits; b++)
        r |= (at->positive.vs1 >> (b + shamt) % at->bits & 1) << b;
    return (wide)r;
}

/* VSHA, VSHL */
static wide both_ways(const struct oracle_lane *at, wide source, bool is_unsigned)
{
    const wide size = at->vs2 < 0 ? -at->vs2 : at->vs2;
    const unsigned shamt = size > at->bits ? at->bits : (unsigned)size;
    const wide rnd = at->r && shamt ? power(shamt - 1) : 0;
    if (at->vs2 < 0)
        return oracle_saturate(source * power(shamt), at->bits, is_unsigned);
    if (is_unsigned && at->vs2 > at->bits)
        return 0;
    return shift_right(source + rnd, shamt);
}

wide oracle_vsha(const struct oracle_lane *at)
{
    return both_ways(at, at->vs1, false);
}

wide oracle_vshl(const struct oracle_lane *at)
{
    return both_ways(at, (wide)at->positive.vs1, true);
}

/* VSEL */
wide oracle_vsel(const struct oracle_lane *at)
{
    return at->positive.vs1 & 1 ? at->vd : at->vs2;
}

/* VSLL */
wide oracle_vsll(const struct oracle_lane *at)
{
    return (wide)at->positive.vs1 * power((unsigned)(at->positive.vs2 & (at->bits - 1)));
}

/* VSRA, VSRL; VSRANS, VSRAQS before they saturate */
wide oracle_vsra(const struct oracle_lane *at)
{
    const unsigned shamt = (unsigned)(at->positive.vs2 & (at->bits - 1));
    const wide rnd = at->r && shamt ? power(shamt - 1) : 0;
    return shift_right(at->vs1 + rnd, shamt);
}

/* VRSUB */
wide oracle_vrsub(const struct oracle_lane *at)
{
    return at->vs2 - at->vs1;
}

/* VSUB, VSUBW */
wide oracle_vsub(const struct oracle_lane *at)
{
    return at->vs1 - at->vs2;
}

/* VSUBS */
wide oracle_vsubs(const struct oracle_lane *at)
{
    return oracle_saturate(at->vs1 - at->vs2, at->bits, at->u);
}

/* VXOR */
wide oracle_vxor(const struct oracle_lane *at)
{
    return (wide)(at->positive.vs1 ^ at->positive.vs2);
}
