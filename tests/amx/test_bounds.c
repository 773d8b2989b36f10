/*
 * bounds: on random AMX programs no bound of any class is above the total, and every certificate
 * holds. Small programs of one thread are tried in every order that keeps their dependences, which
 * the test knows by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/amx/random_program.h"
#include "tests/bounds_kit.h"
#include "tests/often.h"
#include "timing/machines.h"

enum { PROGRAMS = 60, SMALL = 25, MOST = 7, LINE = 64, TEXT = MOST * LINE };

static struct dice dice = {23};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

static void never_above_the_total(void **unused)
{
    (void)unused;
    for (size_t p = 0; p < often(PROGRAMS); p++) {
        char text[4000];
        amx_random_program(&dice, text, sizeof text);
        struct subject s = {.machine = &machine_amx};
        if (subject_take(&s, text))
            subject_sound(&s, text);
        subject_free(&s);
    }
}

/* A kernel that fills the array has no gap to it; one accumulator has none to its path. */
static void kernels_meet_their_bounds(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        ".repeat 64\nmatfp f32 z=0\n.end\n",
        ".repeat 64\nmatfp f32 z=0\nmatfp f32 z=1\nmatfp f32 z=2\nmatfp f32 z=3\n.end\n"};
    static const enum bound_kind kinds[] = {BOUND_PATH, BOUND_UNIT};
    for (unsigned k = 0; k < 2; k++) {
        struct subject s = {.machine = &machine_amx};
        assert_true(subject_take(&s, texts[k]));
        const struct bound *best = bounds_best(&s.bounds, BOUND_ANY_ORDER);
        assert_int_equal(best->cycles, s.cycles);
        assert_int_equal(best->kind, kinds[k]);
        subject_free(&s);
    }
}

/* --- every order ------------------------------------------------------------------------------ */

/* Places: x0, x1, y0, y1, z of f32 at 0, 1, 2, two rows of memory. */
enum { X = 0, Y = 2, Z = 4, MEMORY = 7 };

struct op {
    char text[LINE];
    uint32_t reads, writes;
};

static void make_op(struct op *op)
{
    const unsigned x = pick(2), y = pick(2), z = pick(3), row = pick(2);
    *op = (struct op){.reads = 0};
    switch (pick(4)) {
    case 0:
        snprintf(op->text, LINE, "ldx x=%u addr=%u\n", x, 64 * row);
        op->reads = 1u << (MEMORY + row);
        op->writes = 1u << (X + x);
        break;
    case 1:
        snprintf(op->text, LINE, "ldy y=%u addr=%u\n", y, 64 * row);
        op->reads = 1u << (MEMORY + row);
        op->writes = 1u << (Y + y);
        break;
    case 2:
        snprintf(op->text, LINE, "stx x=%u addr=%u\n", x, 64 * row);
        op->reads = 1u << (X + x);
        op->writes = 1u << (MEMORY + row);
        break;
    default:
        snprintf(op->text, LINE, "matfp f32 x=%u y=%u z=%u\n", 64 * x, 64 * y, z);
        op->reads = 1u << (X + x) | 1u << (Y + y) | 1u << (Z + z);
        op->writes = 1u << (Z + z);
        break;
    }
}

struct search {
    struct op ops[MOST];
    unsigned count, placed, order[MOST];
    uint32_t done;
    uint64_t bound, best;
};

static void write_order(const struct search *s, char text[TEXT])
{
    text[0] = '\0';
    for (unsigned k = 0; k < s->placed; k++)
        strcat(text, s->ops[s->order[k]].text);
}

static bool may_go(const struct search *s, unsigned op)
{
    for (unsigned before = 0; before < op; before++) {
        const struct op *a = &s->ops[before], *b = &s->ops[op];
        if (!(s->done >> before & 1) &&
            ((a->writes & (b->reads | b->writes)) || (a->reads & b->writes)))
            return false;
    }
    return !(s->done >> op & 1);
}

static void place(struct search *s)
{
    const struct subject subject = {.machine = &machine_amx};
    char text[TEXT];
    if (s->best == s->bound)
        return;
    write_order(s, text);
    const uint64_t total = s->placed ? subject_total(&subject, text) : 0;
    if (total >= s->best)
        return;
    if (s->placed == s->count) {
        if (total < s->bound)
            fail_msg("%llu cycles, below the bound of %llu:\n%s", (unsigned long long)total,
                     (unsigned long long)s->bound, text);
        s->best = total;
        return;
    }
    for (unsigned op = 0; op < s->count; op++) {
        if (!may_go(s, op))
            continue;
        s->order[s->placed++] = op;
        s->done |= 1u << op;
        place(s);
        s->done &= ~(1u << op);
        s->placed--;
    }
}

static void best_order_is_not_below(void **unused)
{
    (void)unused;
    size_t equal = 0;
    double gap = 0;
    const size_t programs = often(SMALL);
    for (size_t p = 0; p < programs; p++) {
        struct search s = {.count = 2 + pick(p < SMALL ? 4 : MOST - 1), .best = UINT64_MAX};
        char text[TEXT];
        for (unsigned k = 0; k < s.count; k++) {
            make_op(&s.ops[k]);
            s.order[k] = k;
        }
        s.placed = s.count;
        write_order(&s, text);
        struct subject subject = {.machine = &machine_amx};
        assert_true(subject_take(&subject, text));
        subject_sound(&subject, text);
        s.bound = bounds_best(&subject.bounds, BOUND_ANY_ORDER)->cycles;
        subject_free(&subject);
        s.placed = 0;
        place(&s);
        equal += s.best == s.bound;
        gap += (double)(s.best - s.bound) / (double)s.best;
    }
    printf(
        "%zu programs: the best order is equal to the bound in %.1f %%, the mean gap is %.2f %%\n",
        programs, 100.0 * (double)equal / (double)programs, 100.0 * gap / (double)programs);
    assert_true(2 * equal >= programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(never_above_the_total),
                                       cmocka_unit_test(kernels_meet_their_bounds),
                                       cmocka_unit_test(best_order_is_not_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
