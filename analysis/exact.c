#include "analysis/exact.h"

#include "host/hash.h"

enum { LANES = 32, PROBES = 8 };

/* --- time ------------------------------------------------------------------------------------- */

/* The begin of a slot. */
static uint64_t begin_of(const struct moves *moves, uint32_t slot)
{
    const uint32_t unit = moves->unit_slots;
    return unit ? (uint64_t)slot / unit * moves->unit_cycles +
                      (uint64_t)slot % unit * moves->slot_cycles
                : (uint64_t)slot * moves->slot_cycles;
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
            end = exact_later(end, begin_of(list->moves, place->slot) + landed);
    }
    return end;
}

uint64_t exact_whole_slots(const struct exact_search *s, uint64_t cycles)
{
    const uint64_t each = s->moves->slot_cycles;
    return (cycles + each - 1) / each * each;
}

uint64_t exact_close_of(const struct exact_search *s)
{
    const struct moves *moves = s->moves;
    return moves->unit_slots ? moves->unit_cycles - moves->unit_slots * moves->slot_cycles : 0;
}

/* The end of the stream after that many more slots, if nothing holds it. */
static uint64_t end_after(const struct exact_search *s, const struct exact_stream *at,
                          uint64_t slots)
{
    const uint32_t unit = s->moves->unit_slots;
    if (!unit)
        return at->now + slots * s->moves->slot_cycles;
    const uint64_t all = at->used + slots, units = (all + unit - 1) / unit;
    return at->now + (units * unit - at->used) * s->moves->slot_cycles + units * exact_close_of(s);
}

/* Whether an arc is kept by the time that a transfer takes, not by slots. */
static bool is_timed(const struct exact_search *s, const struct moves_arc *arc)
{
    return arc->timed || (!arc->issued && s->block->nodes[arc->from].transfer &&
                          s->block->nodes[arc->to].kind == NODE_WAIT);
}

/* Cycles between the nodes of an arc; length: of the transfer that it begins with. */
static uint64_t lag_of(const struct exact_search *s, const struct moves_arc *arc, uint64_t length)
{
    if (!is_timed(s, arc))
        return (uint64_t)arc->slots * s->moves->slot_cycles;
    return exact_whole_slots(s, arc->kept && arc->kept < length ? arc->kept : length);
}

void exact_find_tails(struct exact_search *s)
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
        s->tail[arc->from] = exact_later(s->tail[arc->from], s->tail[arc->to] + lag);
        if (s->rest[arc->to])
            s->rest[arc->from] = exact_later(s->rest[arc->from], s->rest[arc->to] + lag);
    }
    for (uint32_t i = 1; i < s->count; i++) { /* stable: of equal ones the first comes first */
        const uint32_t n = s->by_tail[i];
        uint32_t k = i;
        for (; k > 0 && exact_later(s->tail[s->by_tail[k - 1]], s->rest[s->by_tail[k - 1]]) <
                            exact_later(s->tail[n], s->rest[n]);
             k--)
            s->by_tail[k] = s->by_tail[k - 1];
        s->by_tail[k] = n;
    }
}

/* --- what is placed --------------------------------------------------------------------------- */

void exact_push(struct exact_search *s, uint32_t n, const struct exact_stream *at)
{
    s->placed |= exact_bit(n);
    s->slot[n] = at->slot;
    s->order[s->placed_count++] = n;
}

void exact_pop(struct exact_search *s)
{
    s->placed &= ~exact_bit(s->order[--s->placed_count]);
}

bool exact_since_placed(const struct exact_search *s, uint32_t n, const struct exact_stream *at,
                        struct exact_since *since)
{
    const struct list *l = s->list;
    bool complete = true;
    *since = (struct exact_since){.slot = at->slot, .cycle = at->now};
    for (size_t a = l->first_in[n]; a < l->first_in[n + 1]; a++) {
        const struct moves_arc *arc = &s->block->arcs[a];
        if (!(s->placed & exact_bit(arc->from))) {
            complete = false;
            continue;
        }
        const uint64_t kept = s->issued[arc->from] + arc->kept, done = s->done[arc->from];
        if (is_timed(s, arc))
            since->cycle = exact_later(since->cycle, arc->kept && kept < done ? kept : done);
        else if (s->slot[arc->from] + arc->slots > since->slot)
            since->slot = s->slot[arc->from] + arc->slots;
    }
    for (uint32_t i = s->placed_count; s->moves->distance && i-- > 0;) {
        const uint32_t m = s->order[i];
        if (s->slot[m] + s->moves->reach < at->slot)
            break;
        if (exact_node(s, m)->kind != NODE_STEP || s->slot[m] >= at->slot)
            continue;
        const uint32_t distance = s->moves->distance(s->moves->context, m, n);
        if (s->slot[m] + distance > since->slot)
            since->slot = s->slot[m] + distance;
    }
    return complete;
}

bool exact_may_go(const struct exact_search *s, uint32_t n, const struct exact_stream *at)
{
    struct exact_since since;
    return !(s->placed & exact_bit(n)) && exact_since_placed(s, n, at, &since) &&
           since.slot == at->slot && since.cycle <= at->now;
}

uint64_t exact_end_of(const struct exact_search *s, const struct exact_stream *at)
{
    uint64_t end = exact_later(at->end, end_after(s, at, 0));
    for (uint32_t i = 0; i < s->placed_count; i++)
        if (exact_node(s, s->order[i])->transfer)
            end = exact_later(end, s->done[s->order[i]]);
    return end;
}

/* --- transfers -------------------------------------------------------------------------------- */

bool exact_send(struct exact_search *s, uint32_t n, const struct exact_stream *at, uint32_t over)
{
    const struct moves_node *node = exact_node(s, n);
    uint32_t flying[EXACT_NODES], count = 0;
    for (uint32_t i = 0; i < s->placed_count && node->way; i++) { /* by completion */
        const uint32_t m = s->order[i];
        uint32_t k = count;
        if (exact_node(s, m)->way != node->way || s->done[m] <= at->now)
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
        s->done[n] = exact_later(s->done[n], s->done[flying[count - over - 1]] + node->work);
    for (uint32_t k = count - over; k < count; k++)
        s->done[flying[k]] = exact_later(s->done[flying[k]] + node->work, s->done[n]);
    exact_push(s, n, at);
    return true;
}

/* --- states that cannot lead to a shorter order ------------------------------------------- */

/* Cycles until the next place for a transfer. */
static uint64_t place_for_transfer(const struct exact_search *s, const struct exact_stream *at)
{
    const uint32_t unit = s->moves->unit_slots;
    if (!unit || (at->used == unit && !at->transferred))
        return 0;
    return (uint64_t)(at->used == unit ? unit : unit - at->used) * s->moves->slot_cycles +
           (at->used == unit ? exact_close_of(s) : 0);
}

static void find_heads(const struct exact_search *s, const struct exact_stream *at, uint64_t *head)
{
    const uint64_t each = s->moves->slot_cycles;
    for (uint32_t n = 0; n < s->count; n++) {
        if (s->placed & exact_bit(n))
            continue;
        struct exact_since since;
        exact_since_placed(s, n, at, &since);
        head[n] = exact_later(at->now + (since.slot - at->slot) * each,
                              exact_whole_slots(s, since.cycle));
        if (exact_node(s, n)->transfer)
            head[n] = exact_later(head[n], at->now + place_for_transfer(s, at));
        for (size_t a = s->list->first_in[n]; a < s->list->first_in[n + 1]; a++) {
            const struct moves_arc *arc = &s->block->arcs[a];
            if (!(s->placed & exact_bit(arc->from)))
                head[n] =
                    exact_later(head[n], head[arc->from] + lag_of(s, arc, s->length[arc->from]));
        }
    }
}

/* Of nodes that never share a slot, or a unit: all of any set of those with the longest tails,
 * from the least head on, with what follows the last. */
struct lane {
    uint64_t head, work, tail, rest, each; /* each: cycles of a node */
};

static uint64_t lane_end(const struct exact_search *s, const struct exact_stream *at,
                         struct lane *lane, uint32_t n, uint64_t head, bool held)
{
    lane->work += lane->each;
    lane->head = head < lane->head ? head : lane->head;
    lane->tail = s->tail[n] < lane->tail ? s->tail[n] : lane->tail;
    lane->rest = s->rest[n] < lane->rest ? s->rest[n] : lane->rest;
    const uint64_t last = lane->head + lane->work - lane->each;
    uint64_t end = last + lane->tail;
    if (!held)
        end = end_after(s, at, (end - at->now) / s->moves->slot_cycles);
    return lane->rest ? exact_later(end, last + lane->rest) : end;
}

bool exact_hopeless(const struct exact_search *s, const struct exact_stream *at)
{
    struct lane lanes[LANES],
        transfers = {UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, s->moves->slot_cycles};
    uint64_t head[EXACT_NODES];
    bool held = false; /* waits are left, which may hold the stream */
    for (unsigned lane = 0; lane < LANES; lane++)
        lanes[lane] = transfers;
    find_heads(s, at, head);
    for (uint32_t n = 0; n < s->count; n++)
        held |= exact_node(s, n)->kind == NODE_WAIT
                    ? !(s->placed & exact_bit(n))
                    : s->moves->free_waits && exact_node(s, n)->transfer;
    transfers.each = s->moves->unit_cycles;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t n = s->by_tail[i];
        const struct moves_node *node = exact_node(s, n);
        struct lane alone = {UINT64_MAX, 0, UINT64_MAX, UINT64_MAX, s->moves->slot_cycles};
        if (s->placed & exact_bit(n))
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
    return exact_end_of(s, at) >= s->best;
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

bool exact_met_before(struct exact_search *s, const struct exact_stream *at)
{
    uint64_t key[2] = {1, 2};
    add_key(key, s->placed);
    add_key(key, at->open);
    add_key(key, at->used | (uint64_t)at->transferred << 8);
    add_key(key, at->end > at->now ? at->end - at->now : 0);
    for (uint32_t n = 0; n < s->count; n++)
        if (s->placed & exact_bit(n) && exact_node(s, n)->transfer && s->done[n] > at->now)
            add_key(key, (uint64_t)n << 56 | (s->done[n] - at->now));
    for (uint32_t n = 0; n < s->count; n++) {
        struct exact_since since;
        if (s->placed & exact_bit(n))
            continue;
        exact_since_placed(s, n, at, &since);
        if (since.slot > at->slot || since.cycle > at->now)
            add_key(key, (uint64_t)n << 56 | (uint64_t)(since.slot - at->slot) << 40 |
                             (since.cycle - at->now));
    }
    for (unsigned probe = 0; probe < PROBES; probe++) {
        struct exact_met *met = &s->met[(key[0] + probe) % EXACT_KNOWN];
        if (met->key == key[0] && met->check == key[1]) {
            if (met->now <= at->now)
                return true;
            met->now = at->now;
            return false;
        }
        if (!met->key) {
            *met = (struct exact_met){key[0], key[1], at->now};
            return false;
        }
    }
    return false;
}
