/* lanes: what a vector instruction does in each lane. */
#include <string.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/single.h"
#include "functional/ventus/work.h"

/* Sources of one group of registers: a is vs2, b vs1, the scalar or the immediate, d vd as it was;
 * high: the upper words of pairs. */
struct sources {
    uint32_t a[VENTUS_LANES], b[VENTUS_LANES], d[VENTUS_LANES];
    uint64_t wide_a[VENTUS_LANES], wide_b[VENTUS_LANES], wide_d[VENTUS_LANES];
    uint32_t mask;         /* lanes that take part */
    uint32_t carried;      /* 1: the form adds the carry of the mask */
    uint32_t group, first; /* of the registers; its first element */
};

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

static int64_t rounded(const struct ventus_warp *w, int64_t value, unsigned shift)
{
    return (int64_t)((uint64_t)(value >> shift) + round_bit((uint64_t)value, shift, w->vxrm));
}

static uint32_t truncated(uint32_t a, bool is_signed, struct ventus_fcsr *f)
{
    struct ventus_fcsr truncate = {.rounding = VENTUS_RTZ};
    const uint32_t result = ventus_f32_to_int(a, is_signed, &truncate);
    f->flags |= truncate.flags;
    return result;
}

#define WORD        uint32_t
#define BITS        32
#define LEAST       SIGN
#define HIGH(x, y)  ((uint32_t)((uint64_t)(x) * (y) >> 32))
#define CLIP(v)     clip(w, v, INT32_MIN, INT32_MAX)
#define UCLIP(v)    clip(w, v, 0, UINT32_MAX)
#define ROUND(v, d) rounded(w, v, d)

#define ROW(id, takes_part, signed_type, value)                                                    \
    case BODY_##id:                                                                                \
        for (uint32_t i = 0; i < VENTUS_LANES; i++) {                                              \
            const uint32_t a = s->a[i], b = s->b[i], d = s->d[i];                                  \
            const signed_type sa = (int32_t)a, sb = (int32_t)b;                                    \
            const int64_t ua = a, ub = b;                                                          \
            const uint32_t chosen = w->v[s->group][i] & 1, carry = s->carried & chosen;            \
            (void)b, (void)d, (void)sa, (void)sb, (void)ua, (void)ub, (void)chosen, (void)carry;   \
            out[i] = (takes_part) ? (uint32_t)(value) : 0;                                         \
        }                                                                                          \
        break;

static void integers(const struct ventus_warp *w, uint8_t body, const struct sources *s,
                     uint32_t out[VENTUS_LANES])
{
    switch (body) {
#define LANES(id, sign, value) ROW(id, true, int32_t, value)
#define WORDS(id, value)       ROW(id, true, int32_t, value)
#include "functional/ventus/body.def"
    default:
        memset(out, 0, VENTUS_LANES * sizeof *out);
    }
}

/* What raises flags or vxsat, in the lanes that take part. */
static void raising(struct ventus_warp *w, uint8_t body, const struct sources *s,
                    struct ventus_fcsr *f, uint32_t out[VENTUS_LANES])
{
    switch (body) {
#define SIGNS(id, value)  ROW(id, true, int32_t, value)
#define FIXED(id, value)  ROW(id, s->mask >> i & 1, int64_t, value)
#define FLOAT(id, value)  ROW(id, s->mask >> i & 1, int32_t, value)
#define TRUTH(id, value)  FLOAT(id, value)
#define SINGLE(id, value) FLOAT(id, value)
#include "functional/ventus/body.def"
    }
}

/* --- 64 bits ---------------------------------------------------------------------------------- */

static uint64_t wide(uint8_t body, const struct sources *s, uint32_t i)
{
    const uint64_t a = s->a[i], b = s->b[i];
    const uint64_t sa = (uint64_t)(int32_t)s->a[i], sb = (uint64_t)(int32_t)s->b[i];
    const uint64_t wide_a = s->wide_a[i], wide_b = s->wide_b[i], wide_d = s->wide_d[i];
    switch (body) {
#define PAIRS(id, value)                                                                           \
    case BODY_##id:                                                                                \
        return value;
#include "functional/ventus/body.def"
    default:
        return 0;
    }
}

/* --- floats ----------------------------------------------------------------------------------- */

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
        s->wide_d[i] = joined(w, e->rs3 & ~1u, i);
        s->wide_a[i] = joined(w, e->rs2 & ~1u, i);
        s->wide_b[i] = vector      ? joined(w, e->rs1 & ~1u, i)
                       : is_signed ? (uint64_t)(int32_t)s->b[i]
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
    s.mask = mask;
    s.group = g;
    s.first = g * exec->launch->threads;
    s.carried = op->form == FORM_VVM || op->form == FORM_VXM || op->form == FORM_VIM;
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
    else if (is_float(op->body) || (op->body >= BODY_VSADDU && op->body <= BODY_VASUB))
        raising(w, op->body, &s, fcsr, out);
    else
        integers(w, op->body, &s, out);
    ventus_write_v(exec, w, (e->rd + g) % VENTUS_VREGS, mask, out);
    return 0;
}

int ventus_step_lanes(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const uint32_t groups = w->vtype & 1 && e->op->body != BODY_VMV_XS ? 2 : 1;
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
