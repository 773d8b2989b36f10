#include "timing/graph_spans.h"

#include <stdlib.h>
#include <string.h>

#include "host/grow.h"

static size_t hash_of(const struct graph_span *span)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    const unsigned flags = (unsigned)span->write | (unsigned)span->definite << 1 |
                           (unsigned)span->latch << 2 | (unsigned)span->shared << 3;
    uint64_t hash = ((uint64_t)span->space << 4 | flags) * odd;
    hash = (hash ^ hash >> 29 ^ span->set) * odd;
    hash = (hash ^ hash >> 31 ^ span->first) * odd;
    hash = (hash ^ hash >> 32 ^ span->count) * odd;
    return (size_t)(hash ^ hash >> 32);
}

static bool same(const struct graph_span *a, const struct graph_span *b)
{
    return a->first == b->first && a->count == b->count && a->space == b->space &&
           a->set == b->set && a->write == b->write && a->definite == b->definite &&
           a->latch == b->latch && a->shared == b->shared;
}

/* Where a place is, or goes. */
static uint32_t *slot_of(const struct graph_spans *spans, const struct graph_span *span)
{
    size_t at = hash_of(span) & (spans->slot_count - 1);
    while (spans->slots[at] != GRAPH_SPANS_FREE && !same(&spans->places[spans->slots[at]], span))
        at = (at + 1) & (spans->slot_count - 1);
    return &spans->slots[at];
}

/* At least twice as many slots as places. */
static bool make_slots(struct graph_spans *spans)
{
    enum { FIRST = 1024 };
    if (spans->place_count < spans->slot_count / 2)
        return true;
    const size_t count = spans->slot_count ? 2 * spans->slot_count : FIRST;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (!slots)
        return false;
    free(spans->slots);
    spans->slots = slots;
    spans->slot_count = count;
    memset(slots, 0xff, count * sizeof *slots);
    for (size_t p = 0; p < spans->place_count; p++)
        *slot_of(spans, &spans->places[p]) = (uint32_t)p;
    return true;
}

/* GRAPH_SPANS_FREE: no memory. */
static uint32_t place_of(struct graph_spans *spans, const struct graph_span *span)
{
    if (!make_slots(spans))
        return GRAPH_SPANS_FREE;
    uint32_t *slot = slot_of(spans, span);
    if (*slot != GRAPH_SPANS_FREE)
        return *slot;
    struct graph_span *places =
        grow(spans->places, &spans->place_capacity, spans->place_count + 1, sizeof *places);
    if (!places || spans->place_count == GRAPH_SPANS_FREE)
        return GRAPH_SPANS_FREE;
    spans->places = places;
    places[spans->place_count] = *span;
    return *slot = (uint32_t)spans->place_count++;
}

void graph_spans_add(struct graph_spans *spans, const struct graph_span *span)
{
    struct graph_touch *list =
        spans->lost ? NULL : grow(spans->list, &spans->capacity, spans->count + 1, sizeof *list);
    if (list)
        spans->list = list;
    const uint32_t place = list ? place_of(spans, span) : GRAPH_SPANS_FREE;
    spans->lost = place == GRAPH_SPANS_FREE;
    if (!spans->lost)
        list[spans->count++] = (struct graph_touch){span->node, place};
}

struct graph_span graph_spans_at(const struct graph_spans *spans, size_t number)
{
    struct graph_span span = spans->places[spans->list[number].place];
    span.node = spans->list[number].node;
    return span;
}

void graph_spans_free(struct graph_spans *spans)
{
    free(spans->list);
    free(spans->places);
    free(spans->slots);
    *spans = (struct graph_spans){.list = NULL};
}
