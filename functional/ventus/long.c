/* long: arithmetic of 16, 32 and 64 bits: instructions of 64 bits, and vector instructions behind a
 * prefix with `pair`. */
#include <string.h>

#include "functional/ventus/exec.h"
#include "functional/ventus/work.h"
#include "functional/ventus/number.h"

/* Codes of VSSIZE and VDSIZE. */
enum { SIZE16, SIZE32, SIZE64, SIZES };

static const uint8_t formats[SIZES] = {VENTUS_F16, VENTUS_F32, VENTUS_F64};

static bool is_unsigned(uint8_t body)
{
    switch (body) {
    case BODY_VMINU:
    case BODY_VMAXU:
    case BODY_VSRL:
    case BODY_VMSLTU:
    case BODY_VMSLEU:
    case BODY_VMSGTU:
    case BODY_VDIVU:
    case BODY_VREMU:
    case BODY_VMULHU:
        return true;
    default:
        return false;
    }
}

static bool is_float(uint8_t body)
{
    return body >= BODY_VFADD && body <= BODY_VFEXP;
}

static uint64_t cut(uint64_t value, unsigned size)
{
    return size == SIZE64 ? value : value & ((UINT64_C(1) << (16u << size)) - 1);
}

static uint64_t extended(uint64_t value, unsigned size)
{
    return size == SIZE16   ? (uint64_t)(int64_t)(int16_t)value
           : size == SIZE32 ? (uint64_t)(int64_t)(int32_t)value
                            : value;
}

/* --- sources ---------------------------------------------------------------------------------- */

/* How a source or the result stands in its register. */
struct place {
    unsigned size;
    bool high; /* of 16 bits: the upper half */
};

struct modifiers {
    bool absolute, negated;
};

static uint64_t lane_bits(const struct ventus_warp *w, uint32_t reg, uint32_t lane, struct place p)
{
    const uint32_t low = w->v[reg][lane];
    if (p.size == SIZE64)
        return (uint64_t)w->v[reg + 1][lane] << 32 | low;
    return p.size == SIZE32 ? low : low >> (p.high ? 16 : 0) & 0xffff;
}

static uint64_t scalar_bits(const struct ventus_warp *w, uint32_t reg, struct place p)
{
    const uint32_t low = w->x[reg];
    if (p.size == SIZE64)
        return reg ? (uint64_t)w->x[reg + 1] << 32 | low : 0;
    return p.size == SIZE32 ? low : low >> (p.high ? 16 : 0) & 0xffff;
}

/* Bits of a source as the operation takes them: of integers 64, extended. */
static uint64_t modified(uint64_t bits, unsigned size, uint8_t body, struct modifiers m)
{
    if (is_float(body)) {
        const uint64_t sign = UINT64_C(1) << ((16u << size) - 1);
        bits = m.absolute ? bits & ~sign : bits;
        return m.negated ? bits ^ sign : bits;
    }
    /* Both are of the source as a signed word, whatever the operation takes it for. */
    uint64_t value = extended(bits, size);
    if (m.absolute && value >> 63)
        value = 0 - value;
    value = m.negated ? 0 - value : value;
    return is_unsigned(body) ? cut(value, size) : value;
}

/* --- results ---------------------------------------------------------------------------------- */

struct operands {
    uint64_t a, b, d; /* vs2; vs1, the scalar or the immediate; vd */
    bool chosen;      /* bit 0 of v0 */
};

static uint64_t divided(uint8_t body, uint64_t a, uint64_t b)
{
    const bool overflow = a == UINT64_C(1) << 63 && b == UINT64_MAX;
    switch (body) {
    case BODY_VDIVU:
        return b ? a / b : UINT64_MAX;
    case BODY_VREMU:
        return b ? a % b : a;
    case BODY_VDIV:
        return !b ? UINT64_MAX : overflow ? a : (uint64_t)((int64_t)a / (int64_t)b);
    default:
        return !b ? a : overflow ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
    }
}

static uint64_t high_product(uint8_t body, uint64_t a, uint64_t b)
{
    uint64_t high = (uint64_t)((ventus_wide)a * b >> 64);
    if (body != BODY_VMULHU && a >> 63)
        high -= b;
    if (body == BODY_VMULH && b >> 63)
        high -= a;
    return high;
}

/* False: it has no form of 64 bits. */
static bool integer(uint8_t body, const struct operands *o, uint64_t *r)
{
    const uint64_t a = o->a, b = o->b, d = o->d;
    const int64_t sa = (int64_t)a, sb = (int64_t)b;
    switch (body) {
    case BODY_VADD:
        *r = a + b;
        return true;
    case BODY_VSUB:
        *r = a - b;
        return true;
    case BODY_VRSUB:
        *r = b - a;
        return true;
    case BODY_VMINU:
        *r = a < b ? a : b;
        return true;
    case BODY_VMIN:
        *r = sa < sb ? a : b;
        return true;
    case BODY_VMAXU:
        *r = a > b ? a : b;
        return true;
    case BODY_VMAX:
        *r = sa > sb ? a : b;
        return true;
    case BODY_VAND:
        *r = a & b;
        return true;
    case BODY_VOR:
        *r = a | b;
        return true;
    case BODY_VXOR:
        *r = a ^ b;
        return true;
    case BODY_VSLL:
        *r = a << (b & 63);
        return true;
    case BODY_VSRL:
        *r = a >> (b & 63);
        return true;
    case BODY_VSRA:
        *r = (uint64_t)(sa >> (b & 63));
        return true;
    case BODY_VMSEQ:
        *r = a == b;
        return true;
    case BODY_VMSNE:
        *r = a != b;
        return true;
    case BODY_VMSLTU:
        *r = a < b;
        return true;
    case BODY_VMSLT:
        *r = sa < sb;
        return true;
    case BODY_VMSLEU:
        *r = a <= b;
        return true;
    case BODY_VMSLE:
        *r = sa <= sb;
        return true;
    case BODY_VMSGTU:
        *r = a > b;
        return true;
    case BODY_VMSGT:
        *r = sa > sb;
        return true;
    case BODY_VMUL:
        *r = a * b;
        return true;
    case BODY_VMULH:
    case BODY_VMULHU:
    case BODY_VMULHSU:
        *r = high_product(body, a, b);
        return true;
    case BODY_VDIVU:
    case BODY_VDIV:
    case BODY_VREMU:
    case BODY_VREM:
        *r = divided(body, a, b);
        return true;
    case BODY_VMADD:
        *r = b * d + a;
        return true;
    case BODY_VNMSUB:
        *r = a - b * d;
        return true;
    case BODY_VMACC:
        *r = b * a + d;
        return true;
    case BODY_VNMSAC:
        *r = d - b * a;
        return true;
    case BODY_VMV:
        *r = b;
        return true;
    case BODY_VMERGE:
        *r = o->chosen ? b : a;
        return true;
    default:
        return false;
    }
}

/* Comparisons of floats; 2: the body is none. */
static unsigned compared(uint8_t body, const struct ventus_number *a, const struct ventus_number *b,
                         struct ventus_fcsr *fcsr)
{
    const bool equal = body == BODY_VMFEQ || body == BODY_VMFNE;
    if (body < BODY_VMFEQ || body > BODY_VMFGE)
        return 2;
    const int order = ventus_number_compare(a, b);
    if (order == 2 && (!equal || a->signaling || b->signaling))
        fcsr->flags |= VENTUS_NV;
    switch (body) {
    case BODY_VMFEQ:
        return order == 0;
    case BODY_VMFNE:
        return order != 0;
    case BODY_VMFLE:
        return order <= 0;
    case BODY_VMFLT:
        return order < 0;
    case BODY_VMFGT:
        return order == 1;
    default:
        return order == 0 || order == 1;
    }
}

/* Sources that take part with the other sign: bit 0 vs2, 1 vs1, 2 vd. */
static unsigned flipped(uint8_t body)
{
    switch (body) {
    case BODY_VFRSUB:
    case BODY_VFMSUB:
        return 1;
    case BODY_VFSUB:
    case BODY_VFNMSUB:
    case BODY_VFNMSAC:
        return 2;
    case BODY_VFNMADD:
        return 3;
    case BODY_VFMSAC:
        return 4;
    case BODY_VFNMACC:
        return 6;
    default:
        return 0;
    }
}

/* False: it has no form but that of single precision. */
static bool floating(uint8_t body, struct ventus_number n[3], struct ventus_fcsr *f,
                     struct ventus_number *r)
{
    const struct ventus_number *a = &n[0], *b = &n[1], *d = &n[2];
    const unsigned flips = flipped(body);
    for (unsigned i = 0; i < 3; i++)
        n[i].negative ^= flips >> i & 1;
    switch (body) {
    case BODY_VFADD:
    case BODY_VFSUB:
    case BODY_VFRSUB:
        *r = ventus_number_add(a, b, f);
        return true;
    case BODY_VFMUL:
        *r = ventus_number_mul(a, b, f);
        return true;
    case BODY_VFDIV:
        *r = ventus_number_div(a, b, f);
        return true;
    case BODY_VFRDIV:
        *r = ventus_number_div(b, a, f);
        return true;
    case BODY_VFSQRT:
        *r = ventus_number_sqrt(a, f);
        return true;
    case BODY_VFMIN:
    case BODY_VFMAX:
        *r = ventus_number_least(a, b, body == BODY_VFMAX, f);
        return true;
    case BODY_VFMADD:
    case BODY_VFNMADD:
    case BODY_VFMSUB:
    case BODY_VFNMSUB:
        *r = ventus_number_fma(b, d, a, f);
        return true;
    case BODY_VFMACC:
    case BODY_VFNMACC:
    case BODY_VFMSAC:
    case BODY_VFNMSAC:
        *r = ventus_number_fma(b, a, d, f);
        return true;
    default:
        return false;
    }
}

/* Signs are taken from one source to another without a look at the value. */
static bool signs(uint8_t body, uint64_t a, uint64_t b, uint64_t *r)
{
    const uint64_t sign = UINT64_C(1) << 63;
    if (body != BODY_VFSGNJ && body != BODY_VFSGNJN && body != BODY_VFSGNJX)
        return false;
    *r = body == BODY_VFSGNJX ? a ^ (b & sign)
                              : (a & ~sign) | ((body == BODY_VFSGNJ ? b : ~b) & sign);
    return true;
}

/* --- an instruction --------------------------------------------------------------------------- */

struct shape {
    struct place a, b, d;
    struct modifiers of_a, of_b, of_d;
    int scale; /* the result times 2^scale */
    bool vector, immediate, reads_d, truth;
};

/* The result of one lane; false: the body has no such form. */
static bool lane(const struct ventus_effect *e, const struct shape *s, const struct operands *o,
                 struct ventus_fcsr *fcsr, uint64_t *result)
{
    const uint8_t body = e->op->body;
    if (!is_float(body)) {
        if (!integer(body, o, result))
            return false;
        if (s->scale >= 0)
            *result <<= s->scale;
        else
            *result = is_unsigned(body) ? *result >> 1 : (uint64_t)((int64_t)*result >> 1);
        return true;
    }
    if (s->a.size == SIZE64 && signs(body, o->a, o->b, result))
        return true;
    struct ventus_number n[3] = {
        ventus_number((enum ventus_format)formats[s->a.size], o->a),
        ventus_number((enum ventus_format)formats[s->b.size], o->b),
        ventus_number((enum ventus_format)formats[s->d.size], s->reads_d ? o->d : 0)};
    struct ventus_number r;
    const unsigned truth = compared(body, &n[0], &n[1], fcsr);
    *result = truth;
    if (truth < 2)
        return true;
    if (!floating(body, n, fcsr, &r))
        return false;
    r.exponent += s->scale;
    *result = ventus_number_bits((enum ventus_format)formats[s->d.size], &r, fcsr);
    return true;
}

/* vadd12.vi has its only register in vs1. */
static uint32_t first_of(const struct ventus_effect *e)
{
    return e->op->form == FORM_VADD12 ? e->rs1 : e->rs2;
}

static void take(const struct ventus_warp *w, const struct ventus_effect *e, const struct shape *s,
                 uint32_t i, struct operands *o)
{
    const uint8_t body = e->op->body;
    const uint64_t b = s->immediate ? (uint64_t)(int64_t)ventus_immediate(e->op, &w->prefix)
                       : s->vector  ? lane_bits(w, e->rs1, i, s->b)
                                    : scalar_bits(w, e->rs1, s->b);
    o->a = modified(lane_bits(w, first_of(e), i, s->a), s->a.size, body, s->of_a);
    o->b = modified(s->immediate ? cut(b, s->b.size) : b, s->b.size, body, s->of_b);
    o->d = s->reads_d ? modified(lane_bits(w, e->rs3, i, s->d), s->d.size, body, s->of_d) : 0;
    o->chosen = w->v[0][i] & 1;
}

static bool is_odd(uint32_t reg, struct place p)
{
    return p.size == SIZE64 && (reg & 1);
}

static int step(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e,
                const struct shape *s)
{
    struct ventus_fcsr fcsr = {.rounding = w->fcsr.rounding};
    const struct place d = s->truth ? (struct place){.size = SIZE32} : s->d;
    if (w->vtype & 1)
        return ventus_fault(exec, "results of 64 bits with groups of two registers");
    if (is_odd(first_of(e), s->a) || is_odd(e->rd, d) || (s->reads_d && is_odd(e->rs3, s->d)) ||
        (!s->immediate && is_odd(e->rs1, s->b)))
        return ventus_fault(exec, "a pair of registers begins at an even one");
    if (is_float(e->op->body) && fcsr.rounding > VENTUS_RMM)
        return ventus_fault(exec, "there is no rounding mode %u", fcsr.rounding);
    uint32_t low[VENTUS_LANES] = {0}, high[VENTUS_LANES] = {0};
    e->mask = ventus_lanes(exec, w, e->op, 0);
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        struct operands o;
        uint64_t r = 0;
        if (!(e->mask >> i & 1))
            continue;
        take(w, e, s, i, &o);
        if (!lane(e, s, &o, &fcsr, &r))
            return ventus_fault(exec, "%s has no form for pairs of registers",
                                ventus_insns[e->op->insn - RISCV_INSN_COUNT].name);
        low[i] = (uint32_t)r;
        if (d.size == SIZE16) {
            const uint32_t old = w->v[e->rd][i], half = (uint32_t)r & 0xffff;
            low[i] = d.high ? (old & 0xffff) | half << 16 : (old & 0xffff0000) | half;
        }
        high[i] = (uint32_t)(r >> 32);
    }
    ventus_write_v(exec, w, e->rd, e->mask, low);
    if (d.size == SIZE64)
        ventus_write_v(exec, w, e->rd + 1u, e->mask, high);
    ventus_raise(exec, w, fcsr.flags);
    return 0;
}

/* Fields of the second half, as insn.def lists them. */
static struct shape of_word(const struct ventus_op *op)
{
    static const int scales[] = {0, 1, 2, -1};
    const uint32_t h = op->high;
    const unsigned from = h >> 28 & 3, to = h >> 30 & 3;
    return (struct shape){.a = {from, h >> 24 & 1},
                          .b = {from, h >> 23 & 1},
                          .d = {to, h >> 25 & 1},
                          .of_a = {h >> 21 & 1, h >> 18 & 1},
                          .of_b = {h >> 20 & 1, h >> 17 & 1},
                          .scale = scales[h >> 26 & 3],
                          .vector = op->form == FORM_VV64,
                          .immediate = op->form == FORM_VI64};
}

static struct shape of_prefix(const struct ventus_op *op, const struct ventus_prefix *p)
{
    const struct place pair = {.size = SIZE64};
    const uint8_t body = op->body, absolute = p->absolute, negated = p->negated;
    const unsigned first = op->form == FORM_VADD12 ? 0 : 1;
    return (struct shape){
        .a = pair,
        .b = pair,
        .d = pair,
        .of_a = {absolute >> first & 1, negated >> first & 1},
        .of_b = {absolute & 1, negated & 1},
        .of_d = {absolute >> 2 & 1, negated >> 2 & 1},
        .vector = op->form == FORM_VV || op->form == FORM_MVV || op->form == FORM_VVM,
        /* of one source: an immediate that nothing reads */
        .immediate = op->form == FORM_VI || op->form == FORM_VU || op->form == FORM_MVI ||
                     op->form == FORM_VIM || op->form == FORM_VADD12 || op->form == FORM_V ||
                     op->form == FORM_FEXP || op->form == FORM_VID,
        .reads_d = (body >= BODY_VMADD && body <= BODY_VNMSAC) ||
                   (body >= BODY_VFMADD && body <= BODY_VFNMSAC),
        .truth = (body >= BODY_VMSEQ && body <= BODY_VMSGT) ||
                 (body >= BODY_VMFEQ && body <= BODY_VMFGE)};
}

int ventus_step_long(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_op *op = e->op;
    const bool is_word = op->form >= FORM_VV64 && op->form <= FORM_VI64;
    const struct shape s = is_word ? of_word(op) : of_prefix(op, &w->prefix);
    if (s.a.size == SIZES || s.d.size == SIZES)
        return ventus_fault(exec, "3 is no size of a source or result");
    return step(exec, w, e, &s);
}
