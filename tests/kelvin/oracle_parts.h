/* oracle_parts: internal header of the oracle. One instruction in the parts of its mnemonic, with
 * the state before it; lanes as numbers. */
#ifndef TAKT_TESTS_KELVIN_ORACLE_PARTS_H
#define TAKT_TESTS_KELVIN_ORACLE_PARTS_H

#include "tests/kelvin/oracle.h"

__extension__ typedef __int128 wide;

struct oracle_op {
    char base[16];  /* the word before the first dot */
    char form[4];   /* vv vx v xx x vxv, or empty */
    bool sized;     /* .b .h .w */
    unsigned bits;  /* of a lane; 8 if the mnemonic has no size */
    unsigned lanes; /* Op.typelen: of one register */
    unsigned sm;    /* 4 with .m, else 1 */
    bool u, r, n;
    bool l, s, p;                /* func2 xxxPSL of loads and stores */
    unsigned index;              /* of a slide */
    unsigned vd, vs1, vs2, vs3;  /* vector registers */
    unsigned xd, xs1, xs2;       /* scalar registers */
    uint32_t value1, value2;     /* values of xs1 and xs2 before the instruction */
    struct kelvin_oracle *after; /* receives the results */
    struct kelvin_vector_state before;
};

/* A lane of a register, little-endian in its bytes. */
uint64_t oracle_get(const union kelvin_register *v, unsigned bits, unsigned lane);
void oracle_put(union kelvin_register *v, unsigned bits, unsigned lane, uint64_t value);
wide oracle_extend(uint64_t value, unsigned bits, bool is_unsigned);

/* {vs1+0} of strip M is vs1 + M; {vs1+k} is k * sm registers later. */
uint64_t oracle_vs1(const struct oracle_op *op, unsigned reg, unsigned bits, unsigned lane);
/* The same for vs2; if it is a scalar, the scalar in all lanes. */
uint64_t oracle_vs2(const struct oracle_op *op, unsigned reg, unsigned bits, unsigned lane);
void oracle_vd(const struct oracle_op *op, unsigned reg, unsigned lane, uint64_t value);

/* oracle_lane.c: the formulas of one lane. Sources are signed unless the mnemonic has .u or the row
 * of the family says otherwise; `positive`: always unsigned. */
struct oracle_lane {
    wide vs1, vs2, vd;
    struct {
        uint64_t vs1, vs2;
    } positive;
    unsigned bits; /* of the sources */
    bool u, r, n;
};

typedef wide oracle_formula(const struct oracle_lane *at);
wide oracle_saturate(wide value, unsigned bits, bool is_unsigned);
oracle_formula oracle_vabsd, oracle_vadd, oracle_vadds, oracle_vadd3, oracle_vand, oracle_vclb;
oracle_formula oracle_vclz, oracle_vdmulh, oracle_veq, oracle_vge, oracle_vgt, oracle_vhadd;
oracle_formula oracle_vhsub, oracle_vle, oracle_vlt, oracle_vmacc, oracle_vmadd, oracle_vmax;
oracle_formula oracle_vmin, oracle_vmul, oracle_vmuls, oracle_vmulh, oracle_vmv, oracle_vne;
oracle_formula oracle_vnot, oracle_vor, oracle_vcpop, oracle_vrev, oracle_vror, oracle_vsha;
oracle_formula oracle_vshl, oracle_vsel, oracle_vsll, oracle_vsra, oracle_vrsub, oracle_vsub;
oracle_formula oracle_vsubs, oracle_vxor;

/* oracle_moves.c, oracle_conv.c: families that are not formulas of one lane. */
typedef enum kelvin_fault oracle_family(const struct oracle_op *op);
oracle_family oracle_vslide, oracle_vevn, oracle_vzip, oracle_vmvp, oracle_vdup;
oracle_family oracle_vld, oracle_vst, oracle_vstq, oracle_getvl;
oracle_family oracle_aconv, oracle_vcget, oracle_acset, oracle_actr, oracle_vdwconv, oracle_adwinit;

#endif
