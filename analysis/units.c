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
