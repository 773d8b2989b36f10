/* long: arithmetic of 16, 32 and 64 bits: instructions of 64 bits, and vector instructions after a
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
    enum { S, U };
    static const uint8_t signs[VENTUS_BODIES] = {
#define LANES(id, sign, value) [BODY_##id] = sign,
#include "functional/ventus/body.def"
    };
    return signs[body] == U;
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

/* How a source or the result is held in its register. */
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

struct shape {
    struct place a, b, d;
    struct modifiers of_a, of_b, of_d;
    int scale; /* the result times 2^scale */
    bool vector, immediate, reads_d, truth;
};

#define WORD       uint64_t
#define BITS       64
#define LEAST      SIGN
#define SIGN       (UINT64_C(1) << 63)
#define HIGH(x, y) ((uint64_t)((ventus_wide)(x) * (y) >> 64))

/* These are false for a body that has no such form. */
static bool integer(uint8_t body, const struct operands *o, uint64_t *r)
{
    const uint64_t a = o->a, b = o->b, d = o->d;
    const int64_t sa = (int64_t)a, sb = (int64_t)b;
    const bool chosen = o->chosen;
    switch (body) {
#define LANES(id, sign, value)                                                                     \
    case BODY_##id:                                                                                \
        *r = (uint64_t)(value);                                                                    \
        return true;
#include "functional/ventus/body.def"
    default:
        return false;
    }
}

/* Signs are taken from one source to another without a look at the value. */
static bool signs(uint8_t body, uint64_t a, uint64_t b, uint64_t *r)
{
    switch (body) {
#define SIGNS(id, value)                                                                           \
    case BODY_##id:                                                                                \
        *r = value;                                                                                \
        return true;
#include "functional/ventus/body.def"
    default:
        return false;
    }
}

typedef struct ventus_number number;

static number *negated(const number *x, number *copy)
{
    *copy = *x;
    copy->negative = !x->negative;
    return copy;
}

/* -1, 0, 1, or 2 if unordered. Raises NV, except for equality of quiet NaNs. */
static int order(const number *x, const number *y, bool equality, struct ventus_fcsr *f)
{
    const int order = ventus_number_compare(x, y);
    if (order == 2 && (!equality || x->signaling || y->signaling))
        f->flags |= VENTUS_NV;
    return order;
}

#define EQ(x, y)      (order(&(x), &(y), true, f) == 0)
#define LT(x, y)      (order(&(x), &(y), false, f) < 0)
#define LE(x, y)      (order(&(x), &(y), false, f) <= 0)
#define NEG(x)        (*negated(&(x), &(number){0}))
#define ADD(x, y)     ventus_number_add(&(x), &(y), f)
#define MUL(x, y)     ventus_number_mul(&(x), &(y), f)
#define DIV(x, y)     ventus_number_div(&(x), &(y), f)
#define FMA(x, y, z)  ventus_number_fma(&(x), &(y), &(z), f)
#define SQRT(x)       ventus_number_sqrt(&(x), f)
#define LESSER(x, y)  ventus_number_least(&(x), &(y), false, f)
#define GREATER(x, y) ventus_number_least(&(x), &(y), true, f)

static number number_of(struct place place, uint64_t bits)
{
    return ventus_number((enum ventus_format)formats[place.size], bits);
}

static bool floating(uint8_t body, const struct shape *s, const struct operands *o,
                     struct ventus_fcsr *f, uint64_t *result)
{
    const number a = number_of(s->a, o->a), b = number_of(s->b, o->b);
    const number d = number_of(s->d, s->reads_d ? o->d : 0);
    number r;
    switch (body) {
#define TRUTH(id, value)                                                                           \
    case BODY_##id:                                                                                \
        *result = value;                                                                           \
        return true;
#define FLOAT(id, value)                                                                           \
    case BODY_##id:                                                                                \
        r = value;                                                                                 \
        break;
#include "functional/ventus/body.def"
    default:
        return false;
    }
    r.exponent += s->scale;
    *result = ventus_number_bits((enum ventus_format)formats[s->d.size], &r, f);
    return true;
}

/* --- an instruction --------------------------------------------------------------------------- */

/* The result of one lane; false: the body has no such form. */
static bool lane(const struct ventus_op *op, const struct shape *s, const struct operands *o,
                 struct ventus_fcsr *fcsr, uint64_t *result)
{
    const uint8_t body = op->body;
    if (!is_float(body)) {
        if (!integer(body, o, result))
            return false;
        if (s->scale >= 0)
            *result <<= s->scale;
        else
            *result = is_unsigned(body) ? *result >> 1 : (uint64_t)((int64_t)*result >> 1);
        return true;
    }
    return (s->a.size == SIZE64 && signs(body, o->a, o->b, result)) ||
           floating(body, s, o, fcsr, result);
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

static bool exists(const struct ventus_op *op, const struct shape *s)
{
    const struct operands zeros = {.a = 0};
    struct ventus_fcsr unused = {.flags = 0};
    uint64_t r;
    return lane(op, s, &zeros, &unused, &r);
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
    if (!exists(e->op, s))
        return ventus_fault(exec, "%s has no form for pairs of registers",
                            ventus_insns[e->op->insn - RISCV_INSN_COUNT].name);
    uint32_t low[VENTUS_LANES] = {0}, high[VENTUS_LANES] = {0};
    e->mask = ventus_lanes(exec, w, e->op, 0);
    for (uint32_t i = 0; i < VENTUS_LANES; i++) {
        struct operands o;
        uint64_t r = 0;
        if (!(e->mask >> i & 1))
            continue;
        take(w, e, s, i, &o);
        lane(e->op, s, &o, &fcsr, &r);
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

static struct shape shape_of(const struct ventus_op *op, const struct ventus_prefix *p)
{
    return op->form >= FORM_VV64 && op->form <= FORM_VI64 ? of_word(op) : of_prefix(op, p);
}

bool ventus_long_exists(const struct ventus_op *op, const struct ventus_prefix *p)
{
    const struct shape s = shape_of(op, p);
    return exists(op, &s);
}

int ventus_step_long(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct shape s = shape_of(e->op, &w->prefix);
    if (s.a.size == SIZES || s.d.size == SIZES)
        return ventus_fault(exec, "3 is not a size of a source or result");
    return step(exec, w, e, &s);
}
