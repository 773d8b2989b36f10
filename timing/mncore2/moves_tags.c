#include "timing/mncore2/moves_tags.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"
#include "timing/mncore2/check_race.h"

enum { TAGS = 256 };

static bool ended(const struct graph_made *made, size_t transfer, size_t access)
{
    return mncore2_arrivals_over(&made->arrivals, transfer) <= access;
}

/* --- pairs ------------------------------------------------------------------------------------ */

static const struct mv *mv_of(const struct program *program, size_t item)
{
    return program->stmts[program->items[item].stmt].mv;
}

static bool region_known(const struct mv *mv)
{
    return !mv->from.indirect && !mv->to.indirect;
}

/* Whether an arc is such a pair. */
static bool is_pair(const struct graph_made *made, const struct program *program,
                    const struct graph_arc *arc)
{
    const struct graph_node *from = &made->graph.nodes[arc->from],
                            *to = &made->graph.nodes[arc->to];
    if (!from->transfer || arc->kind >= ARC_PORT || to->outside || from->waited <= to->stmt ||
        !made->arrivals.count)
        return false;
    if (ended(made, from->stmt, to->stmt))
        return true;
    const struct mv *mv = mv_of(program, from->stmt);
    return arc->space != SPACE_DAR && region_known(mv) &&
           !(to->transfer && (!region_known(mv_of(program, to->stmt)) ||
                              mncore2_mv_ends_before(mv, mv_of(program, to->stmt))));
}

uint32_t mncore2_tags_slots(const struct graph_made *made, const struct program *program,
                            const struct graph_arc *arc)
{
    const struct arrivals *a = &made->arrivals;
    if (!is_pair(made, program, arc))
        return 0;
    const size_t transfer = made->graph.nodes[arc->from].stmt,
                 access = made->graph.nodes[arc->to].stmt;
    const uint64_t until = ended(made, transfer, access) ? a->finished[transfer] : a->at[access];
    return (uint32_t)((until - a->at[transfer] + CYCLES - 1) / CYCLES);
}

uint32_t mncore2_tags_kept(const struct graph_made *made, const struct program *program,
                           const struct graph_arc *arc)
{
    const struct arrivals *a = &made->arrivals;
    const size_t transfer = made->graph.nodes[arc->from].stmt,
                 access = made->graph.nodes[arc->to].stmt;
    if (!is_pair(made, program, arc) || ended(made, transfer, access))
        return 0;
    return (uint32_t)(a->at[access] - a->at[transfer]);
}

static int by_access(const void *first, const void *second)
{
    const struct added_wait *a = first, *b = second;
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    return (a->transfer > b->transfer) - (a->transfer < b->transfer);
}

static int add_pair(struct tags *tags, size_t transfer, size_t access)
{
    struct added_wait *waits = grow(tags->waits, &tags->capacity, tags->count + 1, sizeof *waits);
    if (!waits)
        return -1;
    tags->waits = waits;
    waits[tags->count++] = (struct added_wait){.item = access, .transfer = transfer};
    return 0;
}

/* The line of the last wait in (transfer, access]; 0: there is none. *seen: that and all before it
 * have been passed, *last: the last wait there. */
static uint32_t wait_between(const struct program *program, size_t transfer, size_t access,
                             size_t *seen, size_t *last)
{
    for (; *seen <= access; ++*seen) {
        const struct stmt *stmt = &program->stmts[program->items[*seen].stmt];
        if (stmt->kind == STMT_STEP && stmt->step->wait)
            *last = *seen;
    }
    return *last > transfer ? program->items[*last].line : 0;
}

static int tell(const struct tags *tags, const struct tags *pairs, const struct graph_made *made,
                const struct program *program, struct moves *moves)
{
    const struct arrivals *a = &made->arrivals;
    moves->pairs = calloc(pairs->count, sizeof *moves->pairs);
    if (!moves->pairs)
        return -1;
    for (size_t i = 0, seen = 0, last = 0; i < pairs->count; i++) { /* by access */
        const size_t transfer = pairs->waits[i].transfer, access = pairs->waits[i].item;
        const bool early = !ended(made, transfer, access);
        moves->pairs[moves->pair_count++] = (struct moves_pair){
            .transfer = program->items[transfer].line,
            .access = program->items[access].line,
            .cycles = (early ? a->at[access] : a->finished[transfer]) - a->at[transfer],
            .early = early,
            .wait = wait_between(program, transfer, access, &seen, &last)};
        if (tags->tag && tags->tag[transfer])
            snprintf(moves->pairs[i].tag, sizeof moves->pairs[i].tag, "i%02x",
                     (unsigned)tags->tag[transfer]);
    }
    return 0;
}

/* --- tags ------------------------------------------------------------------------------------- */

/* Tags that the program has; and of others, from which item on they may be used again. */
struct pool {
    bool taken[TAGS];
    size_t until[TAGS];
    unsigned next;
};

static void take_written(struct pool *pool, const struct program *program)
{
    pool->taken[0] = true;
    for (size_t s = 0; s < program->stmt_count; s++) {
        const struct stmt *stmt = &program->stmts[s];
        if (stmt->kind == STMT_MV)
            pool->taken[stmt->mv->tag] = true;
        if (stmt->kind == STMT_STEP)
            pool->taken[stmt->step->wait] = true;
    }
}

/* Of a transfer that is waited for at `until`; 0: all are in flight. */
static uint8_t choose(struct pool *pool, size_t transfer, size_t until)
{
    for (unsigned tried = 0; tried < TAGS; tried++) {
        const unsigned tag = pool->next;
        pool->next = (pool->next + 1) % TAGS;
        if (pool->taken[tag] || pool->until[tag] > transfer)
            continue;
        pool->until[tag] = until;
        return (uint8_t)tag;
    }
    return 0;
}

/* The first access of each transfer waits for it, if there is a tag: one that the transfer has
 * already is waited for later, too. pairs: by access. */
static int add_tags(struct tags *tags, const struct tags *pairs, const struct program *program)
{
    struct pool pool = {.next = 1};
    tags->tag = calloc(program->item_count + 1, sizeof *tags->tag);
    tags->wait_at = calloc(program->item_count + 1, sizeof *tags->wait_at);
    tags->waits = calloc(pairs->count, sizeof *tags->waits);
    if (!tags->tag || !tags->wait_at || !tags->waits)
        return -1;
    for (size_t i = pairs->count; i-- > 0;) /* the first access is written last */
        tags->wait_at[pairs->waits[i].transfer] = i + 1;
    take_written(&pool, program);
    for (size_t t = 0; t < program->item_count; t++)
        if (tags->wait_at[t]) {
            const uint8_t written = mv_of(program, t)->tag;
            const size_t until = pairs->waits[tags->wait_at[t] - 1].item;
            tags->tag[t] = written ? written : choose(&pool, t, until);
        }
    for (size_t i = 0; i < pairs->count; i++) {
        struct added_wait wait = pairs->waits[i];
        wait.tag = tags->tag[wait.transfer];
        if (tags->wait_at[wait.transfer] != i + 1)
            continue;
        tags->wait_at[wait.transfer] = wait.tag ? tags->count + 1 : 0;
        if (wait.tag)
            tags->waits[tags->count++] = wait;
    }
    return 0;
}

/* Each pair once, by access. */
static int find_pairs(struct tags *pairs, const struct graph_made *made,
                      const struct program *program)
{
    const struct graph *graph = &made->graph;
    size_t kept = 0;
    for (size_t a = 0; a < graph->arc_count; a++)
        if (is_pair(made, program, &graph->arcs[a]) &&
            add_pair(pairs, graph->nodes[graph->arcs[a].from].stmt,
                     graph->nodes[graph->arcs[a].to].stmt) != 0)
            return -1;
    if (pairs->count)
        qsort(pairs->waits, pairs->count, sizeof *pairs->waits, by_access);
    for (size_t i = 0; i < pairs->count; i++)
        if (!kept || by_access(&pairs->waits[kept - 1], &pairs->waits[i]) != 0)
            pairs->waits[kept++] = pairs->waits[i];
    pairs->count = kept;
    return 0;
}

int mncore2_tags_find(struct tags *tags, const struct graph_made *made,
                      const struct program *program, struct moves *moves)
{
    struct tags pairs = {.waits = NULL};
    *tags = pairs;
    int status = find_pairs(&pairs, made, program);
    if (status == 0 && pairs.count && moves->tags)
        status = add_tags(tags, &pairs, program);
    if (status == 0 && pairs.count)
        status = tell(tags, &pairs, made, program, moves);
    free(pairs.waits);
    return status;
}

void mncore2_tags_free(struct tags *tags)
{
    free(tags->waits);
    free(tags->tag);
    free(tags->wait_at);
}

const struct added_wait *mncore2_tags_wait(const struct tags *tags, size_t transfer)
{
    return tags->wait_at && tags->wait_at[transfer] ? &tags->waits[tags->wait_at[transfer] - 1]
                                                    : NULL;
}
