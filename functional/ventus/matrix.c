#include "functional/ventus/matrix.h"

#include "functional/ventus/exec.h"
#include "functional/ventus/number.h"

enum {
    MOST_ELEMENTS = 16 * 64, /* of a matrix */
    GROUP = 4                /* warps of a group */
};

static bool is_integer(uint8_t element)
{
    return element >= VENTUS_ELEMENT_I8 && element <= VENTUS_ELEMENT_B1;
}

/* --- elements --------------------------------------------------------------------------------- */

static enum ventus_format format_of(uint8_t element)
{
    static const uint8_t formats[VENTUS_ELEMENTS] = {
        [VENTUS_ELEMENT_F32] = VENTUS_F32,   [VENTUS_ELEMENT_F16] = VENTUS_F16,
        [VENTUS_ELEMENT_BF16] = VENTUS_BF16, [VENTUS_ELEMENT_E4M3] = VENTUS_E4M3,
        [VENTUS_ELEMENT_E5M2] = VENTUS_E5M2, [VENTUS_ELEMENT_E3M2] = VENTUS_E3M2,
        [VENTUS_ELEMENT_E2M3] = VENTUS_E2M3, [VENTUS_ELEMENT_E2M1] = VENTUS_E2M1,
        [VENTUS_ELEMENT_E3M0] = VENTUS_E3M0};
    return (enum ventus_format)formats[element];
}

/* Where a matrix is read from: rows (or columns) of `inner` elements each. */
struct source {
    uint32_t first;         /* register */
    const uint8_t *at;      /* or its bytes in local memory */
    uint32_t stride, inner; /* stride: bytes */
    uint32_t bits;
};

static uint32_t element_at(const struct ventus_warp *w, const struct source *s, uint32_t outer,
                           uint32_t inner)
{
    const uint32_t mask = s->bits == 32 ? UINT32_MAX : (UINT32_C(1) << s->bits) - 1;
    if (!s->at) {
        const uint32_t bit = (outer * s->inner + inner) * s->bits, word = bit / 32;
        return w->v[s->first + word / VENTUS_LANES][word % VENTUS_LANES] >> bit % 32 & mask;
    }
    const uint32_t bit = inner * s->bits;
    const uint8_t *p = s->at + outer * s->stride + bit / 8;
    uint32_t value = 0;
    for (uint32_t i = 0; i < (s->bits + 7) / 8; i++)
        value |= (uint32_t)p[i] << 8 * i;
    return value >> bit % 8 & mask;
}

/* What a descriptor names: `outer` rows of s->inner elements, from row `from` on. */
static int find_local(struct ventus_exec *exec, struct ventus_warp *w, struct source *s,
                      uint32_t outer, uint32_t from)
{
    const uint32_t bytes = s->inner * s->bits / 8, stride = w->v[s->first][1];
    const uint64_t start = w->v[s->first][0] + (uint64_t)from * stride;
    const uint64_t size = (uint64_t)(outer - 1) * stride + bytes;
    const uint32_t local = w->group->local, most = exec->launch->local;
    if (start < local || size > most || start - local > most - size)
        return ventus_fault(exec,
                            "a matrix of %llu bytes at 0x%08llx, beyond the local memory of its "
                            "workgroup, %u bytes at 0x%08x",
                            (unsigned long long)size, (unsigned long long)start, most, local);
    s->at = ventus_memory_at(exec->memory, (uint32_t)start, (uint32_t)size);
    s->stride = stride;
    if (!s->at)
        return ventus_fault(exec, "no local memory at 0x%08llx", (unsigned long long)start);
    for (uint32_t i = 0; i < outer; i++)
        ventus_touch(exec, w, (uint32_t)start + i * stride, bytes, VENTUS_TOUCH_READ);
    return 0;
}

/* --- sums ------------------------------------------------------------------------------------- */

/* A by rows and B by columns, as words: floats in single precision, integers with their sign. */
struct factors {
    uint32_t a[MOST_ELEMENTS], b[MOST_ELEMENTS];
};

static uint32_t factor(const struct ventus_matrix *x, uint32_t bits, struct ventus_fcsr *fcsr)
{
    if (x->element == VENTUS_ELEMENT_B1 || x->element == VENTUS_ELEMENT_F32)
        return bits;
    if (is_integer(x->element)) {
        const uint32_t sign = UINT32_C(1) << (x->bits - 1);
        return (bits ^ sign) - sign;
    }
    const struct ventus_number number = ventus_number(format_of(x->element), bits);
    if (number.kind == VENTUS_NAN && number.signaling)
        fcsr->flags |= VENTUS_NV;
    return (uint32_t)ventus_number_bits(VENTUS_F32, &number, fcsr);
}

static uint32_t integer_sum(const struct ventus_matrix *x, const uint32_t *a, const uint32_t *b,
                            uint32_t c)
{
    int64_t sum = (int32_t)c;
    for (uint32_t k = 0; k < x->k; k++)
        sum += x->element == VENTUS_ELEMENT_B1 ? (int64_t)(a[k] & b[k])
                                               : (int64_t)(int32_t)a[k] * (int32_t)b[k];
    if (!x->wraps)
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    return (uint32_t)sum;
}

/* Fused multiply-adds in order of k, each rounded to the type of C. */
static uint32_t float_sum(const struct ventus_matrix *x, const uint32_t *a, const uint32_t *b,
                          uint32_t c, struct ventus_fcsr *fcsr)
{
    for (uint32_t k = 0; k < x->k; k++) {
        if (x->sum_bits == 32) {
            c = ventus_f32_fma(a[k], b[k], c, fcsr);
            continue;
        }
        const struct ventus_number an = ventus_number(VENTUS_F32, a[k]),
                                   bn = ventus_number(VENTUS_F32, b[k]),
                                   cn = ventus_number(VENTUS_F16, c),
                                   sum = ventus_number_fma(&an, &bn, &cn, fcsr);
        c = (uint32_t)ventus_number_bits(VENTUS_F16, &sum, fcsr);
    }
    return c;
}

/* --- the instruction -------------------------------------------------------------------------- */

const char *ventus_matrix_illegal(const struct ventus_op *whole, uint32_t threads)
{
    const struct ventus_matrix x = ventus_matrix(whole);
    const struct ventus_matrix_registers count = ventus_matrix_registers(&x);
    if (threads != VENTUS_LANES)
        return "products of matrices need warps of 32 threads";
    return whole->rs1 + count.a > VENTUS_VREGS || whole->rs2 + count.b > VENTUS_VREGS ||
                   whole->rs3 + count.c > VENTUS_VREGS || whole->rd + count.c > VENTUS_VREGS
               ? "a matrix beyond v255"
               : NULL;
}

static int check(struct ventus_exec *exec, const struct ventus_effect *e)
{
    struct ventus_op whole = *e->op;
    whole.rd = e->rd;
    whole.rs1 = e->rs1;
    whole.rs2 = e->rs2;
    whole.rs3 = e->rs3;
    const char *sentence = ventus_matrix_illegal(&whole, exec->launch->threads);
    return sentence ? ventus_fault(exec, "%s", sentence) : 0;
}

static int read_factors(struct ventus_exec *exec, struct ventus_warp *w,
                        const struct ventus_effect *e, const struct ventus_matrix *x,
                        struct ventus_fcsr *fcsr, struct factors *f)
{
    struct source a = {.first = e->rs1, .inner = x->a_columns ? x->m : x->k, .bits = x->bits};
    struct source b = {.first = e->rs2, .inner = x->b_rows ? x->n : x->k, .bits = x->bits};
    const uint32_t from = w->number % GROUP * x->m;
    uint32_t skip = 0;
    int status = 0;
    if (x->a_local && x->a_columns) { /* each column holds the rows of this warp */
        a.inner = GROUP * x->m;
        skip = from;
        status = find_local(exec, w, &a, x->k, 0);
    } else if (x->a_local) {
        status = find_local(exec, w, &a, x->m, from);
    }
    if (status != 0)
        return 1;
    if (x->group && find_local(exec, w, &b, x->b_rows ? x->k : x->n, 0) != 0)
        return 1;
    for (uint32_t i = 0; i < x->m; i++)
        for (uint32_t k = 0; k < x->k; k++)
            f->a[i * x->k + k] = factor(
                x, x->a_columns ? element_at(w, &a, k, skip + i) : element_at(w, &a, i, k), fcsr);
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t k = 0; k < x->k; k++)
            f->b[i * x->k + k] =
                factor(x, x->b_rows ? element_at(w, &b, k, i) : element_at(w, &b, i, k), fcsr);
    return 0;
}

int ventus_step_matrix(struct ventus_exec *exec, struct ventus_warp *w, struct ventus_effect *e)
{
    const struct ventus_matrix x = ventus_matrix(e->op);
    struct ventus_fcsr fcsr = {.rounding = e->op->form == FORM_MMA ? w->fcsr.rounding : x.rounding};
    struct factors f;
    const struct source c = {.first = e->rs3, .inner = x.n, .bits = x.sum_bits};
    uint32_t out[8][VENTUS_LANES] = {{0}};
    const uint32_t count = ventus_matrix_registers(&x).c;
    if (check(exec, e) != 0 || read_factors(exec, w, e, &x, &fcsr, &f) != 0)
        return 1;
    if (fcsr.rounding > VENTUS_RMM)
        return ventus_fault(exec, "there is no rounding mode %u", fcsr.rounding);
    for (uint32_t i = 0; i < x.m; i++)
        for (uint32_t j = 0; j < x.n; j++) {
            const uint32_t *a = &f.a[i * x.k], *b = &f.b[j * x.k];
            const uint32_t old = element_at(w, &c, i, j), bit = (i * x.n + j) * x.sum_bits;
            const uint32_t sum = is_integer(x.element) ? integer_sum(&x, a, b, old)
                                                       : float_sum(&x, a, b, old, &fcsr);
            out[bit / 32 / VENTUS_LANES][bit / 32 % VENTUS_LANES] |= sum << bit % 32;
        }
    e->mask = w->active;
    for (uint32_t r = 0; r < count; r++)
        ventus_write_v(exec, w, e->rd + r, e->mask, out[r]);
    ventus_raise(exec, w, fcsr.flags);
    return 0;
}
