#include "analysis/list_schedule.h"

#include "analysis/knots.h"

#include <stdlib.h>
#include <string.h>

struct list_node {
    uint32_t pending, earliest, slot;
    bool placed, open; /* open: it reads a relay that was filled and not used up */
    uint64_t done;     /* of a transfer: when it is complete; of a wait: of all that it waits for */
};

struct list_chain {
    uint32_t members, left, outer; /* outer: arcs from outside that are pending */
    uint32_t gang;                 /* members of the gang of this number */
    bool alone;                    /* it begins when no other is under way */
    bool knot;                     /* it keeps its steps as they are written, in their order */
    uint32_t next;                 /* of a knot: no step before this one is left */
};

/* The slot that is being filled. */
struct filling {
    uint32_t slot, nodes[MOVES_TOGETHER];
    size_t count;
    size_t first; /* of its places */
    bool loud, quiet, wait;
};

/* --- what does not change --------------------------------------------------------------------- */

static uint32_t find(uint32_t *set, uint32_t n)
{
    while (set[n] != n)
        n = set[n] = set[set[n]];
    return n;
}

static void join(uint32_t *set, uint32_t a, uint32_t b)
{
    const uint32_t x = find(set, a), y = find(set, b);
    set[x > y ? x : y] = x > y ? y : x;
}

/* Members of knots that were written in one line stay in one slot, and so in chains in which a
 * reader needs two nodes in one slot: another order could reach it from the wrong side. */
static void gang_knots(struct list *l, const uint32_t *chain)
{
    const struct moves_block *block = l->block;
    for (uint32_t n = 0; n < block->node_count; n++)
        if (chain[n] != l->component[n] || find(l->gang, n) != n)
            l->chains[l->component[n]].knot = true;
    for (uint32_t n = 0; n < block->node_count; n++) {
        if (!l->chains[l->component[n]].knot)
            continue;
        for (uint32_t m = n + 1;
             m < block->node_count && block->nodes[m].line == block->nodes[n].line; m++)
            if (l->component[m] == l->component[n] && block->nodes[n].kind == NODE_STEP &&
                block->nodes[m].kind == NODE_STEP)
                join(l->gang, n, m);
    }
}

static int join_relays(struct list *l)
{
    const struct moves_block *block = l->block;
    for (uint32_t n = 0; n < block->node_count; n++)
        l->component[n] = l->gang[n] = n;
    for (size_t a = 0, last = SIZE_MAX; a < block->arc_count; a++) { /* by `to` */
        const struct moves_arc *arc = &block->arcs[a];
        if (!arc->relay)
            continue;
        join(l->component, arc->from, arc->to);
        if (last != SIZE_MAX && block->arcs[last].to == arc->to)
            join(l->gang, block->arcs[last].from, arc->from);
        last = a;
    }
    uint32_t *chain = calloc(block->node_count + 1, sizeof *chain);
    if (!chain)
        return -1;
    for (uint32_t n = 0; n < block->node_count; n++)
        chain[n] = l->component[n] = find(l->component, n);
    const int status = knots_join(block, l->component);
    gang_knots(l, chain);
    free(chain);
    for (uint32_t n = 0; n < block->node_count; n++) {
        l->gang[n] = find(l->gang, n);
        l->chains[l->component[n]].members++;
        l->chains[l->gang[n]].gang++;
    }
    return status;
}

void list_tails(struct list *l)
{
    const struct moves_block *block = l->block;
    for (size_t n = block->node_count; n-- > 0;) {
        const struct moves_node *node = &block->nodes[n];
        l->priority[n] = node->transfer ? node->latency : (uint64_t)l->moves->slot_cycles;
        for (size_t i = l->first_out[n]; i < l->first_out[n + 1]; i++) {
            const struct moves_arc *arc = &block->arcs[l->out[i]];
            const uint64_t tail =
                l->priority[arc->to] + node->latency + (uint64_t)arc->slots * l->moves->slot_cycles;
            if (tail > l->priority[n])
                l->priority[n] = tail;
        }
    }
}

static void *zeros(size_t count, size_t size, bool *whole)
{
    void *memory = calloc(count, size);
    *whole &= memory != NULL;
    return memory;
}

void list_arcs(struct list *l)
{
    enum { PATIENCE = 64 }; /* no rule of ports requires as many */
    uint32_t most = 0;
    for (size_t a = 0; a < l->block->arc_count; a++)
        most = l->block->arcs[a].slots > most ? l->block->arcs[a].slots : most;
    l->patience = most + PATIENCE;
}

int list_open(struct list *l, const struct moves *moves, const struct moves_block *block)
{
    const size_t count = block->node_count;
    *l = (struct list){.moves = moves, .block = block};
    bool whole = true;
    l->priority = zeros(count + 1, sizeof *l->priority, &whole);
    l->places = zeros(count + 1, sizeof *l->places, &whole);
    l->first_out = zeros(count + 2, sizeof *l->first_out, &whole);
    l->component = zeros(count + 1, sizeof *l->component, &whole);
    l->gang = zeros(count + 1, sizeof *l->gang, &whole);
    l->first_in = zeros(count + 2, sizeof *l->first_in, &whole);
    l->nodes = zeros(count + 1, sizeof *l->nodes, &whole);
    l->chains = zeros(count + 1, sizeof *l->chains, &whole);
    l->ready = zeros(count + 1, sizeof *l->ready, &whole);
    l->out = zeros(block->arc_count + 1, sizeof *l->out, &whole);
    if (!whole)
        return -1;
    list_arcs(l);
    for (size_t a = 0; a < block->arc_count; a++) {
        l->first_out[block->arcs[a].from + 2]++;
        l->first_in[block->arcs[a].to + 1]++;
    }
    for (size_t n = 1; n < count + 1; n++)
        l->first_in[n] += l->first_in[n - 1];
    for (size_t n = 2; n < count + 2; n++)
        l->first_out[n] += l->first_out[n - 1];
    for (size_t a = 0; a < block->arc_count; a++)
        l->out[l->first_out[block->arcs[a].from + 1]++] = (uint32_t)a;
    list_tails(l);
    return join_relays(l);
}

void list_free(struct list *l)
{
    free(l->priority);
    free(l->places);
    free(l->first_out);
    free(l->out);
    free(l->component);
    free(l->gang);
    free(l->first_in);
    free(l->nodes);
    free(l->chains);
    free(l->ready);
}

/* --- may it go here? -------------------------------------------------------------------------- */

static const struct moves_node *node_of(const struct list *l, uint32_t n)
{
    return &l->block->nodes[n];
}

static bool chained(const struct list *l, uint32_t n)
{
    return l->chains[l->component[n]].members > 1;
}

/* The ports that nodes of the last slots hold. */
static bool far_enough(const struct list *l, uint32_t n, uint32_t slot)
{
    const struct moves *moves = l->moves;
    for (size_t k = l->place_count; moves->distance && k-- > 0;) {
        const uint32_t m = l->places[k].node, at = l->nodes[m].slot;
        if (at + moves->reach < slot)
            break;
        if (at < slot && node_of(l, m)->kind == NODE_STEP &&
            slot - at < moves->distance(moves->context, m, n))
            return false;
    }
    return true;
}

static bool ready(const struct list *l, uint32_t n, uint32_t slot)
{
    return l->nodes[n].pending == 0 && l->nodes[n].earliest <= slot &&
           n <= l->oldest + MOVES_WINDOW;
}

static bool fits(const struct list *l, struct filling *f, uint32_t n)
{
    if (f->count == MOVES_TOGETHER || (f->count && !l->moves->together))
        return false;
    f->nodes[f->count] = n;
    return !f->count || l->moves->together(l->moves->context, f->nodes, f->count + 1);
}

/* A chain begins when it cannot get stuck: everything that it needs from outside has been placed.
 * */
static bool may_begin(const struct list *l, uint32_t n)
{
    const struct list_chain *chain = &l->chains[l->component[n]];
    if (!chained(l, n) || chain->left < chain->members)
        return true;
    return chain->outer == 0 && (l->active == 0 || !chain->alone);
}

/* A knot goes line by line. */
static bool in_turn(const struct list *l, uint32_t n)
{
    const struct list_chain *chain = &l->chains[l->component[n]];
    return !chain->knot || node_of(l, n)->line == node_of(l, chain->next)->line;
}

/* By itself; relays of others do not matter here. */
static bool step_fits(const struct list *l, struct filling *f, uint32_t n)
{
    const struct moves_node *node = node_of(l, n);
    if ((node->quiet && f->loud) || (node->loud && f->quiet) || n > l->oldest + MOVES_WINDOW ||
        l->nodes[n].earliest > f->slot || l->nodes[n].placed)
        return false;
    if (node->unit && l->busy_until[node->unit] > f->slot)
        return false;
    return may_begin(l, n) && in_turn(l, n) && fits(l, f, n) && far_enough(l, n, f->slot);
}

static bool add_to(const struct list *l, struct filling *trial, uint32_t n)
{
    for (size_t k = 0; k < trial->count; k++)
        if (trial->nodes[k] == n)
            return true;
    if (!step_fits(l, trial, n))
        return false;
    trial->nodes[trial->count++] = n;
    trial->loud |= node_of(l, n)->loud;
    trial->quiet |= node_of(l, n)->quiet;
    return true;
}

/* What must come before n, and may in the same slot. */
static bool add_earlier(const struct list *l, struct filling *trial, uint32_t n)
{
    const struct moves_arc *arcs = l->block->arcs;
    for (size_t a = l->first_in[n]; a < l->first_in[n + 1]; a++)
        if (!l->nodes[arcs[a].from].placed &&
            (arcs[a].slots > 0 || !add_to(l, trial, arcs[a].from)))
            return false;
    return true;
}

/* Add whatever must share the slot with the trial's nodes from the `from`th on: writers of relays
 * to the same reader, and what comes before one of them. False: they cannot go here. */
static bool add_gangs(const struct list *l, struct filling *trial, size_t from)
{
    for (size_t k = from; k < trial->count; k++) {
        const uint32_t n = trial->nodes[k], gang = l->gang[n];
        if (!add_earlier(l, trial, n))
            return false;
        if (l->chains[gang].gang == 1)
            continue;
        for (uint32_t m = gang; m < l->block->node_count && m <= gang + MOVES_WINDOW; m++)
            if (l->gang[m] == gang && !add_to(l, trial, m))
                return false;
    }
    return true;
}

/* n alone, or with its gang, which is in the trial then. */
static bool step_may_go(const struct list *l, const struct filling *f, uint32_t n,
                        struct filling *trial)
{
    *trial = *f;
    return node_of(l, n)->kind == NODE_STEP && (!node_of(l, n)->loud || l->open == 0) &&
           add_to(l, trial, n) && add_gangs(l, trial, f->count) && !(trial->loud && l->open > 0);
}

/* --- placing ---------------------------------------------------------------------------------- */

static void place(struct list *l, uint32_t n, uint32_t slot)
{
    const struct moves_node *node = node_of(l, n);
    struct list_node *state = &l->nodes[n];
    struct list_chain *chain = &l->chains[l->component[n]];
    state->placed = true;
    state->slot = slot;
    if (state->open) {
        state->open = false;
        l->open--;
    }
    if (chain->members > 1) {
        l->active += chain->left == chain->members;
        l->active -= --chain->left == 0;
    }
    while (chain->knot && chain->next + 1 < l->block->node_count &&
           (l->component[chain->next] != l->component[n] || l->nodes[chain->next].placed ||
            node_of(l, chain->next)->kind != NODE_STEP))
        chain->next++;
    if (node->unit)
        l->busy_until[node->unit] = slot + node->busy;
    if (node->transfer)
        state->done = l->now + node->latency;
    l->places[l->place_count++] = (struct moves_place){.node = n, .slot = slot};
    for (size_t k = 0; k < l->ready_count; k++) {
        if (l->ready[k] == n) {
            l->ready[k] = l->ready[--l->ready_count];
            break;
        }
    }
    for (size_t i = l->first_out[n]; i < l->first_out[n + 1]; i++) {
        const struct moves_arc *arc = &l->block->arcs[l->out[i]];
        struct list_node *to = &l->nodes[arc->to];
        if (slot + arc->slots > to->earliest)
            to->earliest = slot + arc->slots;
        if (node->transfer && !arc->issued && state->done > to->done)
            to->done = state->done;
        if (l->component[arc->to] != l->component[n])
            l->chains[l->component[arc->to]].outer--;
        if (--to->pending == 0)
            l->ready[l->ready_count++] = arc->to;
    }
    while (l->oldest < l->block->node_count && l->nodes[l->oldest].placed)
        l->oldest++;
}

/* What the trial has more, in the order of the program: arcs go from lower to higher numbers. */
static void place_trial(struct list *l, struct filling *f, const struct filling *trial)
{
    while (f->count < trial->count) {
        uint32_t least = UINT32_MAX;
        for (size_t k = 0; k < trial->count; k++)
            if (!l->nodes[trial->nodes[k]].placed && trial->nodes[k] < least)
                least = trial->nodes[k];
        f->nodes[f->count++] = least;
        place(l, least, f->slot);
    }
    f->loud = trial->loud;
    f->quiet = trial->quiet;
}

/* The node with the highest priority, of equal ones the first of the program. NONE: no node. */
#define NONE UINT32_MAX
static uint32_t better(const struct list *l, uint32_t best, uint32_t n)
{
    if (best == NONE || l->priority[n] > l->priority[best])
        return n;
    return l->priority[n] == l->priority[best] && n < best ? n : best;
}

static bool pick_step(const struct list *l, const struct filling *f, struct filling *picked)
{
    struct filling trial;
    uint32_t best = NONE;
    for (size_t k = 0; k < l->ready_count; k++) {
        const uint32_t n = l->ready[k];
        if (better(l, best, n) == n && step_may_go(l, f, n, &trial)) {
            best = n;
            *picked = trial;
        }
    }
    return best != NONE;
}

/* All that read the open relays, if they can go here together: then the slot may be loud. */
static void close_relays(struct list *l, struct filling *f)
{
    struct filling trial = *f;
    uint32_t readers = 0;
    if (l->open == 0 || f->quiet)
        return;
    for (uint32_t n = l->oldest; readers < l->open && n < l->block->node_count; n++) {
        if (!l->nodes[n].open)
            continue;
        readers++;
        if (node_of(l, n)->quiet || !add_to(l, &trial, n))
            return;
    }
    if (add_gangs(l, &trial, f->count))
        place_trial(l, f, &trial);
}

static void fill(struct list *l, struct filling *f)
{
    struct filling picked;
    if (!l->moves->together && f->count)
        return;
    close_relays(l, f);
    while (pick_step(l, f, &picked))
        place_trial(l, f, &picked);
}

/* Steps that are ready would fill the unit in front of a transfer. */
static bool unit_waits(const struct list *l, struct filling *f)
{
    if (!l->fill_units || !l->moves->unit_slots || l->unit_used == l->moves->unit_slots)
        return false;
    struct filling picked;
    return pick_step(l, f, &picked);
}

static void place_free(struct list *l, struct filling *f)
{
    for (;;) {
        uint32_t best = NONE;
        for (size_t k = 0; k < l->ready_count; k++) {
            const uint32_t n = l->ready[k];
            if (node_of(l, n)->kind == NODE_FREE && ready(l, n, f->slot) &&
                far_enough(l, n, f->slot) && better(l, best, n) == n)
                best = n;
        }
        if (best == NONE)
            return;
        if (node_of(l, best)->transfer) {
            if (unit_waits(l, f))
                return;
            l->now += (uint64_t)(l->moves->unit_slots - l->unit_used) * l->moves->slot_cycles;
            l->unit_used = 0;
        }
        place(l, best, f->slot);
    }
}

/* The wait whose transfers are complete first. */
static uint32_t pick_wait(const struct list *l, uint32_t slot)
{
    uint32_t best = NONE;
    for (size_t k = 0; k < l->ready_count; k++) {
        const uint32_t n = l->ready[k];
        if (node_of(l, n)->kind != NODE_WAIT || !ready(l, n, slot))
            continue;
        if (best == NONE || l->nodes[n].done < l->nodes[best].done ||
            (l->nodes[n].done == l->nodes[best].done && n < best))
            best = n;
    }
    return best;
}

/* Slots until something is ready that only has to let slots pass; UINT32_MAX: nothing is. */
static uint32_t idle_slots(const struct list *l, uint32_t slot)
{
    uint32_t least = UINT32_MAX;
    for (size_t k = 0; k < l->ready_count; k++) {
        const struct moves_node *node = node_of(l, l->ready[k]);
        const uint32_t at = l->nodes[l->ready[k]].earliest;
        if (node->kind != NODE_WAIT &&
            (!node->loud || l->open == 0 || l->nodes[l->ready[k]].open) &&
            may_begin(l, l->ready[k])) {
            const uint32_t wait = at > slot ? at - slot : 1;
            least = wait < least ? wait : least;
        }
    }
    return least;
}

static void take_wait(struct list *l, struct filling *f)
{
    const uint32_t n = pick_wait(l, f->slot);
    if (n == NONE)
        return;
    const uint64_t done = l->nodes[n].done;
    const uint32_t idle = f->count ? 0 : idle_slots(l, f->slot);
    const uint64_t until =
        idle == UINT32_MAX ? UINT64_MAX : l->now + (uint64_t)idle * l->moves->slot_cycles;
    if (done > until)
        return;
    if (!f->count && done > l->now + l->moves->slot_cycles && l->lingered < l->linger) {
        l->lingered++;
        return;
    }
    l->lingered = 0;
    if (done > l->now)
        l->now += (done - l->now + l->moves->slot_cycles - 1) / l->moves->slot_cycles *
                  l->moves->slot_cycles;
    f->wait = true;
    place(l, n, f->slot);
    fill(l, f);
}

/* Readers of relays written in this slot go into the next one. */
static void end_slot(struct list *l, struct filling *f)
{
    const bool quiet = f->count && (f->quiet || l->open > 0);
    for (size_t k = f->first; k < l->place_count; k++)
        if (node_of(l, l->places[k].node)->kind != NODE_FREE)
            l->places[k].quiet = quiet;
    for (size_t k = 0; k < f->count; k++) {
        const uint32_t n = f->nodes[k];
        for (size_t i = l->first_out[n]; i < l->first_out[n + 1]; i++) {
            const struct moves_arc *arc = &l->block->arcs[l->out[i]];
            if (arc->relay && !l->nodes[arc->to].open) {
                l->nodes[arc->to].open = true;
                l->open++;
            }
        }
    }
}

/* --- the whole block -------------------------------------------------------------------------- */

static void reset(struct list *l)
{
    const struct moves_block *block = l->block;
    memset(l->nodes, 0, block->node_count * sizeof *l->nodes);
    memset(l->busy_until, 0, sizeof l->busy_until);
    l->ready_count = l->place_count = 0;
    l->oldest = l->active = l->open = l->unit_used = l->lingered = 0;
    l->now = 0;
    for (uint32_t n = 0; n < block->node_count; n++) {
        l->chains[n].left = l->chains[n].members;
        l->chains[n].outer = 0;
        l->chains[n].next = n; /* the least member has the component's number */
    }
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        l->nodes[arc->to].pending++;
        l->chains[l->component[arc->to]].outer += l->component[arc->from] != l->component[arc->to];
    }
    for (uint32_t n = 0; n < block->node_count; n++)
        if (l->nodes[n].pending == 0)
            l->ready[l->ready_count++] = n;
}

static bool try_once(struct list *l)
{
    uint32_t empty = 0, slot = 0;
    reset(l);
    while (l->place_count < l->block->node_count && empty < l->patience) {
        struct filling f = {.slot = slot, .first = l->place_count};
        uint32_t passed = 1;
        place_free(l, &f);
        fill(l, &f);
        take_wait(l, &f);
        end_slot(l, &f);
        const bool last = l->place_count == l->block->node_count && !f.count && !f.wait;
        if (last)
            break;
        empty = l->place_count == f.first ? empty + 1 : 0;
        if (f.count && !l->moves->together)
            passed = node_of(l, f.nodes[0])->issue;
        slot += passed;
        l->now += (uint64_t)passed * l->moves->slot_cycles;
        l->unit_used = l->unit_used >= l->moves->unit_slots ? 1 : l->unit_used + 1;
    }
    l->slots = slot;
    return l->place_count == l->block->node_count;
}

/* A dead end: what is under way gets out of each other's way. False: nothing is left to try. */
static bool make_room(struct list *l)
{
    bool changed = false;
    for (uint32_t n = 0; n < l->block->node_count; n++) {
        struct list_chain *chain = &l->chains[l->component[n]];
        const bool begun = chain->left > 0 && chain->left < chain->members;
        if (begun && !chain->alone)
            changed = chain->alone = true;
    }
    return changed;
}

bool list_run(struct list *l)
{
    while (!try_once(l))
        if (!make_room(l))
            return false;
    return true;
}
