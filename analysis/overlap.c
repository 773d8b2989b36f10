#include "analysis/overlap.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/search.h"

static const struct moves_block *block_of(const struct overlap *o)
{
    return &o->moves->blocks[0];
}

uint32_t overlap_stages(const struct modulo *modulo)
{
    return (modulo->length + modulo->interval - 1) / modulo->interval;
}

/* --- slots ------------------------------------------------------------------------------------ */

/* Nodes [from, to) have slots from an unknown begin on; those before them have theirs. Returns the
 * earliest begin, not before `least`. */
static uint32_t find_begin(const struct overlap *o, uint32_t from, uint32_t to, uint32_t least)
{
    const struct moves_block *block = block_of(o);
    int64_t begin = least;
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        if (arc->from >= from || arc->to < from || arc->to >= to)
            continue;
        const int64_t at =
            (int64_t)o->slot[arc->from] + (int64_t)arc->slots - (int64_t)o->slot[arc->to];
        begin = at > begin ? at : begin;
    }
    for (uint32_t n = from; o->moves->distance && n < to; n++)
        for (uint32_t k = 0; o->slot[n] < o->moves->reach && k < from; k++) {
            if (o->slot[k] + o->moves->reach < least || block->nodes[n].kind != NODE_STEP ||
                block->nodes[k].kind != NODE_STEP)
                continue;
            const int64_t at = (int64_t)o->slot[k] + o->moves->distance(o->moves->context, k, n) -
                               (int64_t)o->slot[n];
            begin = at > begin ? at : begin;
        }
    return (uint32_t)begin;
}

/* The first slot after all of the nodes before `to`. */
static uint32_t end_before(const struct overlap *o, uint32_t to)
{
    uint32_t end = 0;
    for (uint32_t n = 0; n < to; n++) {
        const uint32_t after = o->slot[n] + (block_of(o)->nodes[n].kind != NODE_FREE);
        end = after > end ? after : end;
    }
    return end;
}

static void shift(const struct overlap *o, uint32_t from, uint32_t to)
{
    const uint32_t begin = find_begin(o, from, to, end_before(o, from));
    for (uint32_t n = from; n < to; n++)
        o->slot[n] += begin;
}

/* The first node of the loop. */
static uint32_t first_of(const struct turns *turns)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < turns->count * turns->pieces; i++)
        first = turns->piece[i] < first ? turns->piece[i] : first;
    return first;
}

/* Returns the first slot of the loop. */
static uint32_t set_slots(const struct overlap *o)
{
    const struct moves_block *block = block_of(o);
    const struct turns *turns = o->turns;
    const uint32_t count = (uint32_t)block->node_count, size = turns->count * turns->pieces,
                   first = first_of(turns);
    for (uint32_t n = 0; n < count; n++)
        o->slot[n] = block->nodes[n].written;
    for (uint32_t i = 0; i < size; i++)
        o->slot[turns->piece[i]] =
            o->modulo->at[i % turns->pieces] + i / turns->pieces * o->modulo->interval;
    const uint32_t begin = find_begin(o, first, first + size, end_before(o, first));
    for (uint32_t n = first; n < first + size; n++)
        o->slot[n] += begin;
    for (uint32_t n = first + size; n < count; n++)
        o->slot[n] = block->nodes[n].written - block->nodes[first + size].written;
    shift(o, first + size, count);
    return begin;
}

/* --- places ----------------------------------------------------------------------------------- */

struct key {
    uint32_t slot, node;
    uint8_t rank; /* in a slot: what takes none, waits, steps */
};

static int by_slot(const void *first, const void *second)
{
    const struct key *a = first, *b = second;
    if (a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

static int sort_places(const struct overlap *o)
{
    const struct moves_block *block = block_of(o);
    struct key *keys = malloc((block->node_count + 1) * sizeof *keys);
    if (!keys)
        return -1;
    for (uint32_t n = 0; n < block->node_count; n++) {
        const uint8_t kind = block->nodes[n].kind;
        keys[n] = (struct key){o->slot[n], n, kind == NODE_FREE ? 0 : kind == NODE_WAIT ? 1 : 2};
    }
    qsort(keys, block->node_count, sizeof *keys, by_slot);
    for (size_t i = 0; i < block->node_count; i++)
        o->places[i] = (struct moves_place){.node = keys[i].node, .slot = keys[i].slot};
    free(keys);
    return 0;
}

/* The first place from this slot on. */
static size_t place_from(const struct overlap *o, uint32_t slot)
{
    return search_u32(o->places, block_of(o)->node_count, sizeof *o->places,
                      offsetof(struct moves_place, slot), slot);
}

/* Slots between the ends of a relay are quiet. False: one of them must not be. */
static bool set_quiet(const struct overlap *o)
{
    const struct moves_block *block = block_of(o);
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        if (!arc->relay)
            continue;
        for (size_t i = place_from(o, o->slot[arc->from] + 1);
             i < block->node_count && o->places[i].slot < o->slot[arc->to]; i++) {
            const struct moves_node *node = &block->nodes[o->places[i].node];
            if (node->kind == NODE_STEP && node->loud)
                return false;
            o->places[i].quiet = node->kind != NODE_FREE;
        }
    }
    return true;
}

/* Above the first place of the loop from this slot on. */
static void note(struct overlap *o, unsigned number, uint32_t slot, const char *text)
{
    const uint32_t first = first_of(o->turns), size = o->turns->count * o->turns->pieces;
    size_t at = place_from(o, slot);
    while (at < block_of(o)->node_count && o->places[at].node - first >= size)
        at++;
    snprintf(o->note[number], sizeof o->note[number], "loop %.60s: %s", o->name, text);
    if (at < block_of(o)->node_count)
        o->places[at].above = o->note[number];
}

static void set_notes(struct overlap *o, uint32_t begin)
{
    const struct modulo *modulo = o->modulo;
    const uint32_t stages = overlap_stages(modulo), turns = o->turns->count;
    char text[OVERLAP_NOTE / 2];
    snprintf(text, sizeof text, "%u steady turns", turns - stages + 1);
    if (stages > 1)
        note(o, 0, begin, "prologue");
    note(o, 1, begin + (stages - 1) * modulo->interval, text);
    if (stages > 1)
        note(o, 2, begin + turns * modulo->interval, "epilogue");
}

int overlap_places(struct overlap *o)
{
    const size_t count = block_of(o)->node_count;
    o->places = malloc((count + 1) * sizeof *o->places);
    o->slot = malloc((count + 1) * sizeof *o->slot);
    if (!o->places || !o->slot)
        return -1;
    const uint32_t begin = set_slots(o);
    if (sort_places(o) != 0)
        return -1;
    set_notes(o, begin);
    return set_quiet(o);
}

void overlap_free(struct overlap *o)
{
    free(o->places);
    free(o->slot);
}
