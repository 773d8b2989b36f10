/* lanes: what a vector instruction does in each lane. */
#include <string.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/work.h"

#define SIGN UINT32_C(0x80000000)

/* Sources of one group of registers: a is vs2, b vs1, the scalar or the immediate, d vd as it was;
 * high: the upper words of pairs. */
struct sources {
    uint32_t a[VENTUS_LANES], b[VENTUS_LANES], d[VENTUS_LANES];
    uint64_t wide_a[VENTUS_LANES], wide_b[VENTUS_LANES], wide_d[VENTUS_LANES];
};

static int32_t s32(uint32_t x)
{
    return (int32_t)x;
}

/* --- fixed point ------------------------------------------------------------------------------ */

/* What the rounding mode vxrm adds to v >> d (RVV 1.0, section 3.8). */
static uint64_t round_bit(uint64_t v, unsigned d, uint32_t vxrm)
{
    if (!d)
        return 0;
    const uint64_t last = v >> (d - 1) & 1, below = v & ((UINT64_C(1) << (d - 1)) - 1);
    switch (vxrm) {
    case 0:
        return last;
    case 1:
        return last && (below || (v >> d & 1));
    case 2:
        return 0;
    default:
        return !(v >> d & 1) && (last || below);
    }
}

static uint32_t clip(struct ventus_warp *w, int64_t value, int64_t low, int64_t high)
{
    if (value < low || value > high)
        w->vxsat = 1;
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

static uint32_t fixed(struct ventus_warp *w, uint8_t body, uint32_t a, uint32_t b)
{
    const uint32_t rm = w->vxrm;
    const int64_t sa = s32(a), sb = s32(b);
    const int64_t sums = sa + sb, differences = sa - sb;
    const uint64_t sum = (uint64_t)a + b, difference = (uint64_t)a - b;
    switch (body) {
    case BODY_VSADDU:
        return clip(w, (int64_t)sum, 0, UINT32_MAX);
    case BODY_VSADD:
        return clip(w, sums, INT32_MIN, INT32_MAX);
    case BODY_VSSUBU:
        return clip(w, (int64_t)difference, 0, UINT32_MAX);
    case BODY_VSSUB:
        return clip(w, differences, INT32_MIN, INT32_MAX);
    case BODY_VAADDU:
        return (uint32_t)((sum >> 1) + round_bit(sum, 1, rm));
    case BODY_VAADD:
        return (uint32_t)((uint64_t)(sums >> 1) + round_bit((uint64_t)sums, 1, rm));
    case BODY_VASUBU:
        return (uint32_t)((difference >> 1) + round_bit(difference, 1, rm));
    case BODY_VASUB:
        return (uint32_t)((uint64_t)(differences >> 1) + round_bit((uint64_t)differences, 1, rm));
    case BODY_VSMUL: {
        const int64_t product = sa * sb;
        return clip(w, (product >> 31) + (int64_t)round_bit((uint64_t)product, 31, rm), INT32_MIN,
                    INT32_MAX);
    }
    case BODY_VSSRL:
        return (uint32_t)((a >> (b & 31)) + round_bit(a, b & 31, rm));
    default:
        return (uint32_t)((uint64_t)(sa >> (b & 31)) + round_bit((uint64_t)sa, b & 31, rm));
    }
}

/* --- integers --------------------------------------------------------------------------------- */

#define EACH(expression)                                                                           \
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {                                                  \
        const uint32_t a = s->a[i], b = s->b[i], d = s->d[i];                                      \
        (void)a, (void)b, (void)d;                                                                 \
        out[i] = (uint32_t)(expression);                                                           \
    }                                                                                              \
    return

/* RVV 1.0 section 11.4: sums and differences with the carry of v0, and their carries. */
static void carries(const struct ventus_warp *w, const struct ventus_op *op,
                    const struct sources *s, uint32_t out[VENTUS_LANES])
{
    const bool carried = op->form == FORM_VVM || op->form == FORM_VXM || op->form == FORM_VIM;
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        const uint64_t a = s->a[i], b = s->b[i], c = carried ? w->v[0][i] & 1 : 0;
        const uint64_t sum = a + b + c, difference = a - b - c;
        out[i] = op->body == BODY_VADC    ? (uint32_t)sum
                 : op->body == BODY_VMADC ? (uint32_t)(sum >> 32)
                 : op->body == BODY_VSBC  ? (uint32_t)difference
                                          : (uint32_t)(difference >> 63);
    }
}

static void integers(const struct ventus_warp *w, const struct ventus_op *op,
                     const struct sources *s, uint32_t out[VENTUS_LANES])
{
    switch (op->body) {
    case BODY_VADD:
        EACH(a + b);
    case BODY_VSUB:
        EACH(a - b);
    case BODY_VRSUB:
        EACH(b - a);
    case BODY_VMINU:
        EACH(a < b ? a : b);
    case BODY_VMIN:
        EACH(s32(a) < s32(b) ? a : b);
    case BODY_VMAXU:
        EACH(a > b ? a : b);
    case BODY_VMAX:
        EACH(s32(a) > s32(b) ? a : b);
    case BODY_VAND:
        EACH(a & b);
    case BODY_VOR:
        EACH(a | b);
    case BODY_VXOR:
        EACH(a ^ b);
    case BODY_VSLL:
        EACH(a << (b & 31));
    case BODY_VSRL:
        EACH(a >> (b & 31));
    case BODY_VSRA:
        EACH(s32(a) >> (b & 31));
    case BODY_VMSEQ:
        EACH(a == b);
    case BODY_VMSNE:
        EACH(a != b);
    case BODY_VMSLTU:
        EACH(a < b);
    case BODY_VMSLT:
        EACH(s32(a) < s32(b));
    case BODY_VMSLEU:
        EACH(a <= b);
    case BODY_VMSLE:
        EACH(s32(a) <= s32(b));
    case BODY_VMSGTU:
        EACH(a > b);
    case BODY_VMSGT:
        EACH(s32(a) > s32(b));
    case BODY_VDIVU:
        EACH(riscv_alu(RISCV_DIVU, a, b));
    case BODY_VDIV:
        EACH(riscv_alu(RISCV_DIV, a, b));
    case BODY_VREMU:
        EACH(riscv_alu(RISCV_REMU, a, b));
    case BODY_VREM:
        EACH(riscv_alu(RISCV_REM, a, b));
    case BODY_VMULHU:
        EACH(riscv_alu(RISCV_MULHU, a, b));
    case BODY_VMUL:
        EACH(a * b);
    case BODY_VMULHSU:
        EACH(riscv_alu(RISCV_MULHSU, a, b));
    case BODY_VMULH:
        EACH(riscv_alu(RISCV_MULH, a, b));
    case BODY_VMADD:
        EACH(b * d + a);
    case BODY_VNMSUB:
        EACH(a - b * d);
    case BODY_VMACC:
        EACH(b * a + d);
    case BODY_VNMSAC:
        EACH(d - b * a);
    case BODY_VMV:
        EACH(b);
    case BODY_VMERGE:
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            out[i] = w->v[0][i] & 1 ? s->b[i] : s->a[i];
        return;
    case BODY_VADC:
    case BODY_VMADC:
    case BODY_VSBC:
    case BODY_VMSBC:
        carries(w, op, s, out);
        return;
    case BODY_VZEXT4:
        EACH(a & 0xff);
    case BODY_VSEXT4:
        EACH((int8_t)a);
    case BODY_VZEXT2:
        EACH(a & 0xffff);
    case BODY_VSEXT2:
        EACH((int16_t)a);
    case BODY_VID:
        EACH(i);
    case BODY_VMANDN:
        EACH(a & ~b & 1);
    case BODY_VMAND:
        EACH(a & b & 1);
    case BODY_VMOR:
        EACH((a | b) & 1);
    case BODY_VMXOR:
        EACH((a ^ b) & 1);
    case BODY_VMORN:
        EACH((a | ~b) & 1);
    case BODY_VMNAND:
        EACH(~(a & b) & 1);
    case BODY_VMNOR:
        EACH(~(a | b) & 1);
    case BODY_VMXNOR:
        EACH(~(a ^ b) & 1);
    default:
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            out[i] = 0;
        return;
    }
}

/* --- 64 bits ---------------------------------------------------------------------------------- */

static uint64_t wide(uint8_t body, const struct sources *s, uint32_t i)
{
    const uint64_t a = s->a[i], b = s->b[i], d = s->wide_d[i], x = s->wide_a[i], y = s->wide_b[i];
    const uint64_t sa = (uint64_t)(int64_t)s32(s->a[i]), sb = (uint64_t)(int64_t)s32(s->b[i]);
    switch (body) {
    case BODY_VWADDU:
        return a + b;
    case BODY_VWADD:
        return sa + sb;
    case BODY_VWSUBU:
        return a - b;
    case BODY_VWSUB:
        return sa - sb;
    case BODY_VWADDU_W:
    case BODY_VWADD_W:
        return x + y;
    case BODY_VWSUBU_W:
    case BODY_VWSUB_W:
        return x - y;
    case BODY_VWMULU:
        return a * b;
    case BODY_VWMULSU:
        return sa * b;
    case BODY_VWMUL:
        return sa * sb;
    case BODY_VWMACCU:
        return a * b + d;
    case BODY_VWMACC:
        return sa * sb + d;
    case BODY_VWMACCUS:
        return sa * b + d; /* the scalar is unsigned */
    default:
        return a * sb + d; /* VWMACCSU: the scalar is signed */
    }
}

/* --- floats ----------------------------------------------------------------------------------- */

static uint32_t floats(uint8_t body, uint32_t a, uint32_t b, uint32_t d, struct ventus_fcsr *f)
{
    struct ventus_fcsr truncate = {.rounding = VENTUS_RTZ};
    uint32_t result;
    switch (body) {
    case BODY_VFADD:
        return ventus_f32_add(a, b, f);
    case BODY_VFSUB:
        return ventus_f32_add(a, b ^ SIGN, f);
    case BODY_VFRSUB:
        return ventus_f32_add(b, a ^ SIGN, f);
    case BODY_VFMIN:
        return ventus_f32_min(a, b, f);
    case BODY_VFMAX:
        return ventus_f32_max(a, b, f);
    case BODY_VFSGNJ:
        return (a & ~SIGN) | (b & SIGN);
    case BODY_VFSGNJN:
        return (a & ~SIGN) | (~b & SIGN);
    case BODY_VFSGNJX:
        return a ^ (b & SIGN);
    case BODY_VMFEQ:
        return ventus_f32_eq(a, b, f);
    case BODY_VMFNE:
        return !ventus_f32_eq(a, b, f);
    case BODY_VMFLE:
        return ventus_f32_le(a, b, f);
    case BODY_VMFLT:
        return ventus_f32_lt(a, b, f);
    case BODY_VMFGT:
        return ventus_f32_lt(b, a, f);
    case BODY_VMFGE:
        return ventus_f32_le(b, a, f);
    case BODY_VFDIV:
        return ventus_f32_div(a, b, f);
    case BODY_VFRDIV:
        return ventus_f32_div(b, a, f);
    case BODY_VFMUL:
        return ventus_f32_mul(a, b, f);
    case BODY_VFMADD:
        return ventus_f32_fma(b, d, a, f);
    case BODY_VFNMADD:
        return ventus_f32_fma(b ^ SIGN, d, a ^ SIGN, f);
    case BODY_VFMSUB:
        return ventus_f32_fma(b, d, a ^ SIGN, f);
    case BODY_VFNMSUB:
        return ventus_f32_fma(b ^ SIGN, d, a, f);
    case BODY_VFMACC:
        return ventus_f32_fma(b, a, d, f);
    case BODY_VFNMACC:
        return ventus_f32_fma(b ^ SIGN, a, d ^ SIGN, f);
    case BODY_VFMSAC:
        return ventus_f32_fma(b, a, d ^ SIGN, f);
    case BODY_VFNMSAC:
        return ventus_f32_fma(b ^ SIGN, a, d, f);
    case BODY_VFCVT_XU:
        return ventus_f32_to_int(a, false, f);
    case BODY_VFCVT_X:
        return ventus_f32_to_int(a, true, f);
    case BODY_VFCVT_FXU:
        return ventus_f32_of_int(a, false, f);
    case BODY_VFCVT_FX:
        return ventus_f32_of_int(a, true, f);
    case BODY_VFCVT_RTZ_XU:
    case BODY_VFCVT_RTZ_X:
        result = ventus_f32_to_int(a, body == BODY_VFCVT_RTZ_X, &truncate);
        f->flags |= truncate.flags;
        return result;
    case BODY_VFSQRT:
        return ventus_f32_sqrt(a, f);
    case BODY_VFRSQRT7:
        return ventus_f32_rsqrt7(a, f);
    case BODY_VFREC7:
        return ventus_f32_rec7(a, f);
    case BODY_VFCLASS:
        return ventus_f32_class(a);
    default:
        return ventus_f32_exp(a, f);
    }
}

/* D[4][4] += A[4][8] * transposed B[4][8], in order of the eight products; a word a lane. A is vs1,
 * B is vs2. */
static void tensor(const struct sources *s, struct ventus_fcsr *f, uint32_t out[VENTUS_LANES])
{
    memcpy(out, s->d, VENTUS_LANES * sizeof *out);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t k = 0; k < 8; k++)
            out[i] = ventus_f32_fma(s->b[i / 4 * 8 + k], s->a[i % 4 * 8 + k], out[i], f);
}

/* --- a group of registers --------------------------------------------------------------------- */

static bool is_wide(uint8_t body)
{
    return body >= BODY_VWADDU && body <= BODY_VWMACCSU;
}

static bool is_float(uint8_t body)
{
    return body >= BODY_VFADD && body <= BODY_VFEXP;
}

static void fill(uint32_t to[VENTUS_LANES], uint32_t value)
{
    for (uint32_t i = 0; i < VENTUS_LANES; i++)
        to[i] = value;
}

/* ABS, then NEG of a source: of floats the sign, of integers the value. */
static void modify(uint32_t to[VENTUS_LANES], bool floating, bool absolute, bool negated)
{
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        if (absolute)
            to[i] = floating ? to[i] & ~SIGN : to[i] >> 31 ? 0 - to[i] : to[i];
        if (negated)
            to[i] = floating ? to[i] ^ SIGN : 0 - to[i];
    }
}

static void modify_sources(const struct ventus_op *op, const struct ventus_prefix *p,
                           struct sources *s)
{
    const bool floating = is_float(op->body), swapped = op->form == FORM_VADD12;
    uint32_t *const sources[] = {swapped ? s->a : s->b, swapped ? s->b : s->a, s->d};
    for (int i = 0; i < 3; i++)
        modify(sources[i], floating, p->absolute >> i & 1, p->negated >> i & 1);
}

static void take_sources(const struct ventus_warp *w, const struct ventus_effect *e, uint32_t g,
                         struct sources *s)
{
    const struct ventus_op *op = e->op;
    const uint32_t first = op->form == FORM_VADD12 ? e->rs1 : e->rs2;
    memcpy(s->a, w->v[(first + g) % VENTUS_VREGS], sizeof s->a);
    memcpy(s->d, w->v[(e->rs3 + g) % VENTUS_VREGS], sizeof s->d);
    switch (op->form) {
    case FORM_VV:
    case FORM_FTTA:
    case FORM_MM:
    case FORM_VVM:
    case FORM_MVV:
        memcpy(s->b, w->v[(e->rs1 + g) % VENTUS_VREGS], sizeof s->b);
        break;
    case FORM_VI:
    case FORM_VIM:
    case FORM_MVI:
    case FORM_VU:
    case FORM_VADD12:
        fill(s->b, (uint32_t)ventus_immediate(op, &w->prefix));
        break;
    default:
        fill(s->b, w->x[e->rs1 % VENTUS_XREGS]);
        break;
    }
    if (w->prefix.absolute || w->prefix.negated)
        modify_sources(op, &w->prefix, s);
}

static uint64_t joined(const struct ventus_warp *w, uint32_t reg, uint32_t i)
{
    return (uint64_t)w->v[reg + 1][i] << 32 | w->v[reg][i];
}

static int step_wide(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                     struct sources *s)
{
    const struct ventus_op *op = e->op;
    const bool pairs = op->body >= BODY_VWADDU_W && op->body <= BODY_VWSUB_W;
    const bool vector = op->form == FORM_VV;
    if (w->vtype & 1)
        return ventus_fault(exec, "results of 64 bits with groups of two registers");
    if ((e->rd | (pairs ? e->rs2 : 0) | (pairs && vector ? e->rs1 : 0)) & 1)
        return ventus_fault(exec, "a pair of registers begins at an even one");
    const bool is_signed = op->body == BODY_VWADD_W || op->body == BODY_VWSUB_W;
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        s->wide_d[i] = joined(w, e->rd & ~1u, i);
        s->wide_a[i] = joined(w, e->rs2 & ~1u, i);
        s->wide_b[i] = vector      ? joined(w, e->rs1 & ~1u, i)
                       : is_signed ? (uint64_t)(int64_t)s32(s->b[i])
                                   : s->b[i];
    }
    uint32_t low[VENTUS_LANES], high[VENTUS_LANES];
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        const uint64_t value = wide(op->body, s, i);
        low[i] = (uint32_t)value;
        high[i] = (uint32_t)(value >> 32);
    }
    ventus_write_v(exec, w, e->rd, e->mask, low);
    ventus_write_v(exec, w, e->rd + 1u, e->mask, high);
    return 0;
}

static int step_group(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                      uint32_t g, struct ventus_fcsr *fcsr)
{
    const struct ventus_op *op = e->op;
    const uint32_t mask = ventus_lanes(exec, w, op, g);
    struct sources s;
    uint32_t out[VENTUS_LANES];
    take_sources(w, e, g, &s);
    e->mask |= mask;
    if (is_wide(op->body))
        return step_wide(exec, w, e, &s);
    if (op->body == BODY_VMV_XS) {
        if (mask) /* lanes write one after the other: the last one stays */
            ventus_write_x(exec, w, e->rd, s.a[31 - __builtin_clz(mask)]);
        return 0;
    }
    if (op->body == BODY_VFTTA)
        tensor(&s, fcsr, out);
    else if (is_float(op->body))
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            out[i] = mask >> i & 1 ? floats(op->body, s.a[i], s.b[i], s.d[i], fcsr) : 0;
    else if (op->body >= BODY_VSADDU && op->body <= BODY_VASUB)
        for (uint32_t i = 0; i < VENTUS_LANES; i++)
            out[i] = mask >> i & 1 ? fixed(w, op->body, s.a[i], s.b[i]) : 0;
    else
        integers(w, op, &s, out);
    ventus_write_v(exec, w, (e->rd + g) % VENTUS_VREGS, mask, out);
    return 0;
}

int ventus_step_lanes(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const uint32_t groups = w->vtype & 1 ? 2 : 1;
    struct ventus_fcsr fcsr = {.rounding = w->fcsr.rounding};
    if ((is_float(e->op->body) || e->op->body == BODY_VFTTA) && fcsr.rounding > VENTUS_RMM)
        return ventus_fault(exec, "there is no rounding mode %u", fcsr.rounding);
    if (e->op->body == BODY_VFTTA && exec->launch->threads != VENTUS_LANES)
        return ventus_fault(exec, "vftta.vv needs warps of %d threads", VENTUS_LANES);
    for (uint32_t g = 0; g < groups; g++)
        if (step_group(exec, w, e, g, &fcsr) != 0)
            return 1;
    ventus_raise(exec, w, fcsr.flags);
    w->vstart = 0;
    ventus_note(exec, 8, VENTUS_KEY_CSR);
    return 0;
}
