#include "tests/kelvin/oracle.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 big;

struct words {
    char base[12];                  /* vadd */
    unsigned bytes;                 /* of a lane */
    bool u, r, n, m, scalar;        /* .u .r .rn .m .vx */
    bool length, stride, post, one; /* .l .s .p; .x of loads and stores */
    unsigned step;                  /* .1 to .4 */
};

static struct words split(const char *name)
{
    struct words w = {.bytes = 1};
    char copy[32];
    strcpy(copy, name);
    char *part = strtok(copy, ".");
    strcpy(w.base, part);
    while ((part = strtok(NULL, "."))) {
        if (strlen(part) == 1 && strchr("bhw", *part))
            w.bytes = *part == 'b' ? 1 : *part == 'h' ? 2 : 4;
        else if (!strcmp(part, "m"))
            w.m = true;
        else if (!strcmp(part, "vx") || !strcmp(part, "xx"))
            w.scalar = true;
        else if (!strcmp(part, "x"))
            w.one = true;
        else if (strchr("1234", *part))
            w.step = (unsigned)atoi(part);
        else {
            w.u |= strchr(part, 'u') != NULL;
            w.r |= strchr(part, 'r') != NULL;
            w.n |= strchr(part, 'n') != NULL;
            w.length |= strchr(part, 'l') || !strcmp(part, "tp");
            w.stride |= strchr(part, 's') || !strcmp(part, "tp");
            w.post |= strchr(part, 'p') != NULL;
        }
    }
    return w;
}

static bool is(const struct words *w, const char *base)
{
    return strcmp(w->base, base) == 0;
}

static int64_t extend(uint64_t bits, unsigned bytes, bool is_signed)
{
    const unsigned unused = 64 - 8 * bytes;
    return is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)(bits << unused >> unused);
}

static int64_t lane(const union kelvin_register *v, unsigned index, unsigned bytes, bool is_signed)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < bytes; i++)
        bits |= (uint64_t)v->b[index * bytes + i] << 8 * i;
    return extend(bits, bytes, is_signed);
}

static void put(union kelvin_register *v, unsigned index, unsigned bytes, big value)
{
    for (unsigned i = 0; i < bytes; i++)
        v->b[index * bytes + i] = (uint8_t)(value >> 8 * i);
}

static big clamp(big value, unsigned bytes, bool is_signed)
{
    const big one = 1;
    const big most = is_signed ? (one << (8 * bytes - 1)) - 1 : (one << 8 * bytes) - 1;
    const big least = is_signed ? -most - 1 : 0;
    return value > most ? most : value < least ? least : value;
}

/* value / 2^n to below, after half of 2^n is added. */
static big divide(big value, unsigned n, bool round)
{
    const big by = (big)1 << n;
    value += round && n ? by / 2 : 0;
    const big quotient = value / by;
    return quotient - (value % by < 0);
}

static unsigned bits_of(uint64_t value, unsigned bits, bool bit)
{
    unsigned count = 0;
    while (count < bits && (value >> (bits - 1 - count) & 1) == bit)
        count++;
    return count;
}

/* One lane of families that have one size throughout. */
static big value_of(const struct words *w, const int64_t s[3], const int64_t z[3])
{
    const unsigned bits = 8 * w->bytes;
    const int64_t a = w->u ? z[0] : s[0], b = w->u ? z[1] : s[1];
    const unsigned amount = (unsigned)z[1] % bits;
    uint64_t turned = 0;
    if (is(w, "vadd"))
        return a + b;
    if (is(w, "vsub"))
        return a - b;
    if (is(w, "vrsub"))
        return b - a;
    if (is(w, "veq"))
        return a == b;
    if (is(w, "vne"))
        return a != b;
    if (is(w, "vlt"))
        return a < b;
    if (is(w, "vle"))
        return a <= b;
    if (is(w, "vgt"))
        return a > b;
    if (is(w, "vge"))
        return a >= b;
    if (is(w, "vabsd"))
        return llabs(a - b);
    if (is(w, "vmax"))
        return a < b ? b : a;
    if (is(w, "vmin"))
        return a < b ? a : b;
    if (is(w, "vadd3"))
        return (big)a + b + s[2];
    if (is(w, "vadds"))
        return clamp(a + b, w->bytes, !w->u);
    if (is(w, "vsubs"))
        return clamp(a - b, w->bytes, !w->u);
    if (is(w, "vhadd"))
        return divide(a + b, 1, w->r);
    if (is(w, "vhsub"))
        return divide(a - b, 1, w->r);
    if (is(w, "vand"))
        return a & b;
    if (is(w, "vor"))
        return a | b;
    if (is(w, "vxor"))
        return a ^ b;
    if (is(w, "vnot"))
        return ~a;
    if (is(w, "vmv"))
        return a;
    if (is(w, "vdup"))
        return b;
    if (is(w, "vrev")) {
        for (unsigned i = 0; i < bits; i++)
            turned |= (uint64_t)(z[0] >> i & 1) << (i ^ amount);
        return (big)turned;
    }
    if (is(w, "vror")) {
        for (unsigned i = 0; i < bits; i++)
            turned |= (uint64_t)(z[0] >> i & 1) << (i + bits - amount) % bits;
        return (big)turned;
    }
    if (is(w, "vclb"))
        return bits_of((uint64_t)z[0], bits, z[0] >> (bits - 1) & 1);
    if (is(w, "vclz"))
        return bits_of((uint64_t)z[0], bits, 0);
    if (is(w, "vcpop")) {
        for (unsigned i = 0; i < bits; i++)
            turned += z[0] >> i & 1;
        return (big)turned;
    }
    if (is(w, "vsll"))
        return (big)z[0] << amount;
    if (is(w, "vsra"))
        return divide(s[0], amount, false);
    if (is(w, "vsrl"))
        return divide(z[0], amount, false);
    if (is(w, "vsha") || is(w, "vshl")) {
        const bool is_signed = is(w, "vsha");
        const big from = is_signed ? s[0] : z[0];
        /* 64 is beyond every lane, either way. */
        if (s[1] >= 0)
            return divide(from, s[1] > 64 ? 64 : (unsigned)s[1], w->r);
        return clamp(from * ((big)1 << (s[1] < -64 ? 64 : -s[1])), w->bytes, is_signed);
    }
    if (is(w, "vmul"))
        return (big)s[0] * s[1];
    if (is(w, "vmuls"))
        return clamp((big)a * b, w->bytes, !w->u);
    if (is(w, "vmulh"))
        return divide((big)s[0] * s[1], bits, w->r);
    if (is(w, "vmulhu"))
        return divide((big)z[0] * z[1], bits, w->r);
    if (is(w, "vdmulh")) {
        const big product = (big)s[0] * s[1], half = (big)1 << (bits - 1);
        const big sum = 2 * product + (!w->r ? 0 : w->n && product < 0 ? -half : half);
        return divide(clamp(sum, 2 * w->bytes, true), bits, false);
    }
    if (is(w, "vmacc"))
        return (big)s[2] + (big)s[0] * s[1];
    if (is(w, "vmadd"))
        return (big)s[2] * s[1] + s[0];
    if (is(w, "vsel"))
        return z[0] & 1 ? s[2] : s[1];
    abort();
}

/* v as it was; d to be written. `next`: to the following register of a group. */
struct place {
    const union kelvin_register *a, *b;
    union kelvin_register *d;
    unsigned next;
    uint32_t scalar;
    bool has_scalar;
};

static int64_t second(const struct place *p, unsigned index, unsigned bytes, bool is_signed)
{
    return p->has_scalar ? extend(p->scalar, bytes, is_signed)
                         : lane(p->b, index, bytes, is_signed);
}

static void same(const struct words *w, const struct place *p)
{
    for (unsigned l = 0; l < 32 / w->bytes; l++) {
        const int64_t s[3] = {lane(p->a, l, w->bytes, true), second(p, l, w->bytes, true),
                              lane(p->d, l, w->bytes, true)};
        const int64_t z[3] = {lane(p->a, l, w->bytes, false), second(p, l, w->bytes, false),
                              lane(p->d, l, w->bytes, false)};
        put(p->d, l, w->bytes, value_of(w, s, z));
    }
}

static void widen(const struct words *w, const struct place *p)
{
    const unsigned half = w->bytes / 2;
    for (unsigned l = 0; l < 32 / half; l++) {
        const int64_t a = lane(p->a, l, half, !w->u), b = second(p, l, half, !w->u);
        const int64_t sum = lane(p->a + l % 2 * p->next, l / 2, w->bytes, true);
        const big value = is(w, "vaddw")   ? a + b
                          : is(w, "vsubw") ? a - b
                          : is(w, "vmulw") ? (big)a * b
                                           : b + sum;
        put(p->d + l % 2 * p->next, l / 2, w->bytes, value);
    }
}

static void pairs(const struct words *w, const struct place *p)
{
    for (unsigned l = 0; l < 32 / w->bytes; l++) {
        const int64_t a = lane(p->a, 2 * l, w->bytes / 2, !w->u);
        const int64_t b = lane(p->a, 2 * l + 1, w->bytes / 2, !w->u);
        put(p->d, l, w->bytes, is(w, "vpadd") ? a + b : a - b);
    }
}

static void narrow(const struct words *w, const struct place *p)
{
    const bool is_signed = w->base[strlen(w->base) - 1] != 'u';
    const unsigned times = w->base[4] == 'q' ? 4 : 2, source = w->bytes * times;
    static const unsigned order[] = {0, 2, 1, 3};
    for (unsigned l = 0; l < 32 / w->bytes; l++) {
        const unsigned from = times == 4 ? order[l % 4] : l % 2;
        const unsigned amount = (unsigned)second(p, l / times, source, false) % (8 * source);
        const big value =
            divide(lane(p->a + from * p->next, l / times, source, is_signed), amount, w->r);
        put(p->d, l, w->bytes, clamp(value, w->bytes, is_signed));
    }
}

static void shuffle(const struct words *w, const struct place *p)
{
    const unsigned lanes = 32 / w->bytes;
    for (unsigned l = 0; l < lanes; l++) {
        if (is(w, "vzip")) {
            for (unsigned k = 0; k < 2; k++) {
                const unsigned at = l / 2 + k * lanes / 2;
                put(p->d + k * p->next, l, w->bytes,
                    l & 1 ? second(p, at, w->bytes, false) : lane(p->a, at, w->bytes, false));
            }
            continue;
        }
        for (unsigned odd = 0; odd < 2; odd++) {
            if (is(w, odd ? "vevn" : "vodd"))
                continue;
            const unsigned at = 2 * (l % (lanes / 2)) + odd;
            put(p->d + (is(w, "vevnodd") ? odd * p->next : 0), l, w->bytes,
                l < lanes / 2 ? lane(p->a, at, w->bytes, false) : second(p, at, w->bytes, false));
        }
    }
}

/* Lane `at` of the registers that start at v, or of the scalar. */
static int64_t lane_of_row(const struct place *p, bool of_b, unsigned at, unsigned bytes)
{
    const unsigned lanes = 32 / bytes;
    const union kelvin_register *v = of_b ? p->b : p->a;
    if (of_b && p->has_scalar)
        return extend(p->scalar, bytes, false);
    return lane(v + at / lanes, at % lanes, bytes, false);
}

static void slide(const struct words *w, const struct place *p, bool block)
{
    const unsigned lanes = 32 / w->bytes * (block ? 4 : 1);
    const bool previous = w->base[strlen(w->base) - 1] == 'p';
    for (unsigned l = 0; l < lanes; l++) {
        const unsigned at = previous ? l + lanes - w->step : l + w->step;
        const int64_t value = lane_of_row(p, at >= lanes, at % lanes, w->bytes);
        put(p->d + l * w->bytes / 32, l % (32 / w->bytes), w->bytes, value);
    }
}

static enum kelvin_fault on_memory(struct kelvin_oracle *o, const struct words *w,
                                   const struct kelvin_vop *op)
{
    const uint8_t *at = op->operands.at;
    const bool is_load = is(w, "vld"), quads = is(w, "vstq");
    const uint32_t sm = w->m ? 4 : 1, rows = quads ? 4 * sm : sm;
    const uint32_t row = quads ? 8 : 32;
    const uint32_t amount = w->one ? 0 : o->x[at[KELVIN_T]];
    const bool vertical = w->length && w->stride, limited = w->length && !w->stride;
    const uint64_t limit = limited ? (uint64_t)amount * w->bytes : UINT64_MAX;
    struct kelvin_oracle *after = malloc(sizeof *after);
    uint8_t *memory = malloc(o->size);
    *after = *o;
    memcpy(memory, o->memory, o->size);
    bool bad = false;
    for (uint32_t i = 0; i < rows * row; i++) {
        uint8_t *byte = &after->state.v[at[KELVIN_VD] + i / 32].b[i % 32];
        if (i >= limit) {
            if (is_load)
                *byte = 0;
            continue;
        }
        const uint32_t pitch = w->stride ? amount * w->bytes : 32;
        const uint32_t address = o->x[at[KELVIN_S]] + i / row * pitch;
        const uint32_t offset = address - o->base + i % row;
        bad |= address < o->base || offset >= o->size;
        if (bad)
            break;
        if (is_load)
            *byte = memory[offset];
        else
            memory[offset] = *byte;
    }
    if (w->post && at[KELVIN_S]) {
        const uint64_t most = limit < 32 * sm ? limit : 32 * sm;
        after->x[at[KELVIN_S]] += vertical    ? 32
                                  : limited   ? (uint32_t)most
                                  : w->stride ? amount * w->bytes * rows
                                  : w->one    ? 32 * sm
                                              : amount * w->bytes;
    }
    if (!bad) {
        *o = *after;
        memcpy(o->memory, memory, o->size);
    }
    free(after);
    free(memory);
    return !bad ? KELVIN_FAULT_NONE : is_load ? KELVIN_FAULT_LOAD : KELVIN_FAULT_STORE;
}

static int64_t biased(uint8_t byte, uint32_t control, unsigned shift)
{
    const int64_t bias = extend(control >> shift, 2, false) & 0x1ff;
    return (control >> (shift + 9) & 1 ? (int8_t)byte : byte) + (bias > 255 ? bias - 512 : bias);
}

static enum kelvin_fault on_convolution(struct kelvin_oracle *o, const struct words *w,
                                        const struct kelvin_vop *op)
{
    const uint8_t *at = op->operands.at;
    const uint32_t c = o->x[at[KELVIN_T]];
    const union kelvin_register *v = o->state.v;
    if (c & 3)
        return KELVIN_FAULT_CONTROL;
    if (is(w, "aconv")) {
        const uint32_t start = c >> 2 & 31, stop = c >> 7 & 31;
        if (start > stop || stop > 7 || at[KELVIN_VR] + stop - start > 63)
            return KELVIN_FAULT_CONTROL;
        /* sum[y][n] of rows y by columns n; 32 sums as bytes of a register, in the registers from
         * which two steps of narrowing collect them */
        for (uint32_t y = 0; y < 8; y++)
            for (uint32_t n = 0; n < 8; n++) {
                int64_t sum = 0;
                for (uint32_t k = 4 * start; k < 4 * stop + 4; k++)
                    sum += biased(v[at[KELVIN_VS] + y].b[k], c, 12) *
                           biased(v[at[KELVIN_VR] + k / 4 - start].b[4 * n + k % 4], c, 22);
                static const uint32_t order[] = {0, 2, 1, 3};
                const uint32_t byte = 8 * (y % 4) + n;
                o->state.accum[y / 4 * 4 + order[byte % 4]].w[byte / 4] += (uint32_t)sum;
            }
        return KELVIN_FAULT_NONE;
    }
    static const char *const bases[] = {"012", "123", "234", "345", "456", "567", "678", "102",
                                        "120", "340", "560", "780", "201", "401", "601", "801"};
    const char *base = bases[c >> 4 & 15];
    const uint32_t sparsity = c >> 2 & 3;
    if (sparsity == 3)
        return KELVIN_FAULT_CONTROL;
    uint8_t line[96]; /* previous, current, next */
    for (unsigned i = 0; i < 3; i++) {
        const unsigned number = at[KELVIN_VS] + (unsigned)(base[i] - '0');
        if (number > 63)
            return KELVIN_FAULT_CONTROL;
        memcpy(line + 32 * i, v[number].b, 32);
    }
    for (unsigned l = 0; l < 32; l++) {
        int64_t sum = 0;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned from = sparsity == 0 ? 32 * i + l : sparsity == 1 ? 31 + i + l : i + l;
            sum += biased(line[from], c, 12) * biased(v[at[KELVIN_VR] + i].b[l], c, 22);
        }
        static const unsigned order[] = {0, 2, 1, 3};
        o->state.dwacc[order[l % 4]].w[l / 4] += (uint32_t)sum;
    }
    if (is(w, "vdwconv"))
        memcpy(&o->state.v[at[KELVIN_VD]], o->state.dwacc, sizeof o->state.dwacc);
    return KELVIN_FAULT_NONE;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void on_registers(struct kelvin_oracle *o, const struct words *w,
                         const struct kelvin_vop *op)
{
    static struct kelvin_vector_state before;
    const uint8_t *at = op->operands.at;
    const unsigned sm = w->m ? 4 : 1;
    const bool block = begins(w->base, "vslideh");
    before = o->state;
    for (unsigned i = 0; i < (block ? 1 : sm); i++) {
        const struct place p = {
            .a = &before.v[at[KELVIN_VS] + i],
            .b = &before.v[at[KELVIN_VT] + i],
            .d = &o->state.v[at[KELVIN_VD] + i],
            .next = sm,
            .scalar = o->x[at[KELVIN_T]],
            .has_scalar = op->form->scalar,
        };
        if (is(w, "vaddw") || is(w, "vsubw") || is(w, "vmulw") || is(w, "vacc"))
            widen(w, &p);
        else if (is(w, "vpadd") || is(w, "vpsub"))
            pairs(w, &p);
        else if (begins(w->base, "vsra") && strlen(w->base) > 4)
            narrow(w, &p);
        else if (begins(w->base, "vev") || is(w, "vodd") || is(w, "vzip"))
            shuffle(w, &p);
        else if (begins(w->base, "vslide"))
            slide(w, &p, block);
        else if (is(w, "vmvp"))
            for (unsigned l = 0; l < 32 / w->bytes; l++) {
                put(p.d, l, w->bytes, lane(p.a, l, w->bytes, false));
                put(p.d + p.next, l, w->bytes, second(&p, l, w->bytes, false));
            }
        else
            same(w, &p);
    }
}

enum kelvin_fault kelvin_oracle_run(struct kelvin_oracle *o, const struct kelvin_vop *op)
{
    const struct words w = split(op->form->name);
    const uint8_t *at = op->operands.at;
    if (is(&w, "vld") || is(&w, "vst") || is(&w, "vstq"))
        return on_memory(o, &w, op);
    if (is(&w, "aconv") || is(&w, "vdwconv") || is(&w, "adwconv"))
        return on_convolution(o, &w, op);
    if (begins(w.base, "get")) {
        uint64_t least = (w.m ? 128 : 32) / w.bytes;
        if (is(&w, "getvl") && o->x[at[KELVIN_S]] < least)
            least = o->x[at[KELVIN_S]];
        if (w.scalar && o->x[at[KELVIN_T]] < least)
            least = o->x[at[KELVIN_T]];
        if (at[KELVIN_D])
            o->x[at[KELVIN_D]] = (uint32_t)least;
        return KELVIN_FAULT_NONE;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (is(&w, "vcget")) {
            o->state.v[48 + i] = o->state.accum[i];
            memset(&o->state.accum[i], 0, 32);
        } else if (is(&w, "acset"))
            o->state.accum[i] = o->state.v[at[KELVIN_VS] + i];
        else if (is(&w, "actr"))
            for (unsigned j = 0; j < 8; j++)
                o->state.accum[(j & 4) | (j & 1) << 1 | (j >> 1 & 1)].w[i] =
                    o->state.v[at[KELVIN_VS] + i].w[j];
        else if (is(&w, "adwinit") && i < 4)
            o->state.dwacc[i] = o->state.v[at[KELVIN_VS] + i];
    }
    if (!begins(w.base, "a") && !is(&w, "vcget"))
        on_registers(o, &w, op);
    return KELVIN_FAULT_NONE;
}
