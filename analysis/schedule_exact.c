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

#include "host/hash.h"

enum { LANES = 32, KNOWN = 1 << 18, PROBES = 8 };

/* A state, by two hashes, and the least time at which it was met. */
struct met {
    uint64_t key, check, now;
};

struct search {
    struct list *list;
    const struct exact_job *job;
    const struct moves *moves;
    const struct moves_block *block;
    uint32_t count; /* of nodes */
    /* From the start of a node's slot: until the stream has passed all that depends on it, and
     * until the last result of that is there. */
    uint64_t tail[EXACT_NODES], rest[EXACT_NODES];
    uint32_t by_tail[EXACT_NODES]; /* nodes, the longest first */
    uint32_t slot[EXACT_NODES], best_slot[EXACT_NODES];
    uint64_t length[EXACT_NODES]; /* of transfers: whole slots from the issue to the completion */
    uint64_t issued[EXACT_NODES];
    uint64_t done[EXACT_NODES]; /* of those that are placed: when they are complete */
    uint32_t order[EXACT_NODES], best_order[EXACT_NODES];
    uint64_t quiet, best_quiet; /* bits: nodes in slots that are written so */
    uint64_t placed;
    uint32_t placed_count;
    uint64_t best; /* cycles */
    uint64_t tried;
    uint32_t best_slots;
    bool improved, gave_up;
    struct met *met;
};

/* Where the stream is: a slot may begin now. */
struct stream {
    uint64_t now, end; /* end: when all results of steps are there */
    uint32_t slot;
    uint32_t used;    /* slots of the unit; all: it is complete */
    bool transferred; /* and the place for its transfer is taken */
    uint64_t open;    /* bits: nodes that must come with a loud slot */
};

/* What placed nodes say about one that is not. */
struct since {
    uint32_t slot;
    uint64_t cycle;
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

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint64_t schedule_cycles(const struct list *list)
{
    const uint32_t unit = list->moves->unit_slots;
    uint64_t end =
        begin_of(list->moves, unit ? (list->slots + unit - 1) / unit * unit : list->slots);
    for (size_t i = 0; i < list->block->node_count; i++) {
        const struct moves_place *place = &list->places[i];
        const uint32_t landed = list->block->nodes[place->node].landed;
        if (landed)
            end = later(end, begin_of(list->moves, place->slot) + landed);
    }
    return end;
}

static uint64_t whole_slots(const struct search *s, uint64_t cycles)
{
    const uint64_t each = s->moves->slot_cycles;
    return (cycles + each - 1) / each * each;
}

/* Cycles of a unit after its slots. */
static uint64_t close_of(const struct search *s)
{
    const struct moves *moves = s->moves;
    return moves->unit_slots ? moves->unit_cycles - moves->unit_slots * moves->slot_cycles : 0;
}

/* The end of the stream after that many more slots, if nothing holds it. */
static uint64_t end_after(const struct search *s, const struct stream *at, uint64_t slots)
{
    const uint32_t unit = s->moves->unit_slots;
    if (!unit)
        return at->now + slots * s->moves->slot_cycles;
    const uint64_t all = at->used + slots, units = (all + unit - 1) / unit;
    return at->now + (units * unit - at->used) * s->moves->slot_cycles + units * close_of(s);
}

/* Whether an arc is kept by the time that a transfer takes, not by slots. */
static bool is_timed(const struct search *s, const struct moves_arc *arc)
{
    return arc->timed ||
           (s->block->nodes[arc->from].transfer && s->block->nodes[arc->to].kind == NODE_WAIT);
}

/* Cycles between the nodes of an arc; length: of the transfer that it begins with. */
static uint64_t lag_of(const struct search *s, const struct moves_arc *arc, uint64_t length)
{
    if (!is_timed(s, arc))
        return (uint64_t)arc->slots * s->moves->slot_cycles;
    return whole_slots(s, arc->kept && arc->kept < length ? arc->kept : length);
}

static void find_tails(struct search *s)
{
    const struct moves_block *block = s->block;
    for (uint32_t n = 0; n < s->count; n++) {
        const struct moves_node *node = &block->nodes[n];
        s->tail[n] = node->kind == NODE_FREE ? 0 : s->moves->slot_cycles;
        s->length[n] = s->job->lengths ? s->job->lengths[n] : node->least;
        s->rest[n] = node->transfer ? s->length[n] : node->landed;
        s->by_tail[n] = n;
    }
    for (size_t a = block->arc_count; a-- > 0;) { /* by `to`: their tails are known */
        const struct moves_arc *arc = &block->arcs[a];
        const uint64_t lag = lag_of(s, arc, s->length[arc->from]);
        s->tail[arc->from] = later(s->tail[arc->from], s->tail[arc->to] + lag);
        if (s->rest[arc->to])
            s->rest[arc->from] = later(s->rest[arc->from], s->rest[arc->to] + lag);
    }
    for (uint32_t i = 1; i < s->count; i++) { /* stable: of equal ones the first comes first */
        const uint32_t n = s->by_tail[i];
        uint32_t k = i;
        for (; k > 0 && later(s->tail[s->by_tail[k - 1]], s->rest[s->by_tail[k - 1]]) <
                            later(s->tail[n], s->rest[n]);
             k--)
            s->by_tail[k] = s->by_tail[k - 1];
        s->by_tail[k] = n;
    }
}

/* --- what is placed --------------------------------------------------------------------------- */

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static const struct moves_node *node_of(const struct search *s, uint32_t n)
{
    return &s->block->nodes[n];
}

static void push(struct search *s, uint32_t n, const struct stream *at)
{
    s->placed |= bit(n);
    s->slot[n] = at->slot;
    s->order[s->placed_count++] = n;
}

static void pop(struct search *s)
{
    s->placed &= ~bit(s->order[--s->placed_count]);
}

/* When n may go by those that are placed. False: something must come before it that is not. */
static bool since_placed(const struct search *s, uint32_t n, const struct stream *at,
                         struct since *since)
{
    const struct list *l = s->list;
    bool complete = true;
    *since = (struct since){.slot = at->slot, .cycle = at->now};
    for (size_t a = l->first_in[n]; a < l->first_in[n + 1]; a++) {
        const struct moves_arc *arc = &s->block->arcs[a];
        if (!(s->placed & bit(arc->from))) {
            complete = false;
            continue;
        }
        const uint64_t kept = s->issued[arc->from] + arc->kept, done = s->done[arc->from];
        if (is_timed(s, arc))
            since->cycle = later(since->cycle, arc->kept && kept < done ? kept : done);
        else if (s->slot[arc->from] + arc->slots > since->slot)
            since->slot = s->slot[arc->from] + arc->slots;
    }
    for (uint32_t i = s->placed_count; s->moves->distance && i-- > 0;) {
        const uint32_t m = s->order[i];
        if (s->slot[m] + s->moves->reach < at->slot)
            break;
        if (node_of(s, m)->kind != NODE_STEP || s->slot[m] >= at->slot)
            continue;
        const uint32_t distance = s->moves->distance(s->moves->context, m, n);
        if (s->slot[m] + distance > since->slot)
            since->slot = s->slot[m] + distance;
    }
    return complete;
}

static bool may_go(const struct search *s, uint32_t n, const struct stream *at)
{
    struct since since;
    return !(s->placed & bit(n)) && since_placed(s, n, at, &since) && since.slot == at->slot &&
           since.cycle <= at->now;
}

/* Cycles, when all is placed; before that, at least. */
static uint64_t end_of(const struct search *s, const struct stream *at)
{
    uint64_t end = later(at->end, end_after(s, at, 0));
    for (uint32_t i = 0; i < s->placed_count; i++)
        if (node_of(s, s->order[i])->transfer)
            end = later(end, s->done[s->order[i]]);
    return end;
}

/* --- transfers -------------------------------------------------------------------------------- */

/* Of a way that transfers share: one is complete when all of those that are complete before it have
 * had it, too. A transfer that begins now may overtake some that are not complete: the last `over`
 * of them. False: there are not as many. */
static bool send(struct search *s, uint32_t n, const struct stream *at, uint32_t over)
{
    const struct moves_node *node = node_of(s, n);
    uint32_t flying[EXACT_NODES], count = 0;
    for (uint32_t i = 0; i < s->placed_count && node->way; i++) { /* by completion */
        const uint32_t m = s->order[i];
        uint32_t k = count;
        if (node_of(s, m)->way != node->way || s->done[m] <= at->now)
            continue;
        for (; k > 0 && s->done[flying[k - 1]] > s->done[m]; k--)
            flying[k] = flying[k - 1];
        flying[k] = m;
        count++;
    }
    if (over > count)
        return false;
    s->issued[n] = at->now;
    s->done[n] = at->now + s->length[n];
    if (count > over)
        s->done[n] = later(s->done[n], s->done[flying[count - over - 1]] + node->work);
    for (uint32_t k = count - over; k < count; k++)
        s->done[flying[k]] = later(s->done[flying[k]] + node->work, s->done[n]);
    push(s, n, at);
    return true;
}

/* --- states that cannot lead to a shorter order ------------------------------------------- */

/* Cycles until the next place for a transfer. */
static uint64_t place_for_transfer(const struct search *s, const struct stream *at)
{
    const uint32_t unit = s->moves->unit_slots;
    if (!unit || (at->used == unit && !at->transferred))
        return 0;
    return (uint64_t)(at->used == unit ? unit : unit - at->used) * s->moves->slot_cycles +
           (at->used == unit ? close_of(s) : 0);
}

static void find_heads(const struct search *s, const struct stream *at, uint64_t *head)
{
    const uint64_t each = s->moves->slot_cycles;
    for (uint32_t n = 0; n < s->count; n++) {
        if (s->placed & bit(n))
            continue;
        struct since since;
        since_placed(s, n, at, &since);
        head[n] = later(at->now + (since.slot - at->slot) * each, whole_slots(s, since.cycle));
        if (node_of(s, n)->transfer)
            head[n] = later(head[n], at->now + place_for_transfer(s, at));
        for (size_t a = s->list->first_in[n]; a < s->list->first_in[n + 1]; a++) {
            const struct moves_arc *arc = &s->block->arcs[a];
            if (!(s->placed & bit(arc->from)))
                head[n] = later(head[n], head[arc->from] + lag_of(s, arc, s->length[arc->from]));
        }
    }
}

/* Of nodes that never share a slot, or a unit: all of any set of those with the longest tails,
 * from the least head on, with what follows the last. */
struct lane {
    uint64_t head, work, tail, rest, each; /* each: cycles of a node */
};

static uint64_t lane_end(const struct search *s, const struct stream *at, struct lane *lane,
                         uint32_t n, uint64_t head, bool held)
{
    lane->work += lane->each;
    lane->head = head < lane->head ? head : lane->head;
    lane->tail = s->tail[n] < lane->tail ? s->tail[n] : lane->tail;
    lane->rest = s->rest[n] < lane->rest ? s->rest[n] : lane->rest;
    const uint64_t last = lane->head + lane->work - lane->each;
    uint64_t end = last + lane->tail;
    if (!held)
        end = end_after(s, at, (end - at->now) / s->moves->slot_cycles);
    return lane->rest ? later(end, last + lane->rest) : end;
}

static bool hopeless(const struct search *s, const struct stream *at)
{
    struct lane lanes[LANES],
        transfers = {UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, s->moves->slot_cycles};
    uint64_t head[EXACT_NODES];
    bool held = false; /* waits are left, which may hold the stream */
    for (unsigned lane = 0; lane < LANES; lane++)
        lanes[lane] = transfers;
    find_heads(s, at, head);
    for (uint32_t n = 0; n < s->count; n++)
        held |= !(s->placed & bit(n)) && node_of(s, n)->kind == NODE_WAIT;
    transfers.each = s->moves->unit_cycles;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t n = s->by_tail[i];
        const struct moves_node *node = node_of(s, n);
        struct lane alone = {UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, s->moves->slot_cycles};
        if (s->placed & bit(n))
            continue;
        if (lane_end(s, at, &alone, n, head[n], held) >= s->best)
            return true;
        if (node->transfer && s->moves->unit_slots &&
            lane_end(s, at, &transfers, n, head[n], true) >= s->best)
            return true;
        for (unsigned lane = 0; lane < LANES && node->lanes >> lane; lane++)
            if (node->lanes >> lane & 1 &&
                lane_end(s, at, &lanes[lane], n, head[n], held) >= s->best)
                return true;
    }
    return end_of(s, at) >= s->best;
}

/* --- states that were met --------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static void add_key(uint64_t key[2], uint64_t value)
{
    key[0] = mix(key[0] ^ value) + UINT64_C(0x9e3779b97f4a7c15);
    key[1] = mix(key[1] + value * HASH_FACTOR) ^ UINT64_C(0xc2b2ae3d27d4eb4f);
}

/* Whether this state was met no later. */
static bool met_before(struct search *s, const struct stream *at)
{
    uint64_t key[2] = {1, 2};
    add_key(key, s->placed);
    add_key(key, at->open);
    add_key(key, at->used | (uint64_t)at->transferred << 8);
    add_key(key, at->end > at->now ? at->end - at->now : 0);
    for (uint32_t n = 0; n < s->count; n++)
        if (s->placed & bit(n) && node_of(s, n)->transfer && s->done[n] > at->now)
            add_key(key, (uint64_t)n << 56 | (s->done[n] - at->now));
    for (uint32_t n = 0; n < s->count; n++) {
        struct since since;
        if (s->placed & bit(n))
            continue;
        since_placed(s, n, at, &since);
        if (since.slot > at->slot || since.cycle > at->now)
            add_key(key, (uint64_t)n << 56 | (uint64_t)(since.slot - at->slot) << 40 |
                             (since.cycle - at->now));
    }
    for (unsigned probe = 0; probe < PROBES; probe++) {
        struct met *met = &s->met[(key[0] + probe) % KNOWN];
        if (met->key == key[0] && met->check == key[1]) {
            if (met->now <= at->now)
                return true;
            met->now = at->now;
            return false;
        }
        if (!met->key) {
            *met = (struct met){key[0], key[1], at->now};
            return false;
        }
    }
    return false;
}

/* --- search ----------------------------------------------------------------------------------- */

struct set {
    struct stream at;
    uint32_t nodes[MOVES_TOGETHER];
    uint32_t count;
    uint64_t members; /* bits, with the wait */
};

static void go_on(struct search *s, struct stream at);

static bool may_join(const struct search *s, struct set *set, uint32_t n)
{
    if (set->count == MOVES_TOGETHER || !may_go(s, n, &set->at))
        return false;
    set->nodes[set->count] = n;
    return !set->count || s->moves->together(s->moves->context, set->nodes, set->count + 1);
}

/* Whether n would do no harm in this slot instead of a later one. */
static bool harmless(const struct search *s, uint32_t n)
{
    const struct moves *moves = s->moves;
    for (uint32_t m = 0; moves->distance && m < s->count; m++)
        if (m != n && !(s->placed & bit(m)) && moves->distance(moves->context, n, m) > 1)
            return false;
    return !node_of(s, n)->loud;
}

/* An empty slot brings something nearer. */
static bool passing_helps(const struct search *s, const struct stream *at)
{
    for (uint32_t n = 0; n < s->count; n++) {
        struct since since;
        if (s->placed & bit(n))
            continue;
        since_placed(s, n, at, &since);
        if (since.slot > at->slot || since.cycle > at->now ||
            (s->moves->unit_slots && node_of(s, n)->transfer))
            return true;
    }
    return false;
}

/* The set is complete. */
static void take(struct search *s, struct set *set)
{
    const struct moves_block *block = s->block;
    struct stream next = set->at;
    bool loud = false, quiet = (set->at.open & ~set->members) != 0;
    for (uint32_t i = 0; i < set->count; i++) {
        loud |= block->nodes[set->nodes[i]].loud;
        quiet |= block->nodes[set->nodes[i]].quiet;
    }
    if ((loud && quiet) || (!set->members && !passing_helps(s, &set->at)))
        return;
    for (uint32_t n = 0; n < s->count; n++)
        if (!(s->placed & bit(n)) && block->nodes[n].kind == NODE_STEP &&
            !(block->nodes[n].quiet && !quiet) && harmless(s, n) && may_join(s, set, n))
            return;
    next.open &= ~set->members;
    for (size_t a = 0; a < block->arc_count; a++)
        if (block->arcs[a].relay && set->members & bit(block->arcs[a].from))
            next.open |= bit(block->arcs[a].to);
    for (uint32_t i = 0; i < set->count; i++)
        if (block->nodes[set->nodes[i]].landed)
            next.end = later(next.end, next.now + block->nodes[set->nodes[i]].landed);
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
static void choose(struct search *s, struct set *set, uint32_t i)
{
    if (s->gave_up)
        return;
    for (; i < s->count; i++)
        if (node_of(s, s->by_tail[i])->kind == NODE_STEP && may_join(s, set, s->by_tail[i]))
            break;
    if (i == s->count) {
        take(s, set);
        return;
    }
    const uint32_t n = s->by_tail[i];
    set->nodes[set->count++] = n;
    set->members |= bit(n);
    push(s, n, &set->at);
    choose(s, set, i + 1);
    pop(s);
    set->members &= ~bit(n);
    set->count--;
    choose(s, set, i + 1);
}

/* The slot with the wait n, which begins when it is over. */
static void choose_behind(struct search *s, const struct stream *at, uint32_t n, uint64_t cycle)
{
    struct set set = {.at = *at};
    set.at.now = later(at->now, whole_slots(s, cycle));
    set.members = bit(n);
    push(s, n, &set.at);
    choose(s, &set, 0);
    pop(s);
}

static void choose_slot(struct search *s, struct stream at)
{
    bool over = false;
    if (at.used == s->moves->unit_slots && at.used) {
        at.now += close_of(s);
        at.used = 0;
        at.transferred = false;
    }
    struct since since;
    for (unsigned held = 0; held < 2; held++) {
        if (held && !over) {
            struct set set = {.at = at};
            choose(s, &set, 0);
        }
        for (uint32_t i = 0; i < s->count && !s->gave_up && !(held && over); i++) {
            const uint32_t n = s->by_tail[i];
            if (s->placed & bit(n) || node_of(s, n)->kind != NODE_WAIT ||
                !since_placed(s, n, &at, &since) || since.slot > at.slot ||
                (since.cycle > at.now) != (held == 1))
                continue;
            over |= !held;
            choose_behind(s, &at, n, since.cycle);
        }
    }
}

static void keep_best(struct search *s, const struct stream *at, uint64_t cycles)
{
    s->best = cycles;
    s->best_slots = at->slot;
    s->improved = true;
    s->best_quiet = s->quiet;
    memcpy(s->best_slot, s->slot, sizeof s->slot);
    memcpy(s->best_order, s->order, sizeof s->order);
}

/* Each transfer that may go, in the place for it; false: none may. */
static bool send_transfers(struct search *s, const struct stream *at)
{
    bool sent = false;
    uint64_t done[EXACT_NODES];
    if (s->moves->unit_slots && (at->used != s->moves->unit_slots || at->transferred))
        return false;
    memcpy(done, s->done, sizeof done);
    for (uint32_t i = 0; i < s->count && !s->gave_up; i++) {
        const uint32_t n = s->by_tail[i];
        struct stream next = *at;
        next.transferred = true;
        if (!node_of(s, n)->transfer || !may_go(s, n, at))
            continue;
        for (uint32_t over = 0; !s->gave_up && send(s, n, at, over); over++) {
            sent = true;
            go_on(s, next);
            pop(s);
            memcpy(s->done, done, sizeof done);
            if (s->job->lengths)
                break;
        }
    }
    return sent;
}

/* Presets and dumps take no slot and are sent when they may. */
static void send_free(struct search *s, const struct stream *at)
{
    for (uint32_t n = 0; n < s->count; n++)
        if (node_of(s, n)->kind == NODE_FREE && !node_of(s, n)->transfer && may_go(s, n, at))
            push(s, n, at);
}

static bool must_stop(struct search *s)
{
    enum { EACH = 256 };
    if (++s->tried > s->job->most)
        s->gave_up = true;
    if (s->job->stop && s->tried % EACH == 0 && s->job->stop(s->job->self))
        s->gave_up = true;
    return s->gave_up;
}

static void go_on(struct search *s, struct stream at)
{
    const uint32_t count = s->placed_count;
    if (must_stop(s))
        return;
    send_free(s, &at);
    if (s->placed_count == s->count) {
        const uint64_t cycles = end_of(s, &at);
        if (cycles < s->best)
            keep_best(s, &at, cycles);
    } else if (!hopeless(s, &at) && !met_before(s, &at) && !send_transfers(s, &at)) {
        choose_slot(s, at);
    }
    while (s->placed_count > count)
        pop(s);
}

int schedule_exact(struct list *list, const struct exact_job *job, uint64_t *cycles)
{
    if (list->block->node_count > EXACT_NODES || !list->moves->together)
        return 0;
    struct search *s = calloc(1, sizeof *s);
    struct met *met = s ? calloc(KNOWN, sizeof *met) : NULL;
    if (!met) {
        free(s);
        return -1;
    }
    *s = (struct search){.list = list,
                         .job = job,
                         .moves = list->moves,
                         .block = list->block,
                         .count = (uint32_t)list->block->node_count,
                         .best = *cycles,
                         .met = met};
    find_tails(s);
    go_on(s, (struct stream){.now = 0});
    if (s->improved) {
        *cycles = s->best;
        list->slots = s->best_slots;
        for (uint32_t i = 0; i < s->count; i++) {
            const uint32_t n = s->best_order[i];
            list->places[i] = (struct moves_place){n, s->best_slot[n], s->best_quiet >> n & 1};
        }
    }
    const int all = !s->gave_up;
    free(met);
    free(s);
    return all;
}
