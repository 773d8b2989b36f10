/* mv_repeat: transfers of a stretch of the stream that repeats (see skip.c). */
#include "timing/mncore2/mv.h"

#include <stdlib.h>
#include <string.h>

static bool has(const uint64_t bits[MV_TAGS / 64], unsigned tag)
{
    return bits[tag / 64] >> tag % 64 & 1;
}

/* Nothing will happen before this cycle: transfers that share no port are advanced when somebody
 * asks, so the engine can be behind the stream. */
static uint64_t horizon_of(const struct mv_engine *engine, uint64_t now)
{
    uint64_t horizon = now;
    for (uint32_t i = 0; i < engine->in_flight_count; i++) {
        const uint64_t next = engine->transfers[engine->in_flight[i]].next;
        horizon = next < horizon ? next : horizon;
    }
    return horizon;
}

/* --- the state in words -------------------------------------------------------------------------------- */

struct telling {
    const struct mv_engine *engine;
    uint64_t now;
    uint32_t item;
    struct words *words;
};

static void tell_id(const struct telling *telling, uint32_t id)
{
    words_add(telling->words, id == MV_NONE ? UINT64_MAX : telling->engine->count - id);
}

static void tell_item(const struct telling *telling, uint32_t item)
{
    words_add(telling->words, item == NONE_ID ? UINT64_MAX : telling->item - item);
}

static void tell_transfer(const struct telling *telling, uint32_t id)
{
    const struct transfer *transfer = &telling->engine->transfers[id];
    struct words *words = telling->words;
    tell_id(telling, id);
    tell_item(telling, transfer->item);
    words_add(words, transfer->done);
    words_add(words, transfer->next - telling->now);
    words_add(words, transfer->state | (uint64_t)transfer->begun << 8 |
                         (uint64_t)transfer->rivals << 16);
    words_add(words, transfer->issued - telling->now);
    words_add(words, transfer->done ? transfer->started - telling->now : 0);
    words_add(words, transfer->waited);
    tell_item(telling, transfer->waited_by);
    tell_id(telling, transfer->first_rival);
    tell_id(telling, transfer->last_rival);
    tell_id(telling, transfer->behind);
    tell_id(telling, transfer->bound_by);
    words_add(words, transfer->bound_by == MV_NONE ? 0 : transfer->bound_at - telling->now);
    uint64_t next = 0;
    const struct mv_cause *cause;
    while ((cause = mv_next_cause(telling->engine, transfer, &next))) {
        words_add(words, cause->waited);
        tell_id(telling, cause->by);
        words_add(words, cause->unit | (uint64_t)cause->reason << 32);
        words_add(words, cause->times);
        words_add(words, cause->from - telling->now);
        words_add(words, cause->first - telling->now);
        words_add(words, cause->at - telling->now);
    }
    words_add(words, 0); /* no further cause */
    const uint64_t left = transfer->plan.ops - transfer->done;
    for (uint64_t i = 0; transfer->begun && transfer->ring && i < transfer->ahead && i < left; i++)
        words_add(words, transfer->ring->arrivals[(transfer->done + i) & transfer->ring_mask] -
                             telling->now);
}

/* Transfers of a tag that a wait of the stretch will ask for, newest first; of other tags only the
 * newest, which the next one will name. */
static void tell_tag(const struct telling *telling, const struct mv_loop *loop, unsigned tag)
{
    const struct mv_engine *engine = telling->engine;
    tell_id(telling, engine->by_tag[tag]);
    if (!has(loop->waits, tag))
        return;
    for (uint32_t id = engine->by_tag[tag]; id != MV_NONE; id = engine->transfers[id].older) {
        const struct transfer *transfer = &engine->transfers[id];
        tell_id(telling, id);
        words_add(telling->words,
                  transfer->state == MV_DONE ? transfer->finished - telling->now : 0);
    }
    tell_id(telling, MV_NONE);
}

static void tell_ports(const struct telling *telling, uint64_t horizon)
{
    const struct resource_table *ports = &telling->engine->ports;
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        words_add_later(telling->words, ports->ports[p].free_at, horizon);
        if (ports->ports[p].free_at <= horizon)
            continue;
        words_add(telling->words, ports->ports[p].priority);
        tell_id(telling, ports->ports[p].holder);
    }
    words_add(telling->words, ports->count);
    for (size_t i = 0; i < ports->count; i++) {
        words_add(telling->words, ports->waiting[i].since - telling->now);
        words_add(telling->words, ports->waiting[i].priority);
        tell_id(telling, ports->waiting[i].id);
    }
}

static void tell_queue(const struct telling *telling)
{
    const struct queue *queue = &telling->engine->queue;
    words_add(telling->words, queue->count);
    if (!queue->count)
        return;
    struct queue_event *events = malloc(queue->count * sizeof *events);
    if (!events) {
        telling->words->failed = true;
        return;
    }
    queue_list(queue, events, queue->count);
    for (size_t i = 0; i < queue->count; i++) {
        words_add(telling->words, events[i].cycle - telling->now);
        words_add(telling->words, events[i].phase | (uint64_t)events[i].what << 32);
        tell_id(telling, (uint32_t)events[i].data);
    }
    free(events);
}

/* Until when something was said about each unit of the MV side. */
static void tell_account(const struct telling *telling, uint64_t horizon)
{
    const struct account *account = telling->engine->account;
    for (uint32_t u = MV_FIRST; account && u < telling->engine->model->unit_count; u++)
        words_add_later(telling->words, account->told[u], horizon);
}

void mv_words(const struct mv_engine *engine, const struct mv_loop *loop, uint64_t now,
              uint32_t item, struct words *words)
{
    const struct telling telling = {engine, now, item, words};
    const uint64_t horizon = horizon_of(engine, now);
    words_add(words, engine->in_flight_count);
    for (uint32_t i = 0; i < engine->in_flight_count; i++)
        tell_transfer(&telling, engine->in_flight[i]);
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        if (has(loop->tags, tag) || has(loop->waits, tag))
            tell_tag(&telling, loop, tag);
    tell_ports(&telling, horizon);
    words_add(words, engine->serve_at == UINT64_MAX ? UINT64_MAX : engine->serve_at - now);
    tell_queue(&telling);
    tell_account(&telling, horizon);
    if (!engine->numbers->dram.ideal)
        dram_words(&engine->dram, loop->groups, horizon, item, engine->count, words);
}

uint32_t mv_oldest(const struct mv_engine *engine, const struct mv_loop *loop)
{
    uint32_t oldest = engine->count;
    for (uint32_t i = 0; i < engine->in_flight_count; i++)
        oldest = engine->in_flight[i] < oldest ? engine->in_flight[i] : oldest;
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        if (has(loop->waits, tag))
            for (uint32_t id = engine->by_tag[tag]; id != MV_NONE;
                 id = engine->transfers[id].older)
                oldest = id < oldest ? id : oldest;
    return oldest;
}

/* --- the same again, later ----------------------------------------------------------------------------- */

static void move_cause(struct mv_cause *cause, uint64_t cycles, uint32_t ids)
{
    cause->from += cycles;
    cause->first += cycles;
    cause->at += cycles;
    if (cause->by != MV_NONE)
        cause->by += ids;
}

static struct transfer later_transfer(const struct transfer *transfer, const struct mv_shift *shift,
                                      uint64_t times)
{
    const uint64_t cycles = shift->cycles * times;
    const uint32_t ids = (uint32_t)(shift->transfers * times);
    const uint32_t items = (uint32_t)(shift->items * times);
    struct transfer later = *transfer;
    later.item += items;
    later.next += cycles;
    later.issued += cycles;
    later.started += transfer->done ? cycles : 0;
    later.finished += transfer->state == MV_DONE ? cycles : 0;
    if (transfer->older != MV_NONE)
        later.older += ids;
    if (transfer->first_rival != MV_NONE)
        later.first_rival += ids;
    if (transfer->last_rival != MV_NONE)
        later.last_rival += ids;
    if (transfer->waited_by != NONE_ID)
        later.waited_by += items;
    if (transfer->behind != MV_NONE)
        later.behind += ids;
    if (transfer->bound_by != MV_NONE) {
        later.bound_by += ids;
        later.bound_at += cycles;
    }
    for (unsigned i = 0; i < MV_CAUSES && later.causes[i].waited; i++)
        move_cause(&later.causes[i], cycles, ids);
    return later;
}

/* Causes beside the transfers that begin at `at`. */
static uint64_t count_more(const struct mv_engine *engine, const struct transfer *at, uint32_t n)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t m = at[i].more; m != MV_NONE; m = engine->more[m].next)
            count++;
    return count;
}

/* The transfer gets causes of its own beside it, in the same order. There is room for them. */
static void copy_more(struct mv_engine *engine, struct transfer *transfer, uint64_t cycles,
                      uint32_t ids)
{
    uint32_t *link = &transfer->more;
    while (*link != MV_NONE) {
        const uint32_t index = engine->more_count++;
        engine->more[index] = engine->more[*link];
        move_cause(&engine->more[index].cause, cycles, ids);
        *link = index;
        link = &engine->more[index].next;
    }
}

/* What is in flight, or waits, or has held something since `from`, is now of the last repetition. */
static void move_engine(struct mv_engine *engine, const struct mv_loop *loop,
                        const struct mv_shift *shift, uint64_t times, uint64_t from)
{
    const uint64_t cycles = shift->cycles * times;
    const uint32_t ids = (uint32_t)(shift->transfers * times);
    const uint32_t items = (uint32_t)(shift->items * times);
    for (uint32_t i = 0; i < engine->in_flight_count; i++)
        engine->in_flight[i] += ids;
    for (unsigned tag = 1; tag < MV_TAGS; tag++)
        if (has(loop->tags, tag) && engine->by_tag[tag] != MV_NONE)
            engine->by_tag[tag] += ids;
    for (unsigned p = 0; p < PORT_COUNT; p++) {
        struct resource *port = &engine->ports.ports[p];
        if (port->free_at <= from)
            continue;
        port->free_at += cycles;
        port->holder += ids;
    }
    for (size_t i = 0; i < engine->ports.count; i++) {
        engine->ports.waiting[i].since += cycles;
        engine->ports.waiting[i].id += ids;
    }
    if (engine->serve_at != UINT64_MAX)
        engine->serve_at += cycles;
    queue_shift(&engine->queue, cycles, ids);
    for (uint32_t u = MV_FIRST; engine->account && u < engine->model->unit_count; u++)
        if (engine->account->told[u] > from)
            engine->account->told[u] += cycles;
    if (!engine->numbers->dram.ideal)
        dram_shift(&engine->dram, loop->groups, cycles, items, ids);
}

int mv_repeat(struct mv_engine *engine, const struct mv_loop *loop, const struct mv_shift *shift,
              uint64_t count, uint64_t since)
{
    const uint32_t n = shift->transfers;
    /* What is older than this, nobody asks for any more. */
    const uint64_t from = horizon_of(engine, since);
    if (count * n > engine->capacity - engine->count) {
        engine->broken = "more transfers than MV statements";
        return 0;
    }
    struct transfer *at = &engine->transfers[engine->count - n];
    const struct transfer *over = at - n;
    const uint64_t more = count_more(engine, over, n), left = MV_NONE - engine->more_count;
    if ((more && count > left / more) || !mv_reserve_causes(engine, more * count))
        return -1;
    struct transfer *fresh = malloc((n + 1) * sizeof *fresh);
    if (!fresh)
        return -1;
    memcpy(fresh, at, n * sizeof *fresh);
    /* Of each repetition but the last everything is over, as it is of the period before. */
    for (uint64_t c = 0; c < count; c++)
        for (uint32_t i = 0; i < n; i++, at++) {
            if ((uint32_t)(at - engine->transfers) < engine->settled)
                continue; /* somebody may be reading it; it is so already */
            *at = later_transfer(&over[i], shift, c + 1);
            copy_more(engine, at, shift->cycles * (c + 1), (uint32_t)(n * (c + 1)));
        }
    for (uint32_t i = 0; i < n; i++, at++) {
        *at = later_transfer(&fresh[i], shift, count);
        for (uint32_t m = at->more; m != MV_NONE; m = engine->more[m].next)
            move_cause(&engine->more[m].cause, shift->cycles * count, (uint32_t)(n * count));
        const uint64_t ring = at->ring ? at->ring_mask + 1 : 0;
        for (uint64_t r = 0; r < ring; r++)
            at->ring->arrivals[r] += shift->cycles * count;
    }
    free(fresh);
    engine->count += (uint32_t)(count * n);
    for (struct transfer *t = at - 2 * (size_t)n; t < at; t++)
        if (t->state == MV_DONE && t->finished > engine->finished_last)
            engine->finished_last = t->finished;
    move_engine(engine, loop, shift, count, from);
    return 0;
}
