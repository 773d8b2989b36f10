#include "analysis/units.h"

#include <stdlib.h>
#include <string.h>

struct unit_use *units_use(const struct store *store)
{
    struct unit_use *uses = calloc(store->header.unit_count + 1, sizeof *uses);
    for (size_t i = 0; uses && i < store->unit_total_count; i++) {
        const struct sink_unit_total *t = &store->unit_totals[i];
        struct unit_use *use = &uses[t->unit];
        const enum unit_state state = store->header.reasons[t->reason].state;
        uint64_t *cycles = state == STATE_BUSY      ? &use->busy
                           : state == STATE_WAITING ? &use->waiting
                                                    : &use->idle;
        *cycles += t->cycles;
        use->total += t->cycles;
    }
    return uses;
}

double units_share(const struct unit_use *use)
{
    return use->total ? (double)use->busy / (double)use->total : 0;
}

/* A digit of either name ends at the same place as one of the other. */
static bool names_match(const char *a, const char *b)
{
    while (*a && *b) {
        const bool number = *a >= '0' && *a <= '9';
        if (number != (*b >= '0' && *b <= '9') || (!number && *a != *b))
            return false;
        a += number ? strspn(a, "0123456789") : 1;
        b += number ? strspn(b, "0123456789") : 1;
    }
    return *a == *b;
}

static bool is_alike(const struct store *store, const struct unit_group *group, uint32_t unit,
                     const struct unit_use *use)
{
    return group->use.busy == use->busy && group->use.waiting == use->waiting &&
           group->use.idle == use->idle &&
           names_match(store->header.units[group->unit].name, store->header.units[unit].name);
}

static int by_busy(const void *a, const void *b)
{
    const struct unit_group *x = a, *y = b;
    if (x->use.busy != y->use.busy)
        return x->use.busy < y->use.busy ? 1 : -1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

struct unit_group *units_groups(const struct store *store, size_t *count)
{
    struct unit_use *uses = units_use(store);
    struct unit_group *groups = calloc(store->header.unit_count + 1, sizeof *groups);
    *count = 0;
    for (uint32_t u = 0; uses && groups && u < store->header.unit_count; u++) {
        size_t i = 0;
        if (!uses[u].busy)
            continue;
        while (i < *count && !is_alike(store, &groups[i], u, &uses[u]))
            i++;
        if (i == *count)
            groups[(*count)++] = (struct unit_group){.unit = u, .use = uses[u]};
        groups[i].count++;
    }
    if (groups)
        qsort(groups, *count, sizeof *groups, by_busy);
    if (!uses) {
        free(groups);
        groups = NULL;
    }
    free(uses);
    return groups;
}

uint32_t units_named(const struct store *store, const char *name)
{
    for (uint32_t u = 0; u < store->header.unit_count; u++)
        if (strcmp(store->header.units[u].name, name) == 0)
            return u;
    return NONE_ID;
}

bool units_issues(const struct store *store, uint32_t unit)
{
    return unit < store->header.unit_count && strcmp(store->header.units[unit].kind, "issue") == 0;
}

bool units_region(const struct store *store, uint32_t region, uint64_t *cycles)
{
    bool any = false;
    *cycles = 0;
    for (uint32_t u = 0; u < store->header.unit_count; u++) {
        uint64_t sum = 0;
        bool used = false;
        for (size_t i = 0; i < store->unit_total_count && units_issues(store, u); i++) {
            const struct sink_unit_total *t = &store->unit_totals[i];
            if (t->unit != u)
                continue;
            used |= t->cycles && store->header.reasons[t->reason].state != STATE_IDLE;
            sum += t->region == region ? t->cycles : 0;
            any |= t->region == region && (t->cycles || t->events);
        }
        *cycles = used && sum > *cycles ? sum : *cycles;
    }
    return any;
}
