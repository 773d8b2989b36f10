/* brute_access: every port that is read or written, every write that lands, by single cycles. */
#include <stdlib.h>
#include <string.h>

#include "tests/brute/brute_state.h"

/* Ports towards L2BM, of which the earlier statement has a cycle that two want (README 4). */
static bool yields(const char *unit)
{
    return (strncmp(unit, "l1bm", 4) == 0 && strstr(unit, ".l2b")) ||
           (strncmp(unit, "l2bm", 4) == 0 && strstr(unit, ".pe"));
}

/* Several accesses of one port in one step are one (3.6.4). */
void brute_access(struct brute *brute, const struct brute_use *use, uint64_t cycle)
{
    struct brute_result *result = brute->result;
    for (size_t i = result->access_count; i-- > 0;) {
        struct brute_access *other = &result->accesses[i];
        if (other->statement + 100 < brute->statement)
            break;
        if (other->cycle != cycle || strcmp(other->unit, use->unit) != 0)
            continue;
        const bool same = other->statement == brute->statement && other->line == brute->line;
        if (same && strcmp(other->operation, use->operation) == 0) {
            other->amount = use->amount > other->amount ? use->amount : other->amount;
            return;
        }
        if (!same && use->holds && other->holds && yields(use->unit))
            return;
    }
    if (result->access_count == result->access_room) {
        const size_t room = 2 * result->access_room + 256;
        struct brute_access *grown = realloc(result->accesses, room * sizeof *grown);
        if (!grown) {
            brute->failed = true;
            return;
        }
        result->accesses = grown;
        result->access_room = room;
    }
    struct brute_access *access = &result->accesses[result->access_count++];
    *access = (struct brute_access){.cycle = cycle,
                                    .operation = use->operation,
                                    .amount = use->amount,
                                    .holds = use->holds,
                                    .line = brute->line,
                                    .statement = brute->statement};
    snprintf(access->unit, sizeof access->unit, "%s", use->unit);
}
