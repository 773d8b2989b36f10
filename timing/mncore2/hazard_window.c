/*
 * hazard_window: the last producers of a stream, and what they forbid, see hazard.h.
 */
#include "timing/mncore2/hazard_profile.h"

#include <stdlib.h>
#include <string.h>

/* A producer that was issued. */
struct entry {
    uint64_t cycle, id;
    const struct hazard_profile *profile;
    uint32_t produces; /* of the profile */
    uint8_t mask;      /* cycles in which a write under its variable entry may happen */
};

struct hazard_window {
    const struct hazard *hazard;
    uint64_t live_until;            /* no producer matters from here on */
    uint64_t masked_until;          /* nor one that relies on a known zero of a mask */
    uint64_t until[HAZARD_COUNT];   /* no producer of this row matters from here on */
    size_t newest, count, capacity; /* ring; capacity is a power of two */
    uint8_t mask[MASK_ENTRIES];     /* cycles in which each entry may be 1 */
    struct entry ring[];
};

/* --- making and freeing ----------------------------------------------------------------------- */

struct hazard_window *mncore2_hazard_window_new(const struct hazard *hazard)
{
    /* One producer a step is all that the reach can hold; one more for a statement at its edge. */
    size_t capacity = 2;
    while (capacity < hazard->longest / CYCLES + 2)
        capacity *= 2;
    struct hazard_window *window = calloc(1, sizeof *window + capacity * sizeof window->ring[0]);
    if (!window)
        return NULL;
    window->hazard = hazard;
    window->capacity = capacity;
    mncore2_hazard_forget_mask(window, 0);
    return window;
}

void mncore2_hazard_window_free(struct hazard_window *window)
{
    free(window);
}

void mncore2_hazard_forget_mask(struct hazard_window *window, unsigned entry)
{
    if (entry == 0)
        memset(window->mask, ALL_CYCLES, sizeof window->mask);
    else
        window->mask[entry % MASK_ENTRIES] = ALL_CYCLES;
}

/* Do [a, a + a_length) and [b, b + b_length) meet on the circle of last + 1 units? */
static bool meet(uint32_t a, uint32_t a_length, uint32_t b, uint32_t b_length, uint32_t last)
{
    const uint32_t forward = (b - a) & last, backward = (a - b) & last;
    return forward < a_length || backward < b_length;
}

/* The cycle before which consumer must not issue because of producer, 0 when it may at any. */
static uint64_t required(const struct hazard *hazard, unsigned row, const struct entry *entry,
                         const struct touch *producer, const struct touch *consumer, bool any_mask)
{
    const struct hazard_rule *rule = &mncore2_hazard_rules[row];
    const uint64_t latency = hazard->latency[row];
    if (rule->overlap == OVERLAP_ALWAYS)
        return entry->cycle + CYCLES * (latency + 1);
    if (rule->overlap == OVERLAP_SET)
        return producer->set & consumer->set ? entry->cycle + CYCLES * (latency + 1) : 0;
    if ((producer->set | consumer->set) && !(producer->set & consumer->set))
        return 0;
    if (!producer->any && !consumer->any &&
        (producer->low >= consumer->high || consumer->low >= producer->high))
        return 0;
    unsigned written = producer->cycles;
    if (producer->entry && !any_mask)
        written &= entry->mask;
    int worst = -CYCLES; /* the most that a write cycle comes after a read cycle */
    for (int i = CYCLES - 1; i >= 0; i--) {
        if (!(written >> i & 1))
            continue;
        for (int k = 0; k < CYCLES && i - k > worst; k++) {
            if (!(consumer->cycles >> k & 1))
                continue;
            if (producer->any || consumer->any ||
                meet(producer->addr[i], producer->length, consumer->addr[k], consumer->length,
                     producer->last))
                worst = i - k;
        }
    }
    if (worst == -CYCLES)
        return 0;
    if (rule->unit == HAZARD_STEPS)
        return entry->cycle + CYCLES * (latency + 1);
    /* Written in cycle w, readable from w + latency + 1 (3.6.3.9). */
    return (uint64_t)((int64_t)(entry->cycle + latency + 1) + worst);
}

/* A consumer that a row forbids before cycle need. */
struct conflict {
    unsigned row;
    uint64_t need;
    const struct entry *entry;
    const struct touch *producer, *consumer;
};

static struct hazard_finding finding_of(const struct conflict *c, uint64_t t)
{
    const uint64_t missing = c->need - t, steps = (missing + CYCLES - 1) / CYCLES;
    const bool in_steps = mncore2_hazard_rules[c->row].unit == HAZARD_STEPS;
    return (struct hazard_finding){.row = (enum hazard_row)c->row,
                                   .producer = c->entry->id,
                                   .issued = c->entry->cycle,
                                   .earliest = t + steps * CYCLES,
                                   .missing = (uint32_t)(in_steps ? steps : missing),
                                   .missing_steps = (uint32_t)steps,
                                   .operand = c->consumer->operand};
}

/* Keep the most demanding producer of a row. */
static size_t record(struct hazard_finding *findings, size_t count, const struct conflict *conflict,
                     uint64_t t)
{
    const struct hazard_finding found = finding_of(conflict, t);
    for (size_t i = 0; i < count; i++) {
        if (findings[i].row != found.row)
            continue;
        const bool worse =
            found.earliest > findings[i].earliest ||
            (found.earliest == findings[i].earliest && found.missing > findings[i].missing);
        if (worse)
            findings[i] = found;
        return count;
    }
    findings[count] = found;
    return count + 1;
}

size_t mncore2_hazard_findings(const struct hazard_window *window,
                               const struct hazard_profile *profile, uint64_t t, bool any_mask,
                               struct hazard_finding findings[HAZARD_COUNT])
{
    if (!profile || !profile->consumes || t >= window->live_until)
        return 0;
    const struct hazard *hazard = window->hazard;
    size_t count = 0;
    uint32_t live = 0; /* rows of which some producer may still matter */
    uint64_t reach = 0;
    for (uint32_t rows = profile->consumes; rows; rows &= rows - 1) {
        const unsigned row = (unsigned)__builtin_ctz(rows);
        if (window->until[row] <= t)
            continue;
        live |= UINT32_C(1) << row;
        if (hazard->reach[row] > reach)
            reach = hazard->reach[row];
    }
    for (size_t back = 0; live && back < window->count; back++) {
        const struct entry *entry = &window->ring[(window->newest - back) & (window->capacity - 1)];
        if (entry->cycle + reach <= t)
            break;
        for (uint32_t rows = entry->produces & live; rows; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctz(rows);
            if (entry->cycle + hazard->reach[row] <= t)
                continue;
            for (uint64_t from = entry->profile->takers->produce[row]; from; from &= from - 1) {
                const struct touch *producer = &entry->profile->touch[__builtin_ctzll(from)];
                for (uint64_t to = profile->takers->consume[row]; to; to &= to - 1) {
                    const struct touch *consumer = &profile->touch[__builtin_ctzll(to)];
                    const uint64_t need =
                        required(hazard, row, entry, producer, consumer, any_mask);
                    const struct conflict conflict = {row, need, entry, producer, consumer};
                    if (need > t)
                        count = record(findings, count, &conflict, t);
                }
            }
        }
    }
    return count;
}

uint64_t mncore2_hazard_earliest(const struct hazard_window *window,
                                 const struct hazard_profile *profile, uint64_t t,
                                 struct hazard_finding *why)
{
    if (!profile || !profile->consumes || t >= window->live_until)
        return t;
    struct hazard_finding findings[HAZARD_COUNT];
    const size_t count = mncore2_hazard_findings(window, profile, t, false, findings);
    uint64_t earliest = t;
    for (size_t i = 0; i < count; i++) {
        if (findings[i].earliest > earliest) {
            earliest = findings[i].earliest;
            if (why)
                *why = findings[i];
        }
    }
    return earliest;
}

bool mncore2_hazard_masks_matter(const struct hazard_window *window, uint64_t t)
{
    return t < window->masked_until;
}

void mncore2_hazard_issue(struct hazard_window *window, const struct hazard_profile *profile,
                          uint64_t t, uint64_t id)
{
    if (!profile)
        return;
    if (profile->produces) {
        const struct hazard *hazard = window->hazard;
        window->newest = (window->newest + 1) & (window->capacity - 1);
        if (window->count < window->capacity)
            window->count++;
        const uint8_t mask = window->mask[profile->entry];
        window->ring[window->newest] = (struct entry){
            .cycle = t, .id = id, .profile = profile, .produces = profile->produces, .mask = mask};
        uint64_t reach = 0;
        for (uint32_t rows = profile->produces; rows; rows &= rows - 1) {
            const unsigned row = (unsigned)__builtin_ctz(rows);
            window->until[row] = t + hazard->reach[row];
            if (hazard->reach[row] > reach)
                reach = hazard->reach[row];
        }
        if (t + reach > window->live_until)
            window->live_until = t + reach;
        if (profile->entry && mask != ALL_CYCLES && t + reach > window->masked_until)
            window->masked_until = t + reach;
    }
    /* All reads of a step come before its writes, so the masks change last. */
    uint8_t next[MAX_MASK_WRITES];
    for (unsigned i = 0; i < profile->mask_write_count; i++) {
        const struct mask_write *write = &profile->mask_writes[i];
        next[i] =
            write->entry ? (uint8_t)(write->cycles & window->mask[write->entry]) : write->cycles;
    }
    for (unsigned i = 0; i < profile->mask_write_count; i++)
        window->mask[profile->mask_writes[i].target] = next[i];
}
