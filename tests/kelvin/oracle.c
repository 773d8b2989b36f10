/*
 * The formulas of the public instruction reference, one function per section. Where the reference
 * contradicts itself or cannot be taken literally, it is interpreted as follows:
 *
 *  1. VSRANS, VSRAQS: shift with rounding first, then saturate (the vendor's checks); `u` has an
 *     unsigned source, shifts in zeros and saturates to an unsigned lane. SHAMT has the bits that
 *     index a bit of the source (4 and 5), as the comment says, not 2*N.
 *  2. VSRANS: lanes of vs2 have the size of the source; amount L serves both results of lanes L, as
 *     in VSRAQS, whose loop is over i32 lanes; results are at 2*L + 0, 1 and 4*L + 0 to 3.
 *  3. VSHA, VSHL: the amount is signed. Positive shifts right, negative shifts left and saturates
 *     (RESULT_POS and RESULT_NEG of the reference have changed places). The amount is at most the
 *     width of a lane. vshl.r by more than the width gives 0. N is no part of these mnemonics.
 *  4. VRSUB, VMUL and others: results have the low bits of a lane. VACC: {vs1+k} means {vs1+k}[L].
 *     VMACC, VMADD: vd[N] is vd[L].
 *  5. VMULH: the rounding term is added to the product, not to vs2. SZ is in bits.
 *  6. VREV: the masks of 8 and 16 steps are 0x00FF.. and 0x0000FFFF.. VROR: a rotation, modulo the
 *     bits of a lane. Their amounts are those of each lane in the .vv forms.
 *  7. A scalar is in all lanes of "one operand" (Scalar ".vx"): VADDW, VSUBW, VMULW, VACC in
 *     lanes of half the size, VSRANS and VSRAQS in lanes of the source's.
 *  8. VSLIDEHN, VSLIDEHP with a scalar: the scalar is all lanes of vs2, and the block stays
 *     contiguous, as the prose says: vslidehn takes the scalar after the fourth register alone.
 *  9. VEVN, VODD, VEVNODD, VZIP with .m: the four registers are one long vector.
 * 10. ACONV: L has two uses. The products of 4 bytes are summed (L & 3 of Data1), and the sum of
 *     row Y and column C goes to L = 8 * (Y & 3) + C of Interleave, so 32 sums become four rows
 *     of a register in VSRAQS, which VSTQ stores. Fault: mode not 0, start > stop, stop > 7.
 * 11. ACSET reads vs1. ACTR has vd 48 and transposes.
 * 12. VDWCONV: the accumulator is Interleave(i), as the note at VSRAQS says; its lane
 *     is L. Rows {vs1+0}, {vs1+1}, {vs1+2} are Prev, Curr, Next. Sparse1 is [n-1,n,n+1] at Curr:
 *     by the letter a0 and a1 would be no neighbours of a2. Slides are by lanes of 32 bits.
 *     Fault: mode not 0, sparsity 3, as for ACONV.
 * 13. Registers that a control word asks for past v63 are a fault of the control word; the three
 *     of RegBase count even where Sparse2 does not read Next.
 * 14. VLD, VST: p.x has no xs2 (register x0); a zero in another register is an increment of 0. .tp
 *     has the bits of .l and .s, so it has a length and a stride. Addresses are modulo 2^32; lanes
 *     that are not moved touch no memory.
 * 15. VSTQ: the base moves by xs2 * sizeof(type) * 4 * sm.
 * 16. GETVL: x0 is ignored as xs2; a zero in another register is a length of 0.
 * 17. A fault leaves all as it was, and sources are read before the first result is written.
 */
#include "tests/kelvin/oracle_parts.h"

#include <string.h>

/* --- lanes ------------------------------------------------------------------------------------ */

uint64_t oracle_get(const union kelvin_register *v, unsigned bits, unsigned lane)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bits / 8; i++)
        value |= (uint64_t)v->b[bits / 8 * lane + i] << 8 * i;
    return value;
}

void oracle_put(union kelvin_register *v, unsigned bits, unsigned lane, uint64_t value)
{
    for (unsigned i = 0; i < bits / 8; i++)
        v->b[bits / 8 * lane + i] = (uint8_t)(value >> 8 * i);
}

static uint64_t low(uint64_t value, unsigned bits)
{
    return value & UINT64_MAX >> (64 - bits);
}

wide oracle_extend(uint64_t value, unsigned bits, bool is_unsigned)
{
    const wide all = (wide)1 << bits, number = (wide)low(value, bits);
    return !is_unsigned && number >= all / 2 ? number - all : number;
}

uint64_t oracle_vs1(const struct oracle_op *op, unsigned reg, unsigned bits, unsigned lane)
{
    return oracle_get(&op->before.v[op->vs1 + reg], bits, lane);
}

uint64_t oracle_vs2(const struct oracle_op *op, unsigned reg, unsigned bits, unsigned lane)
{
    if (strcmp(op->form, "vx") == 0)
        return low(op->value2, bits);
    return oracle_get(&op->before.v[op->vs2 + reg], bits, lane);
}

void oracle_vd(const struct oracle_op *op, unsigned reg, unsigned lane, uint64_t value)
{
    oracle_put(&op->after->state.v[op->vd + reg], op->bits, lane, value);
}

/* --- over lanes and registers ----------------------------------------------------------------- */

enum shape { SAME, WIDENING, ACCUMULATING, PAIRS, NARROWING, FAMILY, NOTHING };

/* The formula of a mnemonic, and how many registers, or groups of .m, each operand has; 0: the
 * operand is not checked. */
struct row {
    const char *base;
    enum shape shape;
    uint8_t vd, vs1, vs2, vs3;
    bool is_unsigned; /* without .u in the mnemonic */
    oracle_formula *formula;
    oracle_family *family;
};

static const struct row rows[] = {
#define LANE(base, shape, vd, vs1, vs2, is_unsigned, formula)                                      \
    {                                                                                              \
        base, shape, vd, vs1, vs2, 0, is_unsigned, formula, NULL                                   \
    }
#define WHOLE(base, vd, vs1, vs2, vs3, family)                                                     \
    {                                                                                              \
        base, FAMILY, vd, vs1, vs2, vs3, false, NULL, family                                       \
    }
    LANE("vabsd", SAME, 1, 1, 1, false, oracle_vabsd),
    LANE("vacc", ACCUMULATING, 2, 2, 1, false, oracle_vadd),
    LANE("vadd", SAME, 1, 1, 1, false, oracle_vadd),
    LANE("vadds", SAME, 1, 1, 1, false, oracle_vadds),
    LANE("vaddw", WIDENING, 2, 1, 1, false, oracle_vadd),
    LANE("vadd3", SAME, 1, 1, 1, false, oracle_vadd3),
    LANE("vand", SAME, 1, 1, 1, false, oracle_vand),
    WHOLE("aconv", 1, 8, 0, 1, oracle_aconv),
    WHOLE("vcget", 8, 0, 0, 0, oracle_vcget),
    WHOLE("acset", 0, 8, 0, 0, oracle_acset),
    WHOLE("actr", 0, 8, 0, 0, oracle_actr),
    LANE("vclb", SAME, 1, 1, 0, false, oracle_vclb),
    LANE("vclz", SAME, 1, 1, 0, false, oracle_vclz),
    WHOLE("vdwconv", 4, 1, 0, 3, oracle_vdwconv),
    WHOLE("adwconv", 0, 1, 0, 3, oracle_vdwconv),
    WHOLE("adwinit", 0, 4, 0, 0, oracle_adwinit),
    LANE("vdmulh", SAME, 1, 1, 1, false, oracle_vdmulh),
    WHOLE("vdup", 1, 0, 0, 0, oracle_vdup),
    LANE("veq", SAME, 1, 1, 1, false, oracle_veq),
    WHOLE("vevn", 1, 1, 1, 0, oracle_vevn),
    WHOLE("vodd", 1, 1, 1, 0, oracle_vevn),
    WHOLE("vevnodd", 2, 1, 1, 0, oracle_vevn),
    LANE("vge", SAME, 1, 1, 1, false, oracle_vge),
    LANE("vgt", SAME, 1, 1, 1, false, oracle_vgt),
    LANE("vhadd", SAME, 1, 1, 1, false, oracle_vhadd),
    LANE("vhsub", SAME, 1, 1, 1, false, oracle_vhsub),
    WHOLE("vld", 1, 0, 0, 0, oracle_vld),
    LANE("vle", SAME, 1, 1, 1, false, oracle_vle),
    LANE("vlt", SAME, 1, 1, 1, false, oracle_vlt),
    LANE("vmacc", SAME, 1, 1, 1, false, oracle_vmacc),
    LANE("vmadd", SAME, 1, 1, 1, false, oracle_vmadd),
    LANE("vmax", SAME, 1, 1, 1, false, oracle_vmax),
    LANE("vmin", SAME, 1, 1, 1, false, oracle_vmin),
    LANE("vmul", SAME, 1, 1, 1, false, oracle_vmul),
    LANE("vmuls", SAME, 1, 1, 1, false, oracle_vmuls),
    LANE("vmulw", WIDENING, 2, 1, 1, false, oracle_vmul),
    LANE("vmulh", SAME, 1, 1, 1, false, oracle_vmulh),
    LANE("vmulhu", SAME, 1, 1, 1, true, oracle_vmulh),
    LANE("vmv", SAME, 1, 1, 0, false, oracle_vmv),
    WHOLE("vmvp", 2, 1, 1, 0, oracle_vmvp),
    LANE("vne", SAME, 1, 1, 1, false, oracle_vne),
    LANE("vnot", SAME, 1, 1, 0, false, oracle_vnot),
    LANE("vor", SAME, 1, 1, 1, false, oracle_vor),
    LANE("vpadd", PAIRS, 1, 1, 0, false, oracle_vadd),
    LANE("vpsub", PAIRS, 1, 1, 0, false, oracle_vsub),
    LANE("vcpop", SAME, 1, 1, 0, false, oracle_vcpop),
    LANE("vrev", SAME, 1, 1, 1, false, oracle_vrev),
    LANE("vror", SAME, 1, 1, 1, false, oracle_vror),
    LANE("vsha", SAME, 1, 1, 1, false, oracle_vsha),
    LANE("vshl", SAME, 1, 1, 1, false, oracle_vshl),
    LANE("vsel", SAME, 1, 1, 1, false, oracle_vsel),
    LANE("vsll", SAME, 1, 1, 1, false, oracle_vsll),
    WHOLE("vsliden", 1, 1, 1, 0, oracle_vslide),
    WHOLE("vslidehn", 1, 1, 1, 0, oracle_vslide),
    WHOLE("vslidevn", 1, 1, 1, 0, oracle_vslide),
    WHOLE("vslidep", 1, 1, 1, 0, oracle_vslide),
    WHOLE("vslidehp", 1, 1, 1, 0, oracle_vslide),
    WHOLE("vslidevp", 1, 1, 1, 0, oracle_vslide),
    LANE("vsra", SAME, 1, 1, 1, false, oracle_vsra),
    LANE("vsrl", SAME, 1, 1, 1, true, oracle_vsra),
    LANE("vsrans", NARROWING, 1, 2, 1, false, oracle_vsra),
    LANE("vsransu", NARROWING, 1, 2, 1, true, oracle_vsra),
    LANE("vsraqs", NARROWING, 1, 4, 1, false, oracle_vsra),
    LANE("vsraqsu", NARROWING, 1, 4, 1, true, oracle_vsra),
    LANE("vrsub", SAME, 1, 1, 1, false, oracle_vrsub),
    LANE("vsub", SAME, 1, 1, 1, false, oracle_vsub),
    LANE("vsubs", SAME, 1, 1, 1, false, oracle_vsubs),
    LANE("vsubw", WIDENING, 2, 1, 1, false, oracle_vsub),
    WHOLE("vst", 1, 0, 0, 0, oracle_vst),
    WHOLE("vstq", 1, 0, 0, 0, oracle_vstq),
    LANE("vxor", SAME, 1, 1, 1, false, oracle_vxor),
    WHOLE("vzip", 2, 1, 1, 0, oracle_vzip),
    WHOLE("getvl", 0, 0, 0, 0, oracle_getvl),
    WHOLE("getmaxvl", 0, 0, 0, 0, oracle_getvl),
#undef LANE
#undef WHOLE
};

static uint64_t calculate(const struct oracle_op *op, const struct row *row, unsigned bits,
                          uint64_t vs1, uint64_t vs2, uint64_t vd)
{
    const bool u = op->u || row->is_unsigned;
    const struct oracle_lane at = {.vs1 = oracle_extend(vs1, bits, u),
                                   .vs2 = oracle_extend(vs2, bits, u),
                                   .vd = oracle_extend(vd, op->bits, u),
                                   .positive = {low(vs1, bits), low(vs2, bits)},
                                   .bits = bits,
                                   .u = u,
                                   .r = op->r,
                                   .n = op->n};
    const wide result = row->formula(&at);
    return (uint64_t)(row->shape == NARROWING ? oracle_saturate(result, op->bits, u) : result);
}

static void same(const struct oracle_op *op, const struct row *row)
{
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            oracle_vd(op, m, l,
                      calculate(op, row, op->bits, oracle_vs1(op, m, op->bits, l),
                                row->vs2 ? oracle_vs2(op, m, op->bits, l) : 0,
                                oracle_get(&op->before.v[op->vd + m], op->bits, l)));
}

/* VADDW, VSUBW, VMULW: {vd+k}[L] of vs1.asHalfType[2*L+k] */
static void widening(const struct oracle_op *op, const struct row *row)
{
    const unsigned half = op->bits / 2;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            for (unsigned k = 0; k < 2; k++)
                oracle_vd(op, k * op->sm + m, l,
                          calculate(op, row, half, oracle_vs1(op, m, half, 2 * l + k),
                                    oracle_vs2(op, m, half, 2 * l + k), 0));
}

/* VACC */
static void accumulating(const struct oracle_op *op)
{
    const unsigned half = op->bits / 2;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            for (unsigned k = 0; k < 2; k++) {
                const unsigned reg = k * op->sm + m;
                const uint64_t addend = oracle_vs2(op, m, half, 2 * l + k);
                oracle_vd(op, reg, l,
                          oracle_vs1(op, reg, op->bits, l) +
                              (uint64_t)oracle_extend(addend, half, op->u));
            }
}

/* VPADD, VPSUB */
static void pairs(const struct oracle_op *op, const struct row *row)
{
    const unsigned half = op->bits / 2;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes; l++)
            oracle_vd(op, m, l,
                      calculate(op, row, half, oracle_vs1(op, m, half, 2 * l),
                                oracle_vs1(op, m, half, 2 * l + 1), 0));
}

/* VSRANS, VSRAQS */
static void narrowing(const struct oracle_op *op, const struct row *row)
{
    static const unsigned two[] = {0, 1}, four[] = {0, 2, 1, 3};
    const unsigned parts = row->vs1, bits = parts * op->bits;
    const unsigned *order = parts == 2 ? two : four;
    for (unsigned m = 0; m < op->sm; m++)
        for (unsigned l = 0; l < op->lanes / parts; l++)
            for (unsigned k = 0; k < parts; k++)
                oracle_vd(op, m, parts * l + k,
                          calculate(op, row, bits, oracle_vs1(op, order[k] * op->sm + m, bits, l),
                                    oracle_vs2(op, m, bits, l), 0));
}

/* --- mnemonics -------------------------------------------------------------------------------- */

static bool is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

static void read_word(struct oracle_op *op, const char *word)
{
    if (!op->sized && (is(word, "b") || is(word, "h") || is(word, "w"))) {
        op->sized = true;
        op->bits = *word == 'b' ? 8 : *word == 'h' ? 16 : 32;
    } else if (is(word, "m"))
        op->sm = 4;
    else if (*word >= '1' && *word <= '4')
        op->index = (unsigned)(*word - '0');
    else if (is(word, "u") || is(word, "r") || is(word, "ur") || is(word, "rn")) {
        op->u = strchr(word, 'u') != NULL;
        op->r = strchr(word, 'r') != NULL;
        op->n = strchr(word, 'n') != NULL;
    } else if (*word == 'v' || *word == 'x')
        memcpy(op->form, word, strlen(word) + 1);
    else { /* l s p lp sp tp */
        op->l = *word == 'l' || *word == 't';
        op->s = *word == 's' || *word == 't';
        op->p = strchr(word, 'p') != NULL;
    }
}

static void read_name(struct oracle_op *op, const char *name)
{
    size_t length = strcspn(name, ".");
    memcpy(op->base, name, length);
    op->bits = 8;
    op->sm = 1;
    for (name += length; *name; name += length) {
        char word[8] = {0};
        length = strcspn(++name, ".");
        memcpy(word, name, length);
        read_word(op, word);
    }
    op->lanes = KELVIN_BYTES * 8 / op->bits;
}

/* Registers of .m are multiples of 4; the last is v63. */
static bool is_group(const struct oracle_op *op, unsigned first, unsigned groups)
{
    return groups == 0 || (first % op->sm == 0 && first + groups * op->sm <= KELVIN_REGISTERS);
}

static bool are_legal(const struct oracle_op *op, const struct row *row)
{
    const bool lacks_half = op->bits == 8 && (row->shape == WIDENING ||
                                              row->shape == ACCUMULATING || row->shape == PAIRS);
    return !lacks_half && is_group(op, op->vd, row->vd) && is_group(op, op->vs1, row->vs1) &&
           is_group(op, op->vs2, is(op->form, "vv") ? row->vs2 : 0) &&
           is_group(op, op->vs3, row->vs3);
}

enum kelvin_fault kelvin_oracle_run(struct kelvin_oracle *oracle, const struct kelvin_vop *vop)
{
    const uint8_t *at = vop->operands.at;
    const struct row *row = NULL;
    struct oracle_op op = {.vd = at[KELVIN_VD],
                           .vs1 = at[KELVIN_VS],
                           .vs2 = at[KELVIN_VT],
                           .vs3 = at[KELVIN_VR],
                           .xd = at[KELVIN_D],
                           .xs1 = at[KELVIN_S],
                           .xs2 = at[KELVIN_T],
                           .value1 = oracle->x[at[KELVIN_S]],
                           .value2 = oracle->x[at[KELVIN_T]],
                           .after = oracle,
                           .before = oracle->state};
    read_name(&op, vop->form->name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(rows[i].base, op.base))
            row = &rows[i];
    if (!row) /* executed by the core: eexit to flushat */
        return KELVIN_FAULT_NONE;
    if (!are_legal(&op, row))
        return KELVIN_FAULT_OPERANDS;
    switch (row->shape) {
    case SAME:
        same(&op, row);
        break;
    case WIDENING:
        widening(&op, row);
        break;
    case ACCUMULATING:
        accumulating(&op);
        break;
    case PAIRS:
        pairs(&op, row);
        break;
    case NARROWING:
        narrowing(&op, row);
        break;
    default:
        return row->family(&op);
    }
    return KELVIN_FAULT_NONE;
}
