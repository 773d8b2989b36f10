/*
 * schedule_exact: branch and bound over the slots of a small block and the places of its transfers
 * and waits.
 *
 * Time is that of the stream: slots, units that are sent whole, a place for one transfer after each
 * unit, and waits that hold it until a transfer is complete. A transfer takes its least cycles.
 * Transfers that share a way use it in any order, one after the other. So no run of any order takes
 * fewer cycles than the best order found here.
 *
 * Choices in each slot:
 *   a transfer that is ready is sent: a later one would free nothing more
 *   a set of steps is complete: no harmless node could be added, which is one that is not loud and
 *   keeps no other node at a distance
 *   a wait that is over is taken; one that is not over holds the stream or comes later
 * A state that was met before, no later, is not tried again. It consists of the placed nodes and of
 * what those require of the others, in slots and cycles from now on.
 */
#include "analysis/schedule_exact.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/exact.h"

struct set {
    struct exact_stream at;
    uint32_t nodes[MOVES_TOGETHER];
    uint32_t count;
    uint64_t members; /* bits, with the wait */
    bool held;        /* until now, without a wait of the program */
};

static void go_on(struct exact_search *s, struct exact_stream at);

static bool may_join(const struct exact_search *s, struct set *set, uint32_t n)
{
    if (set->count == MOVES_TOGETHER || !exact_may_go(s, n, &set->at))
        return false;
    set->nodes[set->count] = n;
    return !set->count || s->moves->together(s->moves->context, set->nodes, set->count + 1);
}

/* Whether n would do no harm in this slot instead of a later one. */
static bool harmless(const struct exact_search *s, uint32_t n)
{
    const struct moves *moves = s->moves;
    for (uint32_t m = 0; moves->distance && m < s->count; m++)
        if (m != n && !(s->placed & exact_bit(m)) && moves->distance(moves->context, n, m) > 1)
            return false;
    return !exact_node(s, n)->loud;
}

/* An empty slot brings something nearer. */
static bool passing_helps(const struct exact_search *s, const struct exact_stream *at)
{
    for (uint32_t n = 0; n < s->count; n++) {
        struct exact_since since;
        if (s->placed & exact_bit(n))
            continue;
        exact_since_placed(s, n, at, &since);
        if (since.slot > at->slot || since.cycle > at->now ||
            (s->moves->unit_slots && exact_node(s, n)->transfer))
            return true;
    }
    return false;
}

/* The set is complete. */
static void take(struct exact_search *s, struct set *set)
{
    const struct moves_block *block = s->block;
    struct exact_stream next = set->at;
    bool loud = false, quiet = (set->at.open & ~set->members) != 0;
    for (uint32_t i = 0; i < set->count; i++) {
        loud |= block->nodes[set->nodes[i]].loud;
        quiet |= block->nodes[set->nodes[i]].quiet;
    }
    if ((loud && quiet) || (!set->members && !set->held && !passing_helps(s, &set->at)))
        return;
    for (uint32_t n = 0; n < s->count; n++)
        if (!(s->placed & exact_bit(n)) && block->nodes[n].kind == NODE_STEP &&
            !(block->nodes[n].quiet && !quiet) && harmless(s, n) && may_join(s, set, n))
            return;
    next.open &= ~set->members;
    for (size_t a = 0; a < block->arc_count; a++)
        if (block->arcs[a].relay && set->members & exact_bit(block->arcs[a].from))
            next.open |= exact_bit(block->arcs[a].to);
    for (uint32_t i = 0; i < set->count; i++)
        if (block->nodes[set->nodes[i]].landed)
            next.end = exact_later(next.end, next.now + block->nodes[set->nodes[i]].landed);
    next.slot++;
    next.used++;
    next.now += s->moves->slot_cycles;
    const uint64_t before = s->quiet;
    if (quiet)
        s->quiet |= set->members;
    go_on(s, next);
    s->quiet = before;
}

/* Nodes from the i-th on: in the set, or not. An arc without slots goes from a longer tail. */
static void choose(struct exact_search *s, struct set *set, uint32_t i)
{
    if (s->gave_up)
        return;
    for (; i < s->count; i++)
        if (exact_node(s, s->by_tail[i])->kind == NODE_STEP && may_join(s, set, s->by_tail[i]))
            break;
    if (i == s->count) {
        take(s, set);
        return;
    }
    const uint32_t n = s->by_tail[i];
    set->nodes[set->count++] = n;
    set->members |= exact_bit(n);
    exact_push(s, n, &set->at);
    choose(s, set, i + 1);
    exact_pop(s);
    set->members &= ~exact_bit(n);
    set->count--;
    choose(s, set, i + 1);
}

/* The slot begins when the transfers are over that a node comes after: any program with nops or a
 * wait there does it. */
static void choose_held(struct exact_search *s, const struct exact_stream *at)
{
    uint64_t tried[EXACT_NODES];
    uint32_t count = 0;
    struct exact_since since;
    for (uint32_t i = 0; i < s->count && !s->gave_up; i++) {
        const uint32_t n = s->by_tail[i];
        if (s->placed & exact_bit(n) || !exact_since_placed(s, n, at, &since) ||
            since.slot > at->slot || since.cycle <= at->now)
            continue;
        struct set set = {.at = *at, .held = true};
        set.at.now = exact_whole_slots(s, since.cycle);
        uint32_t k = 0;
        while (k < count && tried[k] != set.at.now)
            k++;
        if (k < count)
            continue;
        tried[count++] = set.at.now;
        choose(s, &set, 0);
    }
}

/* The slot with the wait n, which begins when it is over. */
static void choose_behind(struct exact_search *s, const struct exact_stream *at, uint32_t n,
                          uint64_t cycle)
{
    struct set set = {.at = *at};
    set.at.now = exact_later(at->now, exact_whole_slots(s, cycle));
    set.members = exact_bit(n);
    exact_push(s, n, &set.at);
    choose(s, &set, 0);
    exact_pop(s);
}

static void choose_slot(struct exact_search *s, struct exact_stream at)
{
    bool over = false;
    if (at.used == s->moves->unit_slots && at.used) {
        at.now += exact_close_of(s);
        at.used = 0;
        at.transferred = false;
    }
    struct exact_since since;
    for (unsigned held = 0; held < 2; held++) {
        if (held && !over) {
            struct set set = {.at = at};
            choose(s, &set, 0);
        }
        for (uint32_t i = 0; i < s->count && !s->gave_up && !(held && over); i++) {
            const uint32_t n = s->by_tail[i];
            if (s->placed & exact_bit(n) || exact_node(s, n)->kind != NODE_WAIT ||
                !exact_since_placed(s, n, &at, &since) || since.slot > at.slot ||
                (since.cycle > at.now) != (held == 1))
                continue;
            over |= !held;
            choose_behind(s, &at, n, since.cycle);
        }
    }
    if (s->moves->free_waits)
        choose_held(s, &at);
}

static void keep_best(struct exact_search *s, const struct exact_stream *at, uint64_t cycles)
{
    s->best = cycles;
    s->best_slots = at->slot;
    s->improved = true;
    s->best_quiet = s->quiet;
    memcpy(s->best_slot, s->slot, sizeof s->slot);
    memcpy(s->best_order, s->order, sizeof s->order);
}

/* Each transfer that may go, in the place for it; false: none may. */
static bool send_transfers(struct exact_search *s, const struct exact_stream *at)
{
    bool sent = false;
    uint64_t done[EXACT_NODES];
    if (s->moves->unit_slots && (at->used != s->moves->unit_slots || at->transferred))
        return false;
    memcpy(done, s->done, sizeof done);
    for (uint32_t i = 0; i < s->count && !s->gave_up; i++) {
        const uint32_t n = s->by_tail[i];
        struct exact_stream next = *at;
        next.transferred = true;
        if (!exact_node(s, n)->transfer || !exact_may_go(s, n, at))
            continue;
        for (uint32_t over = 0; !s->gave_up && exact_send(s, n, at, over); over++) {
            sent = true;
            go_on(s, next);
            exact_pop(s);
            memcpy(s->done, done, sizeof done);
            if (s->job->lengths)
                break;
        }
    }
    return sent;
}

/* Presets and dumps take no slot and are sent when they may. */
static void send_free(struct exact_search *s, const struct exact_stream *at)
{
    for (uint32_t n = 0; n < s->count; n++)
        if (exact_node(s, n)->kind == NODE_FREE && !exact_node(s, n)->transfer &&
            exact_may_go(s, n, at))
            exact_push(s, n, at);
}

static bool must_stop(struct exact_search *s)
{
    enum { EACH = 256 };
    if (++s->tried > s->job->most)
        s->gave_up = true;
    if (s->job->stop && s->tried % EACH == 0 && s->job->stop(s->job->self))
        s->gave_up = true;
    return s->gave_up;
}

static void go_on(struct exact_search *s, struct exact_stream at)
{
    const uint32_t count = s->placed_count;
    if (must_stop(s))
        return;
    send_free(s, &at);
    if (s->placed_count == s->count) {
        const uint64_t cycles = exact_end_of(s, &at);
        if (cycles < s->best)
            keep_best(s, &at, cycles);
    } else if (!exact_hopeless(s, &at) && !exact_met_before(s, &at) && !send_transfers(s, &at)) {
        choose_slot(s, at);
    }
    while (s->placed_count > count)
        exact_pop(s);
}

int schedule_exact(struct list *list, const struct exact_job *job, uint64_t *cycles)
{
    if (list->block->node_count > EXACT_NODES || !list->moves->together)
        return 0;
    struct exact_search *s = calloc(1, sizeof *s);
    struct exact_met *met = s ? calloc(EXACT_KNOWN, sizeof *met) : NULL;
    if (!met) {
        free(s);
        return -1;
    }
    *s = (struct exact_search){.list = list,
                               .job = job,
                               .moves = list->moves,
                               .block = list->block,
                               .count = (uint32_t)list->block->node_count,
                               .best = *cycles,
                               .met = met};
    exact_find_tails(s);
    go_on(s, (struct exact_stream){.now = 0});
    if (s->improved) {
        *cycles = s->best;
        list->slots = s->best_slots;
        for (uint32_t i = 0; i < s->count; i++) {
            const uint32_t n = s->best_order[i];
            list->places[i] = (struct moves_place){
                .node = n, .slot = s->best_slot[n], .quiet = s->best_quiet >> n & 1};
        }
    }
    const int all = !s->gave_up;
    if (job->tried)
        *job->tried = s->tried;
    free(met);
    free(s);
    return all;
}
