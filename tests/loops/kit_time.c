/* kit_time: the time of a program by the rules of timing/loops/model.h, step by step, with lists
 * instead of a traversal unit and with addresses instead of places. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/loops/kit.h"

enum { LEVELS = 2 * KIT_RANK, LANES = 1 << 12 };

struct chunk {
    long start, count;
};

/* A sequential loop of a part: through the chunks of a divided loop, or one by one. */
struct level {
    int loop;
    bool chunks;
    long limit;
};

struct timing {
    const struct kit *kit;
    const struct kit_numbers *n;
    const struct kit_nest *nest;
    struct chunk chunk[KIT_RANK][100];
    long chunk_count[KIT_RANK];
    bool uneven[KIT_RANK]; /* the last chunk is smaller */
    struct level level[LEVELS];
    int levels;
    long index[LEVELS];
    long now[KIT_RANK]; /* chunk, or iteration, of each loop */
    /* by tile */
    long order[4], finish[4], free[4][3], sum_at[4], drain[4], last_to[4];
    bool any[4];
    long *stored[4]; /* of each byte of memory: when a sum that lies there was written */
    long begin;
    struct event_list *events;
};

static long units_of(const struct kit *kit, int over)
{
    switch (over) {
    case KIT_UNITS:
        return kit->tiles * kit->processors * kit->math;
    case KIT_TILES:
        return kit->tiles;
    case KIT_PROCESSORS:
        return kit->processors;
    default:
        return kit->math;
    }
}

static long larger(long a, long b)
{
    return a > b ? a : b;
}

static void cut(struct timing *t, int i, bool rest)
{
    const long size = t->nest->limit[i], units = units_of(t->kit, t->nest->over[i]);
    long each = size < units ? size : units, from = 0, to = size;
    if (t->nest->strategy == KIT_UNIFORM)
        while (size % each)
            each--;
    if (t->nest->strategy == KIT_PEELED && size > units) {
        from = rest ? size - size % units : 0;
        to = rest ? size : size - size % units;
    }
    t->chunk_count[i] = 0;
    for (; from < to; from += each)
        t->chunk[i][t->chunk_count[i]++] =
            (struct chunk){from, to - from < each ? to - from : each};
    t->uneven[i] = t->chunk_count[i] > 1 && t->chunk[i][t->chunk_count[i] - 1].count < each;
}

static void add_level(struct timing *t, int i)
{
    const bool chunks = t->nest->over[i] != KIT_ALONE;
    if (!chunks || t->chunk_count[i] > 1)
        t->level[t->levels++] =
            (struct level){i, chunks, chunks ? t->chunk_count[i] : t->nest->limit[i]};
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The iterations of loop i in this step on a tile. */
static struct chunk lanes_of(const struct timing *t, int i, int tile)
{
    struct chunk c = {t->now[i], 1};
    const long each = t->nest->over[i] == KIT_UNITS ? t->kit->processors * t->kit->math : 1;
    if (t->nest->over[i] == KIT_ALONE)
        return c;
    c = t->chunk[i][t->now[i]];
    if (t->nest->over[i] != KIT_UNITS && t->nest->over[i] != KIT_TILES)
        return c;
    c.start += tile * each;
    c.count -= tile * each;
    c.count = c.count < 0 ? 0 : c.count > each ? each : c.count;
    return c;
}

static long place_of(const struct timing *t, const struct kit_operand *o, const long *index)
{
    const struct kit_tensor *tensor = &t->kit->tensors[o->tensor];
    long at = 0;
    for (int d = 0; d < tensor->rank; d++) {
        long element = o->constant[d];
        for (int i = 0; i < t->nest->rank; i++)
            element += o->times[d][i] * index[i];
        at += element * tensor->stride[d];
    }
    return tensor->base + at * (tensor->type == KIT_I8 ? 1 : 4);
}

static int compare(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

/* Cycles of the banks for an operand; *first is the address of the first lane. */
static long access_cycles(const struct timing *t, const struct kit_operand *o, int tile,
                          long *first)
{
    static long words[LANES], banks[1 << 8];
    struct chunk range[KIT_RANK];
    long index[KIT_RANK], count = 1, most = 0;
    for (int i = 0; i < t->nest->rank; i++) {
        range[i] = lanes_of(t, i, tile);
        count *= range[i].count;
    }
    for (long lane = 0; lane < count; lane++) {
        long left = lane;
        for (int i = t->nest->rank; i-- > 0; left /= range[i].count)
            index[i] = range[i].start + left % range[i].count;
        words[lane] = place_of(t, o, index);
        if (lane == 0)
            *first = words[0];
        words[lane] /= 4;
    }
    qsort(words, (size_t)count, sizeof *words, compare);
    memset(banks, 0, sizeof banks);
    for (long lane = 0; lane < count; lane++)
        if (lane == 0 || words[lane] != words[lane - 1])
            most = larger(most, ++banks[words[lane] % t->n->banks]);
    return most * t->n->bank;
}

/* What moves behind this step: the level; -1: nothing, it is the last one. */
static int moves(const struct timing *t)
{
    int k = t->levels - 1;
    while (k >= 0 && t->index[k] + 1 == t->level[k].limit)
        k--;
    return k;
}

/* Whether the steps before or behind this one go to the same elements. */
static bool same_before(const struct timing *t, bool behind)
{
    for (int k = t->levels; k-- > 0;) {
        const bool end = t->index[k] == (behind ? t->level[k].limit - 1 : 0);
        if (!end)
            return t->nest->sums[t->level[k].loop];
        if (!t->nest->sums[t->level[k].loop] && t->level[k].limit > 1)
            return false;
    }
    return false;
}

static long control(const struct timing *t)
{
    const int k = moves(t);
    long cycles = t->n->issue;
    bool masked = false;
    for (int i = 0; i < t->nest->rank; i++)
        masked = masked || (t->nest->over[i] && t->uneven[i] && t->nest->strategy == KIT_MASKED);
    cycles += masked ? t->n->mask : 0;
    if (k < 0)
        return cycles;
    cycles += (t->levels - 1 - k) * t->n->carry;
    const struct level *level = &t->level[k];
    if (level->chunks && t->uneven[level->loop] && t->nest->strategy == KIT_ALTERNATE &&
        t->index[k] + 2 == level->limit)
        cycles += t->n->change;
    return cycles;
}

static void happens(struct timing *t, int tile, const char *unit, const char *operation,
                    long amount, long cycle)
{
    struct event_row row = {.cycle = (uint64_t)cycle, .amount = (unsigned)amount};
    const char *part = strchr(unit, '.');
    const int length = part ? (int)(part - unit) : (int)strlen(unit);
    snprintf(row.unit, sizeof row.unit, "%.*s%d%s", length, unit, tile, part ? part : "");
    snprintf(row.operation, sizeof row.operation, "%s", operation);
    event_list_add(t->events, &row);
}

/* Whether sums go on in the math units, or with what an earlier run has stored. */
enum sums { SUMS_NEW, SUMS_CHAINED, SUMS_STORED };

static void list_sums(struct timing *t, int tile, enum sums sums, long lanes, long at)
{
    if (sums != SUMS_NEW)
        happens(t, tile, sums == SUMS_CHAINED ? "math.sums" : "banks", "read", lanes, at);
}

/* stored: cycles until its results are in memory; 0: they stay in the math units, for `sum`. */
static void list_results(struct timing *t, int tile, long lanes, long at, long stored, long sum)
{
    const char *unit = stored ? "banks" : "math.sums";
    happens(t, tile, unit, "write", lanes, at);
    happens(t, tile, unit, stored ? "stored" : "ready", lanes, at + (stored ? stored : sum));
}

static void step(struct timing *t, int tile)
{
    static const char *const units[3] = {"traversal", "banks", "math"};
    const struct kit_nest *nest = t->nest;
    const struct kit_numbers *n = t->n;
    const bool real = t->kit->tensors[nest->to.tensor].type == KIT_F32;
    const bool adds = nest->assign != KIT_SET, begins = !same_before(t, false),
               stores = !adds || !same_before(t, true);
    long together = 1, lanes = 1, first = 0, refs = 0, sum = 0, most = 0;
    bool tiles = false;
    for (int i = 0; i < nest->rank; i++) {
        const struct chunk c = lanes_of(t, i, tile);
        lanes *= c.count;
        together *= nest->sums[i] && nest->limit[i] > 1 ? c.count : 1;
        tiles = tiles || nest->over[i] == KIT_UNITS || nest->over[i] == KIT_TILES;
    }
    if (lanes == 0 || (tile && !tiles))
        return;
    const struct kit_operand *const operand[] = {&nest->a, nest->op ? &nest->b : NULL,
                                                 adds && begins ? &nest->to : NULL,
                                                 stores ? &nest->to : NULL};
    bool reads = false;
    for (int i = 0; i < 4; i++)
        if (operand[i] && operand[i]->tensor >= 0) {
            const long cycles = access_cycles(t, operand[i], tile, &first);
            refs++;
            sum += cycles;
            most = larger(most, cycles);
            reads = reads || i < 3;
        }
    access_cycles(t, &nest->to, tile, &first);
    const long used[3] = {refs * n->address, larger(most, (sum + n->ports - 1) / n->ports),
                          n->math};
    const long add = real ? n->add : n->integer, multiply = real ? n->multiply : n->integer;
    const long length =
        larger(larger(control(t), larger(used[0], larger(used[1], used[2]))),
               (reads || stores ? n->address_latency : 0) + used[1] + (reads ? n->read : 0) +
                   (nest->op == KIT_NONE    ? 0
                    : nest->op == KIT_TIMES ? multiply
                                            : add) +
                   (adds ? together * add : 0) + (stores ? n->write : 0));
    long at = larger(t->order[tile], t->drain[tile]);
    if (adds && !begins)
        at = larger(at, t->sum_at[tile]);
    if (adds && begins)
        at = larger(at, t->stored[tile][first]);
    for (int u = 0; u < 3; u++)
        at = used[u] ? larger(at, t->free[tile][u]) : at;
    for (int u = 0; u < 3; u++)
        t->free[tile][u] = used[u] ? at + used[u] : t->free[tile][u];
    for (int u = 0; u < 3; u++)
        if (used[u])
            happens(t, tile, units[u], "begin", used[u], at);
    list_sums(t, tile,
              adds && !begins                       ? SUMS_CHAINED
              : adds && t->stored[tile][first] != 0 ? SUMS_STORED
                                                    : SUMS_NEW,
              lanes, at);
    list_results(t, tile, lanes, at, stores ? length : 0, together * add);
    t->order[tile] = at + control(t);
    t->finish[tile] = larger(t->finish[tile], at + length);
    t->sum_at[tile] = at + together * add;
    if (adds && stores)
        t->stored[tile][first] = at + length;
}

/* Where an outer iteration ends, the next one waits for the units of all tiles. */
static void drain(struct timing *t)
{
    long end = 0;
    bool next_outer = false;
    for (int i = moves(t); i >= 0 && i < t->levels; i++)
        next_outer = next_outer || t->level[i].chunks;
    for (int tile = 0; tile < t->kit->tiles; tile++)
        end = larger(end, t->finish[tile]);
    for (int tile = 0; tile < t->kit->tiles && t->n->drain && next_outer; tile++)
        t->drain[tile] = end;
}

/* --- parts ------------------------------------------------------------------------------------ */

static void part(struct timing *t, unsigned rests)
{
    const struct kit_nest *nest = t->nest;
    long state = 0, tensors = 1 + (nest->a.tensor >= 0) + (nest->op && nest->b.tensor >= 0);
    t->levels = 0;
    for (int i = 0; i < nest->rank; i++)
        if (nest->over[i]) {
            cut(t, i, rests >> i & 1);
            state += 3 + t->uneven[i];
        }
    for (int i = 0; i < nest->rank && nest->outermost; i++)
        if (nest->over[i])
            add_level(t, i);
    for (int i = 0; i < nest->rank; i++)
        if (!nest->over[i] || !nest->outermost)
            add_level(t, i);
    state = (state + 3 * t->levels) * tensors * t->n->state;
    memset(t->index, 0, sizeof t->index);
    memset(t->now, 0, sizeof t->now);
    for (int tile = 0; tile < t->kit->tiles; tile++) {
        long lanes = 1;
        bool tiles = false;
        for (int i = 0; i < nest->rank; i++) {
            lanes *= lanes_of(t, i, tile).count;
            tiles = tiles || nest->over[i] == KIT_UNITS || nest->over[i] == KIT_TILES;
        }
        memset(t->stored[tile], 0, (size_t)t->kit->memory * sizeof(long));
        t->drain[tile] = 0;
        if (lanes == 0 || (tile && !tiles))
            continue;
        t->order[tile] = larger(t->order[tile], t->begin) + state;
        if (state)
            happens(t, tile, "traversal", "begin", state, t->order[tile] - state);
        t->free[tile][0] = larger(t->free[tile][0], t->order[tile]);
        t->finish[tile] = larger(t->finish[tile], t->order[tile]);
    }
    for (int k = 0; k >= 0;) {
        for (int tile = 0; tile < t->kit->tiles; tile++)
            step(t, tile);
        drain(t);
        k = moves(t);
        if (k < 0)
            break;
        t->index[k]++;
        for (int i = k + 1; i < t->levels; i++)
            t->index[i] = 0;
        for (int i = 0; i < t->levels; i++)
            t->now[t->level[i].loop] = t->index[i];
    }
    for (int tile = 0; tile < t->kit->tiles; tile++)
        t->begin = larger(t->begin, t->finish[tile]);
}

uint64_t loops_kit_cycles(const struct kit *kit, const struct kit_numbers *numbers,
                          struct event_list *events)
{
    static struct timing t;
    t = (struct timing){.kit = kit, .n = numbers, .events = events};
    for (int i = 0; i < 4; i++)
        t.stored[i] = calloc((size_t)kit->memory + 1, sizeof(long));
    for (int i = 0; i < kit->nest_count; i++) {
        t.nest = &kit->nests[i];
        unsigned with_rest[KIT_RANK], count = 0;
        for (int l = t.nest->rank; l-- > 0;) /* the innermost changes first */
            if (t.nest->over[l] && t.nest->strategy == KIT_PEELED &&
                t.nest->limit[l] > units_of(kit, t.nest->over[l]) &&
                t.nest->limit[l] % units_of(kit, t.nest->over[l]))
                with_rest[count++] = (unsigned)l;
        for (unsigned subset = 0; subset < 1U << count; subset++) {
            unsigned rests = 0;
            for (unsigned k = 0; k < count; k++)
                rests |= (subset >> k & 1) << with_rest[k];
            part(&t, rests);
        }
    }
    for (int i = 0; i < 4; i++)
        free(t.stored[i]);
    return (uint64_t)t.begin;
}
