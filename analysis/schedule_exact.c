/*
 * schedule_exact: branch and bound over the slots of a small block.
 *
 * Slot by slot, every set of nodes that may go is tried. A node that is not loud and keeps none
 * at a distance never does harm by going earlier, so a set to which one more such node could be
 * added need not be tried.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/schedule.h"

enum { NODES_TRIED = 400000, LANES = 32 };

struct search {
    struct list *list;
    const struct moves_block *block;
    uint32_t tail[EXACT_NODES]; /* slots from the start of a node to the end */
    uint64_t rest[EXACT_NODES]; /* cycles from there until the last result is there */
    uint32_t slot[EXACT_NODES], best_slot[EXACT_NODES];
    uint32_t order[EXACT_NODES], best_order[EXACT_NODES];
    uint32_t quiet, best_quiet; /* bits: nodes in slots that are written so */
    uint32_t placed, count;
    uint64_t best; /* cycles */
    uint64_t tried;
    uint32_t best_slots;
    bool improved, gave_up;
};

/* --- time ------------------------------------------------------------------------------------- */

/* The begin of a slot. */
static uint64_t begin_of(const struct moves *moves, uint32_t slot)
{
    const uint32_t unit = moves->unit_slots;
    return unit ? (uint64_t)slot / unit * moves->unit_cycles +
                      (uint64_t)slot % unit * moves->slot_cycles
                : (uint64_t)slot * moves->slot_cycles;
}

/* The end of so many: units go out whole. */
static uint64_t end_of(const struct moves *moves, uint32_t slots)
{
    const uint32_t unit = moves->unit_slots;
    return begin_of(moves, unit ? (slots + unit - 1) / unit * unit : slots);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t schedule_cycles(const struct list *list)
{
    uint64_t end = end_of(list->moves, list->slots);
    for (size_t i = 0; i < list->block->node_count; i++) {
        const struct moves_place *place = &list->places[i];
        const uint32_t landed = list->block->nodes[place->node].landed;
        if (landed)
            end = later(end, begin_of(list->moves, place->slot) + landed);
    }
    return end;
}

/* Of the longest path from the start of each node. */
static void find_tails(struct search *s)
{
    const struct moves_block *block = s->block;
    const uint64_t each = s->list->moves->slot_cycles;
    for (size_t n = 0; n < block->node_count; n++) {
        s->tail[n] = block->nodes[n].kind == NODE_STEP;
        s->rest[n] = block->nodes[n].landed;
    }
    for (size_t a = block->arc_count; a-- > 0;) { /* by `to`: their tails are known */
        const struct moves_arc *arc = &block->arcs[a];
        if (s->tail[arc->to] + arc->slots > s->tail[arc->from])
            s->tail[arc->from] = s->tail[arc->to] + arc->slots;
        if (s->rest[arc->to])
            s->rest[arc->from] = later(s->rest[arc->from], s->rest[arc->to] + arc->slots * each);
    }
}

/* --- search ----------------------------------------------------------------------------------- */

static uint32_t bit(uint32_t n)
{
    return UINT32_C(1) << n;
}

static uint32_t earliest(const struct search *s, uint32_t n, uint32_t slot)
{
    uint32_t at = slot;
    for (size_t a = 0; a < s->block->arc_count; a++) {
        const struct moves_arc *arc = &s->block->arcs[a];
        if (arc->to != n)
            continue;
        if (!(s->placed & bit(arc->from)))
            return UINT32_MAX;
        if (s->slot[arc->from] + arc->slots > at)
            at = s->slot[arc->from] + arc->slots;
    }
    const struct moves *moves = s->list->moves;
    for (uint32_t i = s->count; moves->distance && i-- > 0;) {
        const uint32_t m = s->order[i];
        if (s->block->nodes[m].kind != NODE_STEP || s->slot[m] >= slot)
            continue;
        const uint32_t distance = moves->distance(moves->context, m, n);
        if (s->slot[m] + distance > at)
            at = s->slot[m] + distance;
    }
    return at;
}

/* No order that goes on from here can be shorter than the best. */
static bool hopeless(const struct search *s, uint32_t slot)
{
    const struct moves *moves = s->list->moves;
    uint32_t left[LANES] = {0}, rest[LANES];
    uint64_t landed[LANES];
    memset(rest, 0xff, sizeof rest);
    memset(landed, 0xff, sizeof landed);
    for (uint32_t n = 0; n < s->block->node_count; n++) {
        if (s->placed & bit(n))
            continue;
        uint32_t at = earliest(s, n, slot);
        at = at == UINT32_MAX ? slot : at;
        if (end_of(moves, at + s->tail[n]) >= s->best ||
            begin_of(moves, at) + s->rest[n] >= s->best)
            return true;
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (!(s->block->nodes[n].lanes >> lane & 1))
                continue;
            left[lane]++;
            rest[lane] = s->tail[n] - 1 < rest[lane] ? s->tail[n] - 1 : rest[lane];
            landed[lane] = s->rest[n] < landed[lane] ? s->rest[n] : landed[lane];
            if (end_of(moves, slot + left[lane] + rest[lane]) >= s->best ||
                begin_of(moves, slot + left[lane] - 1) + landed[lane] >= s->best)
                return true;
        }
    }
    return end_of(moves, slot) >= s->best;
}

/* What all that is placed takes. */
static uint64_t cycles_of(const struct search *s, uint32_t slots)
{
    uint64_t end = end_of(s->list->moves, slots);
    for (uint32_t n = 0; n < s->block->node_count; n++)
        if (s->block->nodes[n].landed)
            end = later(end, begin_of(s->list->moves, s->slot[n]) + s->block->nodes[n].landed);
    return end;
}

struct set {
    uint32_t slot, nodes[MOVES_TOGETHER];
    uint32_t count, members, open; /* open: bits that must come with a loud slot */
};

static void go_on(struct search *s, uint32_t slot, uint32_t open);

static bool may_join(const struct search *s, struct set *set, uint32_t n)
{
    if (set->count == MOVES_TOGETHER || earliest(s, n, set->slot) != set->slot)
        return false;
    set->nodes[set->count] = n;
    return !set->count ||
           s->list->moves->together(s->list->moves->context, set->nodes, set->count + 1);
}

static void push(struct search *s, uint32_t n, uint32_t slot)
{
    s->placed |= bit(n);
    s->slot[n] = slot;
    s->order[s->count++] = n;
}

static void pop(struct search *s)
{
    s->placed &= ~bit(s->order[--s->count]);
}

/* Whether n would do no harm in this slot instead of a later one. */
static bool harmless(const struct search *s, uint32_t n)
{
    const struct moves *moves = s->list->moves;
    for (uint32_t m = 0; moves->distance && m < s->block->node_count; m++)
        if (m != n && !(s->placed & bit(m)) && moves->distance(moves->context, n, m) > 1)
            return false;
    return !s->block->nodes[n].loud;
}

/* The set is complete. */
static void take(struct search *s, struct set *set)
{
    const struct moves_block *block = s->block;
    bool loud = false, quiet = (set->open & ~set->members) != 0;
    for (uint32_t i = 0; i < set->count; i++) {
        loud |= block->nodes[set->nodes[i]].loud;
        quiet |= block->nodes[set->nodes[i]].quiet;
    }
    if (loud && quiet)
        return;
    for (uint32_t n = 0; n < block->node_count; n++)
        if (!(s->placed & bit(n)) && block->nodes[n].kind == NODE_STEP &&
            !(block->nodes[n].quiet && !quiet) && harmless(s, n) && may_join(s, set, n))
            return;
    uint32_t open = set->open & ~set->members;
    for (size_t a = 0; a < block->arc_count; a++)
        if (block->arcs[a].relay && set->members & bit(block->arcs[a].from))
            open |= bit(block->arcs[a].to);
    const uint32_t before = s->quiet;
    if (quiet)
        s->quiet |= set->members;
    go_on(s, set->slot + 1, open);
    s->quiet = before;
}

/* Nodes from n on: in the set, or not. An arc goes from a lower to a higher number. */
static void choose(struct search *s, struct set *set, uint32_t n)
{
    if (s->gave_up)
        return;
    for (; n < s->block->node_count; n++)
        if (!(s->placed & bit(n)) && s->block->nodes[n].kind == NODE_STEP && may_join(s, set, n))
            break;
    if (n == s->block->node_count) {
        take(s, set);
        return;
    }
    set->nodes[set->count++] = n;
    set->members |= bit(n);
    push(s, n, set->slot);
    choose(s, set, n + 1);
    pop(s);
    set->members &= ~bit(n);
    set->count--;
    choose(s, set, n + 1);
}

static void go_on(struct search *s, uint32_t slot, uint32_t open)
{
    const uint32_t count = s->count;
    if (++s->tried > NODES_TRIED)
        s->gave_up = true;
    for (uint32_t n = 0; n < s->block->node_count; n++)
        if (s->block->nodes[n].kind == NODE_FREE && !(s->placed & bit(n)) &&
            earliest(s, n, slot) == slot)
            push(s, n, slot);
    if (s->count == s->block->node_count) {
        const uint64_t cycles = cycles_of(s, slot);
        if (cycles < s->best) {
            s->best = cycles;
            s->best_slots = slot;
            s->improved = true;
            s->best_quiet = s->quiet;
            memcpy(s->best_slot, s->slot, sizeof s->slot);
            memcpy(s->best_order, s->order, sizeof s->order);
        }
    } else if (!s->gave_up && !hopeless(s, slot)) {
        struct set set = {.slot = slot, .open = open};
        choose(s, &set, 0);
    }
    while (s->count > count)
        pop(s);
}

int schedule_exact(struct list *list, uint64_t *cycles)
{
    struct search s = {.list = list, .block = list->block, .best = *cycles};
    if (list->block->node_count > EXACT_NODES)
        return 0;
    find_tails(&s);
    go_on(&s, 0, 0);
    if (s.improved) {
        *cycles = s.best;
        list->slots = s.best_slots;
        for (uint32_t i = 0; i < list->block->node_count; i++) {
            const uint32_t n = s.best_order[i];
            list->places[i] = (struct moves_place){n, s.best_slot[n], (s.best_quiet & bit(n)) != 0};
        }
    }
    return !s.gave_up;
}
