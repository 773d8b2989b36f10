#include "tests/orders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TEXT = 4096 };

static void write_order(const struct orders *o, char text[TEXT])
{
    size_t used = (size_t)snprintf(text, TEXT, "%s", o->before);
    for (unsigned k = 0; k < o->placed; k++)
        used += (size_t)snprintf(text + used, TEXT - used, "%s", o->ops[o->order[k]].text);
    used += (size_t)snprintf(text + used, TEXT - used, "%s", o->after);
    assert_true(used < TEXT);
}

static bool may_go(const struct orders *o, unsigned op)
{
    for (unsigned before = 0; before < op; before++) {
        const struct orders_op *a = &o->ops[before], *b = &o->ops[op];
        if (!(o->done >> before & 1) &&
            ((a->writes & (b->reads | b->writes)) || (a->reads & b->writes)))
            return false;
    }
    return !(o->done >> op & 1);
}

static void place(struct orders *o)
{
    char text[TEXT];
    if (o->best == o->bound)
        return;
    if (o->placed == o->count) {
        write_order(o, text);
        const uint64_t total = subject_total(&o->subject, text);
        if (total < o->bound)
            fail_msg("%llu cycles, below the bound of %llu:\n%s", (unsigned long long)total,
                     (unsigned long long)o->bound, text);
        o->best = total < o->best ? total : o->best;
        return;
    }
    for (unsigned op = 0; op < o->count; op++) {
        if (!may_go(o, op))
            continue;
        o->order[o->placed++] = op;
        o->done |= 1U << op;
        place(o);
        o->done &= ~(1U << op);
        o->placed--;
    }
}

void orders_try(struct orders *o, struct orders_sum *sum)
{
    char text[TEXT];
    for (unsigned k = 0; k < o->count; k++)
        o->order[k] = k;
    o->placed = o->count;
    write_order(o, text);
    struct subject subject = o->subject;
    assert_true(subject_take(&subject, text));
    subject_sound(&subject, text);
    o->bound = bounds_best(&subject.bounds, BOUND_ANY_ORDER)->cycles;
    subject_free(&subject);
    o->placed = 0;
    o->done = 0;
    o->best = UINT64_MAX;
    place(o);
    sum->programs++;
    sum->equal += o->best == o->bound;
    sum->gap += (double)(o->best - o->bound) / (double)o->best;
}

void orders_say(const struct orders_sum *sum)
{
    printf(
        "%zu programs: the best order is equal to the bound in %.1f %%, the mean gap is %.2f %%\n",
        sum->programs, 100.0 * (double)sum->equal / (double)sum->programs,
        100.0 * sum->gap / (double)sum->programs);
}
