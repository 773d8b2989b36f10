/*
 * order_least: every order of a small program, slot by slot, by the rules of order_rules.h.
 *
 * Left out is only what cannot be shorter:
 *   an order whose rest, with chains and with the slots of steps that are alone, takes too long
 *   a state that was met before, no later: the same pieces are placed, and keep the others as far
 *   away
 *   a slot without a step that it could take and that keeps no other one further away
 *   a place for a transfer that stays empty, though one is ready: a later one may overtake it
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/order_rules.h"
#include "host/grow.h"
#include "host/hash.h"

enum { STATES = 1 << 18, SLOTS = 1 << 19, KEY = 4 * ORDER_PIECES + 8 };

struct state {
    uint64_t placed; /* bits */
    uint32_t slot[ORDER_PIECES];
    uint64_t issued[ORDER_PIECES], done[ORDER_PIECES]; /* of transfers */
    uint32_t index, used; /* of the next slot; slots of its unit that are taken */
    bool sent;            /* a transfer, after this unit */
    uint64_t now, end;    /* end: when all results of steps are there */
};

/* What was met: its words in search.words, and when. */
struct met {
    size_t first;
    uint32_t count;
    uint64_t now;
};

struct search {
    const struct order_rules *rules;
    uint64_t best;
    size_t first[ORDER_PIECES + 1]; /* in rules->after, by `to` */
    /* From a piece's slot or issue until the last slot of what comes after it ends, and until all
     * results of that are there. */
    uint64_t tail[ORDER_PIECES], rest[ORDER_PIECES];
    uint32_t by_tail[ORDER_PIECES];
    uint64_t cliques[ORDER_PIECES]; /* bits: steps of which no two share a slot */
    uint32_t clique_count;
    uint64_t free_to_go; /* bits: steps that keep no other one further away */
    size_t tried;
    bool gave_up, failed;
    struct met *met;
    uint32_t *table; /* index + 1 into met */
    size_t met_count, met_capacity;
    uint32_t *words;
    size_t word_count, word_capacity;
};

/* A slot that is being filled. */
struct filling {
    struct state state;
    uint64_t members;
};

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t whole(const struct order_rules *rules, uint64_t cycles)
{
    return (cycles + rules->slot - 1) / rules->slot * rules->slot;
}

/* Cycles from one piece to another that comes after it, at least. */
static uint64_t lag_of(const struct order_rules *rules, const struct order_after *after)
{
    const uint64_t least = rules->pieces[after->from].least;
    if (!after->done)
        return (uint64_t)after->slots * rules->slot;
    return whole(rules, after->kept && after->kept < least ? after->kept : least);
}

/* --- before the search ------------------------------------------------------------------------ */

static void find_tails(struct search *s)
{
    const struct order_rules *rules = s->rules;
    for (uint32_t n = 0; n < rules->count; n++) {
        const struct order_piece *piece = &rules->pieces[n];
        s->tail[n] = piece->step ? rules->slot : 0;
        s->rest[n] = piece->transfer ? piece->least : piece->landed;
        s->by_tail[n] = n;
    }
    for (size_t a = rules->after_count; a-- > 0;) {
        const struct order_after *after = &rules->after[a];
        const uint64_t lag = lag_of(rules, after);
        s->tail[after->from] = most(s->tail[after->from], lag + s->tail[after->to]);
        if (s->rest[after->to])
            s->rest[after->from] = most(s->rest[after->from], lag + s->rest[after->to]);
    }
    for (uint32_t i = 1; i < rules->count; i++)
        for (uint32_t k = i; k > 0; k--) {
            const uint32_t a = s->by_tail[k - 1], b = s->by_tail[k];
            if (most(s->tail[a], s->rest[a]) >= most(s->tail[b], s->rest[b]))
                break;
            s->by_tail[k - 1] = b;
            s->by_tail[k] = a;
        }
}

/* For each step one clique that it is in. */
static void find_cliques(struct search *s)
{
    const struct order_rules *rules = s->rules;
    for (uint32_t n = 0; n < rules->count; n++) {
        uint64_t clique = bit(n), others = rules->alone[n];
        bool known = !rules->pieces[n].step;
        for (uint32_t m = 0; m < rules->count; m++)
            if (others >> m & 1) {
                clique |= bit(m);
                others &= rules->alone[m];
            }
        for (uint32_t c = 0; c < s->clique_count; c++)
            known |= s->cliques[c] == clique;
        if (!known)
            s->cliques[s->clique_count++] = clique;
    }
}

static void prepare(struct search *s)
{
    const struct order_rules *rules = s->rules;
    size_t a = 0;
    for (uint32_t n = 0; n < rules->count; n++) {
        s->first[n] = a;
        while (a < rules->after_count && rules->after[a].to == n)
            a++;
        bool harmless = true;
        for (uint32_t m = 0; m < rules->count; m++)
            harmless &= rules->apart[n][m] <= 1;
        s->free_to_go |= harmless ? bit(n) : 0;
    }
    s->first[rules->count] = a;
    find_tails(s);
    find_cliques(s);
}

/* --- what is placed --------------------------------------------------------------------------- */

/* When an `after` is over whose first piece is a transfer that has been issued. */
static uint64_t over_at(const struct state *at, const struct order_after *after)
{
    const uint64_t kept = at->issued[after->from] + after->kept, done = at->done[after->from];
    return after->kept && kept < done ? kept : done;
}

struct allowed {
    bool complete; /* all that it comes after is placed */
    uint32_t slot;
    uint64_t cycle;
};

static struct allowed allowed(const struct search *s, const struct state *at, uint32_t n)
{
    const struct order_rules *rules = s->rules;
    struct allowed from = {true, at->index, at->now};
    for (size_t a = s->first[n]; a < s->first[n + 1]; a++) {
        const struct order_after *after = &rules->after[a];
        if (!(at->placed >> after->from & 1))
            from.complete = false;
        else if (after->done)
            from.cycle = most(from.cycle, over_at(at, after));
        else if (at->slot[after->from] + after->slots > from.slot)
            from.slot = at->slot[after->from] + after->slots;
    }
    for (uint32_t m = 0; m < rules->count; m++)
        if (at->placed >> m & 1 && rules->pieces[m].step && at->slot[m] < at->index &&
            at->slot[m] + rules->apart[m][n] > from.slot)
            from.slot = at->slot[m] + rules->apart[m][n];
    return from;
}

static bool may_go(const struct search *s, const struct state *at, uint32_t n)
{
    const struct allowed from = allowed(s, at, n);
    return !(at->placed >> n & 1) && from.complete && from.slot <= at->index &&
           from.cycle <= at->now;
}

static void place(struct state *at, uint32_t n)
{
    at->placed |= bit(n);
    at->slot[n] = at->index;
}

/* The end of the stream, whose units are whole, after more slots that nothing holds up. */
static uint64_t end_after(const struct order_rules *rules, const struct state *at, uint64_t slots)
{
    const uint64_t each = rules->unit_slots, all = at->used + slots;
    if (!each)
        return at->now + slots * rules->slot;
    const uint64_t units = (all + each - 1) / each;
    return at->now + (units * each - at->used) * rules->slot +
           units * (rules->unit_cycles - each * rules->slot);
}

static uint64_t end_of(const struct order_rules *rules, const struct state *at)
{
    uint64_t end = most(at->end, end_after(rules, at, 0));
    for (uint32_t n = 0; n < rules->count; n++)
        if (rules->pieces[n].transfer && at->placed >> n & 1)
            end = most(end, at->done[n]);
    return end;
}

/* --- what cannot be shorter ------------------------------------------------------------------- */

/* The earliest slot or issue of each piece that is left. */
static void find_heads(const struct search *s, const struct state *at, uint64_t *head)
{
    const struct order_rules *rules = s->rules;
    const uint32_t each = rules->unit_slots;
    for (uint32_t n = 0; n < rules->count; n++) {
        if (at->placed >> n & 1)
            continue;
        const struct allowed from = allowed(s, at, n);
        head[n] = most(at->now + (uint64_t)(from.slot - at->index) * rules->slot,
                       whole(rules, from.cycle));
        if (rules->pieces[n].transfer && each && (at->used < each || at->sent))
            head[n] =
                most(head[n], at->now + (at->used < each ? each - at->used : each) * rules->slot);
        for (size_t a = s->first[n]; a < s->first[n + 1]; a++)
            if (!(at->placed >> rules->after[a].from & 1))
                head[n] =
                    most(head[n], head[rules->after[a].from] + lag_of(rules, &rules->after[a]));
    }
}

/* The steps of a set one after the other: of those with the longest tails the least head, all of
 * their slots, and what follows the last. */
static bool set_is_long(const struct search *s, const struct state *at, const uint64_t *head,
                        uint64_t set, bool held)
{
    const struct order_rules *rules = s->rules;
    uint64_t first = UINT64_MAX, tail = UINT64_MAX, rest = UINT64_MAX, work = 0;
    for (uint32_t i = 0; i < rules->count; i++) {
        const uint32_t n = s->by_tail[i];
        if (at->placed >> n & 1 || !(set >> n & 1))
            continue;
        first = head[n] < first ? head[n] : first;
        tail = s->tail[n] < tail ? s->tail[n] : tail;
        rest = s->rest[n] < rest ? s->rest[n] : rest;
        work += rules->slot;
        const uint64_t last = first + work - rules->slot;
        uint64_t end = last + tail;
        if (!held)
            end = end_after(rules, at, (end - at->now) / rules->slot);
        if (most(end, rest ? last + rest : 0) >= s->best)
            return true;
    }
    return false;
}

static bool is_too_long(const struct search *s, const struct state *at)
{
    const struct order_rules *rules = s->rules;
    uint64_t head[ORDER_PIECES];
    bool held = false;
    find_heads(s, at, head);
    for (uint32_t n = 0; n < rules->count; n++) {
        held |= rules->pieces[n].transfer;
        if (!(at->placed >> n & 1) && head[n] + most(s->tail[n], s->rest[n]) >= s->best)
            return true;
    }
    for (uint32_t c = 0; c < s->clique_count; c++)
        if (set_is_long(s, at, head, s->cliques[c], held))
            return true;
    return end_of(rules, at) >= s->best;
}

/* The state as words, in times from now on; how many there are. */
static uint32_t key_of(const struct search *s, const struct state *at, uint32_t words[KEY])
{
    const struct order_rules *rules = s->rules;
    uint32_t count = 0;
    words[count++] = (uint32_t)at->placed;
    words[count++] = (uint32_t)(at->placed >> 32);
    words[count++] = at->used << 1 | at->sent;
    words[count++] = at->end > at->now ? (uint32_t)(at->end - at->now) : 0;
    for (uint32_t n = 0; n < rules->count; n++) {
        const bool placed = at->placed >> n & 1;
        if (placed && rules->pieces[n].transfer && at->done[n] > at->now) {
            words[count++] = n;
            words[count++] = (uint32_t)(at->done[n] - at->now);
        }
        if (placed)
            continue;
        const struct allowed from = allowed(s, at, n);
        if (from.slot > at->index || from.cycle > at->now) {
            words[count++] = n;
            words[count++] = from.slot - at->index;
            words[count++] = (uint32_t)(from.cycle - at->now);
        }
    }
    return count;
}

/* Whether this state was met no later; if not, it is from now on. */
static bool was_met(struct search *s, const struct state *at)
{
    uint32_t words[KEY];
    const uint32_t count = key_of(s, at, words);
    size_t place = hash_bytes(HASH_START, words, count * sizeof *words) % SLOTS;
    for (; s->table[place]; place = (place + 1) % SLOTS) {
        struct met *met = &s->met[s->table[place] - 1];
        if (met->count != count || memcmp(s->words + met->first, words, count * sizeof *words) != 0)
            continue;
        if (met->now <= at->now)
            return true;
        met->now = at->now;
        return false;
    }
    struct met *list = grow(s->met, &s->met_capacity, s->met_count + 1, sizeof *list);
    s->met = list ? list : s->met;
    uint32_t *all = grow(s->words, &s->word_capacity, s->word_count + count, sizeof *all);
    s->words = all ? all : s->words;
    if (!list || !all) {
        s->failed = s->gave_up = true;
        return true;
    }
    memcpy(all + s->word_count, words, count * sizeof *words);
    list[s->met_count++] = (struct met){s->word_count, count, at->now};
    s->word_count += count;
    s->table[place] = (uint32_t)s->met_count;
    return false;
}

/* --- choices ---------------------------------------------------------------------------------- */

static void search_from(struct search *s, const struct state *at);

static bool fits(const struct search *s, const struct filling *f, uint32_t n)
{
    return s->rules->pieces[n].step && !(s->rules->alone[n] & f->members) &&
           may_go(s, &f->state, n);
}

/* Something that is left may go later and not now. */
static bool waiting_helps(const struct search *s, const struct state *at)
{
    for (uint32_t n = 0; n < s->rules->count; n++) {
        const struct allowed from = allowed(s, at, n);
        if (!(at->placed >> n & 1) &&
            (from.slot > at->index || from.cycle > at->now || s->rules->pieces[n].transfer))
            return true;
    }
    return false;
}

/* Whether the slot lacks a step that does no harm in it. */
static bool lacks_one(const struct search *s, const struct filling *f)
{
    for (uint32_t n = 0; n < s->rules->count; n++)
        if (s->free_to_go >> n & 1 && fits(s, f, n))
            return true;
    return false;
}

static void next_slot(const struct order_rules *rules, struct state *at)
{
    at->index++;
    at->used += rules->unit_slots > 0;
    at->now += rules->slot;
}

/* The slot has these steps and no other. */
static void take_slot(struct search *s, const struct filling *f)
{
    const struct order_rules *rules = s->rules;
    struct state next = f->state;
    if (lacks_one(s, f))
        return;
    for (uint32_t n = 0; n < rules->count; n++)
        if (f->members >> n & 1)
            next.end = most(next.end, next.now + rules->pieces[n].landed);
    next_slot(rules, &next);
    search_from(s, &next);
}

/* The pieces from the i-th on are in the slot, or not. */
static void fill(struct search *s, const struct filling *f, uint32_t i, bool empty)
{
    for (; i < s->rules->count && !fits(s, f, s->by_tail[i]); i++)
        ;
    if (i == s->rules->count) {
        if (f->members || empty)
            take_slot(s, f);
        return;
    }
    struct filling with = *f;
    with.members |= bit(s->by_tail[i]);
    place(&with.state, s->by_tail[i]);
    fill(s, &with, i + 1, empty);
    if (!s->gave_up)
        fill(s, f, i + 1, empty);
}

/* The slot begins at once, and then is not empty, or where a transfer is over that something comes
 * after. */
static void choose_slot(struct search *s, const struct state *at)
{
    const struct order_rules *rules = s->rules;
    struct filling f = {.state = *at};
    uint64_t seen[ORDER_PIECES];
    uint32_t count = 0;
    fill(s, &f, 0, false);
    for (size_t a = 0; a < rules->after_count && !s->gave_up; a++) {
        const struct order_after *after = &rules->after[a];
        if (!after->done || !(at->placed >> after->from & 1) || at->placed >> after->to & 1)
            continue;
        f.state.now = whole(rules, over_at(at, after));
        uint32_t k = 0;
        while (k < count && seen[k] != f.state.now)
            k++;
        if (k < count || f.state.now <= at->now)
            continue;
        if (count < ORDER_PIECES)
            seen[count++] = f.state.now;
        fill(s, &f, 0, true);
    }
}

/* n is issued, and completes before the last `over` of those of its way that are in flight. False:
 * there are not as many. */
static bool send(const struct order_rules *rules, struct state *at, uint32_t n, uint32_t over)
{
    const struct order_piece *piece = &rules->pieces[n];
    uint32_t flying[ORDER_PIECES], count = 0;
    for (uint32_t m = 0; m < rules->count && piece->way; m++) {
        if (!(at->placed >> m & 1) || rules->pieces[m].way != piece->way || at->done[m] <= at->now)
            continue;
        uint32_t k = count++;
        for (; k > 0 && at->done[flying[k - 1]] > at->done[m]; k--)
            flying[k] = flying[k - 1];
        flying[k] = m;
    }
    if (over > count)
        return false;
    place(at, n);
    at->sent = true;
    at->issued[n] = at->now;
    at->done[n] = at->now + piece->least;
    if (count > over)
        at->done[n] = most(at->done[n], at->done[flying[count - over - 1]] + piece->work);
    for (uint32_t k = count - over; k < count; k++)
        at->done[flying[k]] = most(at->done[flying[k]] + piece->work, at->done[n]);
    return true;
}

/* In the place after a unit; false: no transfer may go. */
static bool choose_transfer(struct search *s, const struct state *at)
{
    bool any = false;
    if (s->rules->unit_slots && (at->used < s->rules->unit_slots || at->sent))
        return false;
    for (uint32_t n = 0; n < s->rules->count && !s->gave_up; n++) {
        if (!s->rules->pieces[n].transfer || !may_go(s, at, n))
            continue;
        any = true;
        for (uint32_t over = 0; !s->gave_up; over++) {
            struct state next = *at;
            if (!send(s->rules, &next, n, over))
                break;
            search_from(s, &next);
        }
    }
    return any;
}

/* Pieces that take no time, by number: what one comes after was before it. */
static void place_free(const struct search *s, struct state *at)
{
    for (uint32_t n = 0; n < s->rules->count; n++)
        if (!s->rules->pieces[n].step && !s->rules->pieces[n].transfer && may_go(s, at, n))
            place(at, n);
}

/* All that follows a state, with more and more empty slots before the next choice. */
static void search_from(struct search *s, const struct state *from)
{
    const struct order_rules *rules = s->rules;
    const uint64_t all = rules->count == ORDER_PIECES ? UINT64_MAX : bit(rules->count) - 1;
    struct state at = *from;
    while (!s->gave_up) {
        s->gave_up = ++s->tried > STATES;
        place_free(s, &at);
        if (at.placed == all && end_of(rules, &at) < s->best)
            s->best = end_of(rules, &at);
        if (at.placed == all || is_too_long(s, &at) || was_met(s, &at) || choose_transfer(s, &at))
            return;
        if (rules->unit_slots && at.used == rules->unit_slots) {
            at.now += rules->unit_cycles - rules->unit_slots * rules->slot;
            at.used = 0;
            at.sent = false;
        }
        choose_slot(s, &at);
        if (lacks_one(s, &(const struct filling){.state = at}) || !waiting_helps(s, &at))
            return;
        next_slot(rules, &at);
    }
}

int order_least(const struct order_rules *rules, uint64_t *cycles)
{
    struct search *s = calloc(1, sizeof *s);
    const struct state begin = {.now = 0};
    int status = -1;
    if (s && (s->table = calloc(SLOTS, sizeof *s->table))) {
        s->rules = rules;
        s->best = *cycles + 1;
        prepare(s);
        search_from(s, &begin);
        status = s->failed ? -1 : s->gave_up || s->best > *cycles;
        *cycles = status == 0 ? s->best : *cycles;
    }
    if (s) {
        free(s->met);
        free(s->table);
        free(s->words);
    }
    free(s);
    return status;
}
