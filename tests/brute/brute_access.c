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

void brute_mark(struct brute *brute, const char *name, uint64_t from, uint64_t length)
{
    struct brute_result *result = brute->result;
    size_t u = 0;
    while (u < result->unit_count && strcmp(result->units[u].name, name) != 0)
        u++;
    struct brute_unit *unit = &result->units[u];
    if (u == result->unit_count) {
        if (u == BRUTE_UNITS) {
            brute->failed = true;
            return;
        }
        result->unit_count++;
        snprintf(unit->name, sizeof unit->name, "%s", name);
    }
    if (from + length > unit->size) {
        const size_t size = 2 * (size_t)(from + length) + 1024;
        uint8_t *marks = realloc(unit->marks, size);
        if (!marks) {
            brute->failed = true;
            return;
        }
        memset(marks + unit->size, 0, size - unit->size);
        unit->marks = marks;
        unit->size = size;
    }
    memset(unit->marks + from, 1, (size_t)length);
}
