#include "analysis/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "host/text.h"

struct gap {
    size_t index;          /* of the first place of the slot of the wait */
    uint32_t slots, first; /* now, and before any went */
};

struct search {
    struct shrink *of;
    size_t count; /* of places */
    struct gap *gaps;
    size_t gap_count, tries_left;
};

/* --- gaps ------------------------------------------------------------------------------------- */

/* Whether pairs of transfer and access around a wait stay in order without the slots: the wait is
 * for a later transfer. slots: by node. */
static bool may_go(const struct moves_block *block, const uint32_t *slots, uint32_t wait)
{
    uint64_t after = 0; /* the latest transfer that is waited for */
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        if (arc->to == wait && !arc->issued && block->nodes[arc->from].transfer)
            after = arc->from + UINT64_C(1);
    }
    for (size_t a = 0; a < block->arc_count; a++) {
        const struct moves_arc *arc = &block->arcs[a];
        if (arc->timed && slots[arc->from] <= slots[wait] && slots[arc->to] >= slots[wait] &&
            arc->from >= after)
            return false;
    }
    return true;
}

static int find_gaps(struct search *s)
{
    const struct moves_block *block = &s->of->moves->blocks[0];
    const struct moves_place *places = s->of->places;
    uint32_t *slots = malloc((s->count + 1) * sizeof *slots), next = 0;
    s->gaps = malloc((s->count + 1) * sizeof *s->gaps);
    for (size_t i = 0; slots && i < s->count; i++)
        slots[places[i].node] = places[i].slot;
    for (size_t i = 0, end; slots && s->gaps && i < s->count; i = end) {
        const bool takes_none = block->nodes[places[i].node].kind == NODE_FREE;
        uint32_t wait = UINT32_MAX;
        for (end = i;
             end == i || (!takes_none && end < s->count && places[end].slot == places[i].slot &&
                          block->nodes[places[end].node].kind != NODE_FREE);
             end++)
            if (block->nodes[places[end].node].kind == NODE_WAIT)
                wait = places[end].node;
        if (wait != UINT32_MAX && places[i].slot > next && may_go(block, slots, wait))
            s->gaps[s->gap_count++] = (struct gap){i, places[i].slot - next, places[i].slot - next};
        next = places[i].slot + !takes_none;
    }
    const bool whole = slots && s->gaps;
    free(slots);
    return whole ? 0 : -1;
}

/* --- trials ----------------------------------------------------------------------------------- */

static int measure(const struct search *s, struct moves_place *places, uint64_t *cycles)
{
    const struct moves *moves = s->of->moves;
    struct candidate candidate = {.waits = s->of->waits};
    char *text = NULL;
    FILE *out = text_open(&text, &candidate.size);
    if (!out)
        return -1;
    int status = moves->write(moves->context, (const struct moves_place *const[]){places}, out);
    if (text_close(out, &text) != 0)
        status = -1;
    candidate.text = text;
    if (status == 0)
        status = candidate_time(s->of->candidates, &candidate, cycles);
    free(text);
    return status;
}

static uint32_t slots_with(const struct gap *gap, uint32_t keep)
{
    return gap->first < keep ? gap->first : keep;
}

/* The gaps [from, to) with at most `keep` slots each. Returns 1 when that is taken: it takes at
 * most as many cycles. */
static int try_gaps(struct search *s, size_t from, size_t to, uint32_t keep, uint64_t most)
{
    struct moves_place *places = malloc((s->count + 1) * sizeof *places);
    uint64_t cycles = UINT64_MAX;
    uint32_t cut = 0;
    if (!places)
        return -1;
    for (size_t i = 0, g = from; i < s->count; i++) {
        for (; g < to && s->gaps[g].index == i; g++)
            cut += s->gaps[g].slots - slots_with(&s->gaps[g], keep);
        places[i] = s->of->places[i];
        places[i].slot -= cut;
    }
    s->tries_left--;
    int status = measure(s, places, &cycles);
    if (status == 0 && cycles <= most) {
        status = 1;
        s->of->cycles = cycles;
        memcpy(s->of->places, places, s->count * sizeof *places);
        for (size_t g = from; g < to; g++)
            s->gaps[g].slots = slots_with(&s->gaps[g], keep);
    }
    free(places);
    return status;
}

/* All at once, then each half of them; of one alone, as many slots as go. */
static int shrink(struct search *s, size_t from, size_t to)
{
    enum { MOST = 16 }; /* slots that a rule may require */
    if (from == to || !s->tries_left || candidate_stopped(s->of->candidates))
        return 0;
    int status = try_gaps(s, from, to, 0, s->of->cycles);
    for (uint32_t keep = 1; to - from == 1 && keep < s->gaps[from].slots && keep < MOST &&
                            status == 0 && s->tries_left;
         keep++)
        status = try_gaps(s, from, to, keep, s->of->cycles);
    if (to - from == 1 || status != 0)
        return status < 0 ? -1 : 0;
    status = shrink(s, from, from + (to - from) / 2);
    return status == 0 ? shrink(s, from + (to - from) / 2, to) : status;
}

/* What follows a wait may find a better place in its unit with a slot more. */
static int fit_units(struct search *s)
{
    int status = 0;
    for (size_t g = 0; g < s->gap_count && status >= 0; g++)
        for (uint32_t keep = 0;
             keep < s->of->moves->unit_slots && keep <= s->gaps[g].first && status >= 0 &&
             s->tries_left && !candidate_stopped(s->of->candidates);
             keep++)
            if (keep != s->gaps[g].slots)
                status = try_gaps(s, g, g + 1, keep, s->of->cycles - 1);
    return status < 0 ? -1 : 0;
}

int shrink_waits(struct shrink *of)
{
    enum { WORK = 40000, FEWEST = 8, MOST = 200 };
    struct search s = {.of = of, .count = of->moves->blocks[0].node_count};
    const size_t tries = WORK / (s.count + 1);
    s.tries_left = tries < FEWEST ? FEWEST : tries > MOST ? MOST : tries;
    int status = find_gaps(&s);
    if (status == 0)
        status = shrink(&s, 0, s.gap_count);
    if (status == 0)
        status = fit_units(&s);
    free(s.gaps);
    return status;
}
