#include "analysis/stalls.h"

#include <stdlib.h>

/* The first transfer of each statement, from 1; 0: it sends none. */
static uint32_t *first_transfers(const struct store *store, bool *any)
{
    const size_t stmts = store->header.stmt_count;
    uint32_t *first = calloc(stmts + 1, sizeof *first);
    for (size_t i = store->transfer_count; first && i > 0; i--) {
        const uint32_t stmt = store->transfers[i - 1].sink.stmt;
        if (stmt < stmts && store_asks(store, stmt)) {
            first[stmt] = (uint32_t)i;
            *any = true;
        }
    }
    return first;
}

/* Where it need not be looked up: a tag holds the stream, memory and links hold transfers. */
static bool holds_transfer(const struct store *store, const struct dep *dep, uint32_t first)
{
    if (dep->kind == EDGE_TAG)
        return false;
    return dep->kind == EDGE_MEMORY || dep->kind == EDGE_LINK ||
           (first && store->transfers[first - 1].sink.issued < dep->first_at);
}

static bool goes_before(const struct stall *a, const struct stall *b, bool streams_first)
{
    return streams_first && a->transfer != b->transfer ? b->transfer
                                                       : a->dep->waited > b->dep->waited;
}

int stalls_find(const struct store *store, bool streams_first, size_t most,
                struct stall list[STALLS_MOST], size_t *count)
{
    bool any = false;
    uint32_t *first = first_transfers(store, &any);
    *count = 0;
    for (size_t i = 0; first && i < store->deps.count; i++) {
        const struct dep *dep = &store->deps.rows[i];
        const uint32_t sends = dep->dst < store->header.stmt_count ? first[dep->dst] : 0;
        const struct stall stall = {dep, any && holds_transfer(store, dep, sends), NULL};
        if (!dep->waited)
            continue;
        size_t at = *count < most ? (*count)++ : most;
        for (; at > 0 && goes_before(&stall, &list[at - 1], streams_first); at--)
            if (at < most)
                list[at] = list[at - 1];
        if (at < most)
            list[at] = stall;
    }
    for (size_t i = 0; first && i < *count; i++) {
        const uint32_t src = list[i].dep->src;
        if (list[i].dep->kind == EDGE_TAG && src < store->header.stmt_count && first[src])
            list[i].sent = &store->transfers[first[src] - 1];
    }
    free(first);
    return first ? 0 : -1;
}
