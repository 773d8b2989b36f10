#include "tests/loops/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long below(struct dice *dice, long limit)
{
    return (long)dice_below(dice, (uint64_t)limit);
}

static bool once_in(struct dice *dice, long times)
{
    return below(dice, times) == 0;
}

static long size_of(const struct kit_tensor *t)
{
    return t->type == KIT_I8 ? 1 : 4;
}

/* --- programs --------------------------------------------------------------------------------- */

/* Where its elements lie, once shape and strides are known. */
static void place(struct kit *kit, struct kit_tensor *t)
{
    long low = 0, high = 0;
    for (int d = 0; d < t->rank; d++)
        *(t->stride[d] < 0 ? &low : &high) += (t->shape[d] - 1) * t->stride[d];
    kit->memory = (kit->memory + 3) / 4 * 4;
    t->low = kit->memory;
    t->base = t->low - low * size_of(t);
    t->high = t->base + (high + 1) * size_of(t);
    kit->memory = t->high;
}

static void pack(struct kit_tensor *t)
{
    long stride = 1;
    for (int d = t->rank; d-- > 0; stride *= t->shape[d])
        t->stride[d] = stride;
}

/* A permutation of the dimensions, gaps between them, some downwards. */
static void spread(struct kit_tensor *t, struct dice *dice)
{
    long stride = 1;
    bool done[KIT_RANK] = {false};
    for (int i = 0; i < t->rank; i++) {
        int d = (int)below(dice, t->rank);
        while (done[d])
            d = (d + 1) % t->rank;
        done[d] = true;
        t->stride[d] = once_in(dice, 4) ? -stride : stride;
        stride *= t->shape[d] + below(dice, 3);
    }
}

static void choose_result(struct kit *kit, struct kit_nest *n, struct dice *dice)
{
    struct kit_tensor *t = &kit->tensors[kit->tensor_count];
    n->to.tensor = kit->tensor_count++;
    t->rank = 0;
    for (int i = 0; i < n->rank; i++) {
        if (n->sums[i])
            continue;
        const int d = t->rank++;
        const long times = once_in(dice, 6) ? 2 : once_in(dice, 6) ? -1 : 1;
        n->to.times[d][i] = times;
        n->to.constant[d] = below(dice, 2) + (times < 0 ? n->limit[i] - 1 : 0);
        t->shape[d] = labs(times) * (n->limit[i] - 1) + 2 + below(dice, 2);
    }
    if (t->rank == 0)
        t->shape[t->rank++] = 1;
    if (once_in(dice, 3))
        spread(t, dice);
    else
        pack(t);
    place(kit, t);
}

static void choose_source(struct kit *kit, struct kit_nest *n, int type, struct kit_operand *o,
                          struct dice *dice)
{
    if (once_in(dice, 8)) {
        o->tensor = -1;
        o->number = below(dice, 9) - 4;
        return;
    }
    struct kit_tensor *t = &kit->tensors[kit->tensor_count];
    o->tensor = kit->tensor_count++;
    t->type = type == KIT_F32 ? KIT_F32 : once_in(dice, 2) ? KIT_I8 : KIT_I32;
    t->rank = 1 + (int)below(dice, 3);
    for (int d = 0; d < t->rank; d++) {
        long low = 0, high = 0;
        for (long terms = below(dice, 3); terms > 0; terms--) {
            static const long choice[] = {1, 1, 1, 2, -1, 3};
            const int i = (int)below(dice, n->rank);
            o->times[d][i] += choice[below(dice, 6)];
        }
        for (int i = 0; i < n->rank; i++)
            *(o->times[d][i] < 0 ? &low : &high) += o->times[d][i] * (n->limit[i] - 1);
        o->constant[d] = below(dice, 3) - low;
        t->shape[d] = high + o->constant[d] + 1 + below(dice, 2);
    }
    if (once_in(dice, 4))
        for (int d = 0; d < t->rank; d++)
            t->stride[d] = below(dice, 5) - 2; /* read through each other: fine */
    else
        pack(t);
    place(kit, t);
}

static bool across_tiles(const struct kit *kit, int over)
{
    return kit->tiles > 1 && (over == KIT_UNITS || over == KIT_TILES);
}

static void choose_units(const struct kit *kit, struct kit_nest *n, struct dice *dice)
{
    if (once_in(dice, 8))
        return;
    const bool all = once_in(dice, 2);
    for (int over = all ? KIT_UNITS : KIT_TILES; over <= (all ? KIT_UNITS : KIT_MATH); over++) {
        const int i = (int)below(dice, n->rank);
        if (!n->over[i] && !(n->sums[i] && across_tiles(kit, over)))
            n->over[i] = over;
    }
}

/* Whether sums come in the order of the loops as written: no divided loop sums, or only one does,
 * it is the innermost that sums, and its outer loop stands beside it in one nest. */
static bool keeps_order(const struct kit_nest *n)
{
    int divided = 0, innermost = -1, sums = 0;
    for (int i = 0; i < n->rank; i++)
        if (n->sums[i] && n->limit[i] > 1) {
            innermost = i;
            sums++;
            divided += n->over[i] != KIT_ALONE;
        }
    return divided == 0 || (divided == 1 && n->over[innermost] && sums == 1) ||
           (divided == 1 && n->over[innermost] && !n->outermost && n->strategy != KIT_PEELED);
}

static void choose_nest(struct kit *kit, struct kit_nest *n, struct dice *dice)
{
    long room = 6000;
    n->rank = 1 + (int)below(dice, once_in(dice, 8) ? KIT_RANK : 4);
    for (int i = 0; i < n->rank; i++) {
        const long most = room < 90 ? room : 90;
        n->limit[i] = once_in(dice, 6) ? 1 : 1 + below(dice, n->rank > 4 ? 4 : most);
        n->limit[i] = n->limit[i] < most ? n->limit[i] : most;
        room = room / n->limit[i] + 1;
    }
    n->strategy = (int)below(dice, 4);
    n->outermost = once_in(dice, 3);
    n->op = (int)below(dice, 5);
    n->assign = once_in(dice, 2) ? KIT_SET : once_in(dice, 3) ? KIT_MAX : KIT_ADD;
    for (int i = 0; i < n->rank; i++)
        n->sums[i] = n->assign != KIT_SET && once_in(dice, 2);
    const int type = (int)below(dice, n->assign == KIT_ADD ? 2 : 3);
    kit->tensors[kit->tensor_count].type = type;
    choose_result(kit, n, dice);
    choose_source(kit, n, type, &n->a, dice);
    if (n->assign == KIT_SET && once_in(dice, 10))
        n->a = n->to; /* in place */
    if (n->op != KIT_NONE)
        choose_source(kit, n, type, &n->b, dice);
    choose_units(kit, n, dice);
    n->exact = !keeps_order(n);
}

/* --- text ------------------------------------------------------------------------------------- */

#define PUT(...) (at += snprintf(kit->text + at, KIT_TEXT - (size_t)at, __VA_ARGS__))

static int put_tensor(struct kit *kit, int at, int number)
{
    static const char *const type[] = {"f32", "i32", "i8"};
    const struct kit_tensor *t = &kit->tensors[number];
    PUT("tensor t%d %s ", number, type[t->type]);
    for (int d = 0; d < t->rank; d++)
        PUT("%s%ld", d ? "x" : "", t->shape[d]);
    PUT(" base=%ld", t->base);
    for (int d = 0; d < t->rank; d++)
        PUT("%s%ld", d ? "," : " strides=", t->stride[d]);
    PUT("\n");
    return at;
}

static int put_operand(struct kit *kit, int at, const struct kit_nest *n,
                       const struct kit_operand *o)
{
    if (o->tensor < 0) {
        PUT("%ld", o->number);
        return at;
    }
    PUT("t%d", o->tensor);
    for (int d = 0; d < kit->tensors[o->tensor].rank; d++) {
        PUT("%s%ld", d ? "," : "[", o->constant[d]);
        for (int i = 0; i < n->rank; i++)
            if (o->times[d][i])
                PUT("%+ld*i%d", o->times[d][i], i);
    }
    PUT("]");
    return at;
}

static int put_nest(struct kit *kit, int at, const struct kit_nest *n)
{
    static const char *const strategy[] = {"alternate", "uniform", "masked", "peeled"},
                             *const over[] = {"", "units", "tiles", "processors", "math"},
                             *const assign[] = {"=", "+=", "max="},
                             *const op[] = {"", "+", "-", "*", "max"};
    PUT("nest %s outer=%s\n", strategy[n->strategy], n->outermost ? "outermost" : "beside");
    for (int i = 0; i < n->rank; i++)
        PUT("  for i%d %ld%s%s\n", i, n->limit[i], n->over[i] ? " over " : "", over[n->over[i]]);
    at = put_operand(kit, at, n, &n->to);
    PUT(" %s ", assign[n->assign]);
    at = put_operand(kit, at, n, &n->a);
    if (n->op) {
        PUT(" %s ", op[n->op]);
        at = put_operand(kit, at, n, &n->b);
    }
    PUT("\nend\n");
    return at;
}

void loops_kit_program(struct kit *kit, struct dice *dice)
{
    *kit = (struct kit){.tiles = 1, .processors = 1, .math = 1 + below(dice, 70)};
    if (once_in(dice, 2)) {
        kit->tiles = 1 + below(dice, 4);
        kit->processors = 1 + below(dice, 4);
        kit->math = 1 + below(dice, 9);
    }
    kit->nest_count = 1 + (int)below(dice, KIT_NESTS);
    for (int i = 0; i < kit->nest_count; i++)
        choose_nest(kit, &kit->nests[i], dice);
    kit->memory = (kit->memory + 7) / 8 * 8;
    int at = 0;
    PUT("units tiles=%ld processors=%ld math=%ld\n", kit->tiles, kit->processors, kit->math);
    for (int i = 0; i < kit->tensor_count; i++)
        at = put_tensor(kit, at, i);
    for (int i = 0; i < kit->nest_count; i++)
        at = put_nest(kit, at, &kit->nests[i]);
}

/* --- values ----------------------------------------------------------------------------------- */

void loops_kit_fill(const struct kit *kit, struct dice *dice, uint8_t *memory)
{
    bool exact = false;
    for (int i = 0; i < kit->nest_count; i++)
        exact = exact || kit->nests[i].exact;
    memset(memory, 0, (size_t)kit->memory);
    for (int i = 0; i < kit->tensor_count; i++) {
        const struct kit_tensor *t = &kit->tensors[i];
        for (long at = t->low; at < t->high; at += size_of(t)) {
            const uint64_t bits = dice_next(dice);
            const float real = (float)((double)(int)(bits % 201) - 100) / (exact ? 1.0F : 7.0F);
            if (t->type == KIT_F32)
                memcpy(memory + at, &real, 4);
            else
                memcpy(memory + at, &bits, (size_t)size_of(t));
        }
    }
}

static long address_of(const struct kit *kit, const struct kit_nest *n, const struct kit_operand *o,
                       const long *index)
{
    const struct kit_tensor *t = &kit->tensors[o->tensor];
    long element = 0;
    for (int d = 0; d < t->rank; d++) {
        long at = o->constant[d];
        for (int i = 0; i < n->rank; i++)
            at += o->times[d][i] * index[i];
        if (at < 0 || at >= t->shape[d])
            abort();
        element += at * t->stride[d];
    }
    return t->base + element * size_of(t);
}

/* Both as numbers: f32 and i32 are exact in a double. */
static double read_at(const struct kit *kit, const struct kit_operand *o, const uint8_t *at)
{
    float real;
    int32_t whole;
    switch (kit->tensors[o->tensor].type) {
    case KIT_F32:
        memcpy(&real, at, 4);
        return (double)real;
    case KIT_I32:
        memcpy(&whole, at, 4);
        return whole;
    default:
        return (int8_t)*at;
    }
}

static double compute(int type, int op, double a, double b)
{
    if (type == KIT_F32) {
        const float x = (float)a, y = (float)b;
        volatile float r = op == KIT_PLUS                    ? x + y
                           : op == KIT_MINUS                 ? x - y
                           : op == KIT_TIMES                 ? x * y
                           : x > y || (x >= y && signbit(y)) ? x
                                                             : y;
        return (double)r;
    }
    if (op == KIT_LARGER)
        return a > b ? a : b;
    const int64_t x = (int64_t)a, y = (int64_t)b;
    const uint32_t bits = (uint32_t)(op == KIT_PLUS ? x + y : op == KIT_MINUS ? x - y : x * y);
    return bits > INT32_MAX ? (double)bits - 4294967296.0 : (double)bits;
}

static void write_at(int type, uint8_t *at, double value)
{
    const float real = (float)value;
    const int32_t whole = type == KIT_F32 ? 0 : (int32_t)value;
    const int8_t byte = (int8_t)(whole < -128 ? -128 : whole > 127 ? 127 : whole);
    if (type == KIT_I8)
        memcpy(at, &byte, 1);
    else if (type == KIT_I32)
        memcpy(at, &whole, 4);
    else
        memcpy(at, &real, 4);
}

static void execute(const struct kit *kit, const struct kit_nest *n, uint8_t *memory, long *index,
                    int depth)
{
    if (depth < n->rank) {
        for (index[depth] = 0; index[depth] < n->limit[depth]; index[depth]++)
            execute(kit, n, memory, index, depth + 1);
        return;
    }
    uint8_t *to = memory + address_of(kit, n, &n->to, index);
    const int type = kit->tensors[n->to.tensor].type;
    double value[2] = {0, 0};
    const struct kit_operand *const from[2] = {&n->a, &n->b};
    for (int i = 0; i < (n->op ? 2 : 1); i++)
        value[i] = from[i]->tensor < 0
                       ? (double)from[i]->number
                       : read_at(kit, from[i], memory + address_of(kit, n, from[i], index));
    double result = n->op ? compute(type, n->op, value[0], value[1]) : value[0];
    if (n->assign != KIT_SET)
        result = compute(type, n->assign == KIT_ADD ? KIT_PLUS : KIT_LARGER,
                         read_at(kit, &n->to, to), result);
    write_at(type, to, result);
}

void loops_kit_execute(const struct kit *kit, uint8_t *memory)
{
    long index[KIT_RANK];
    for (int i = 0; i < kit->nest_count; i++)
        execute(kit, &kit->nests[i], memory, index, 0);
}
