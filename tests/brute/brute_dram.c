/* brute_dram: DRAM channels cycle by cycle (timing/mncore2/README.md, 5). */
#include "tests/brute/brute_state.h"

#include <stdlib.h>
#include <string.h>

static bool brute_dram_ideal(const struct numbers *n)
{
    return !n->tccd && !n->trcd && !n->trp && !n->tras && !n->tcl && !n->turnaround && !n->trefi;
}

static uint64_t field(const struct numbers *n, uint64_t granule, char name)
{
    uint64_t below = 1;
    for (int i = 3; i >= 0; i--) {
        if (n->map[i].name == name)
            return granule / below % n->map[i].size;
        below *= n->map[i].size;
    }
    abort();
}

uint64_t brute_greatest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Granules of a direction that wait. */
static uint64_t how_many(const struct channel *channel, bool write)
{
    uint64_t count = 0;
    for (size_t i = 0; i < channel->count; i++)
        count += channel->list[i].write == write;
    return count;
}

/* How many of the same direction are in front of it. */
static uint64_t in_front(const struct channel *channel, size_t of)
{
    uint64_t count = 0;
    for (size_t i = 0; i < of; i++)
        count += channel->list[i].write == channel->list[of].write;
    return count;
}

enum { NOBODY = -1 };

static unsigned rank_of(const struct channel *channel, size_t i)
{
    return channel->list[i].transfer->mv->priority;
}

/* The first of a direction, of those for a bank or of all; or NOBODY. The list is by priority, then
 * in the order of arrival. */
static int first_of(const struct channel *channel, bool write, const uint64_t *bank)
{
    for (size_t i = 0; i < channel->count; i++)
        if (channel->list[i].write == write && (!bank || channel->list[i].bank == *bank))
            return (int)i;
    return NOBODY;
}

/* 1. The urgent granule or NOBODY; the direction. */
static int direction(const struct numbers *n, struct channel *channel, bool *write)
{
    const uint64_t reads = how_many(channel, false), writes = how_many(channel, true);
    if (channel->drains && (!writes || (writes <= n->write_low && reads)))
        channel->drains = false;
    if ((writes && !reads) || writes >= n->write_high)
        channel->drains = true;
    bool seen[2] = {false, false};
    *write = channel->drains;
    const int read = first_of(channel, false, NULL), written = first_of(channel, true, NULL);
    if (read != NOBODY && written != NOBODY &&
        rank_of(channel, (size_t)read) != rank_of(channel, (size_t)written)) {
        *write = rank_of(channel, (size_t)written) > rank_of(channel, (size_t)read);
        seen[!*write] = true;
    }
    for (size_t i = 0; i < channel->count; i++) {
        const struct waiting *w = &channel->list[i];
        if (!seen[w->write] && channel->slots - w->slots >= n->age_limit) {
            *write = w->write;
            return (int)i;
        }
        seen[w->write] = true;
    }
    return NOBODY;
}

static bool must_refresh(const struct numbers *n, const struct bank *bank)
{
    return bank->owed > n->defer && (!bank->open || bank->slot_since);
}

static int target(const struct channel *channel, uint64_t number, bool write, int urgent)
{
    const struct bank *bank = &channel->banks[number];
    if (urgent != NOBODY && channel->list[urgent].bank == number)
        return urgent;
    const int first = first_of(channel, write, &number);
    for (size_t i = 0; i < channel->count && bank->open; i++)
        if (channel->list[i].bank == number && channel->list[i].write == write &&
            rank_of(channel, i) == rank_of(channel, (size_t)first) &&
            channel->list[i].row == bank->row && channel->list[i].entered)
            return (int)i;
    return first;
}

/* 2. The commands of one bank in cycle t. */
static void commands(const struct numbers *n, struct channel *channel, uint64_t number, bool write,
                     int urgent, uint64_t t)
{
    struct bank *bank = &channel->banks[number];
    bool wanted = false;
    for (size_t i = 0; i < channel->count; i++)
        wanted |= channel->list[i].bank == number;
    while (bank->free_at <= t) {
        const bool refreshes = must_refresh(n, bank) || (bank->owed && !wanted);
        const int aim = target(channel, number, write, urgent);
        if (!refreshes && aim == NOBODY)
            return;
        if (bank->open && !refreshes && bank->row == channel->list[aim].row)
            return;
        if (bank->open) {
            if (t < bank->opened + n->tras)
                return;
            bank->open = false;
            bank->free_at = t + n->trp;
        } else if (refreshes) {
            bank->owed--;
            bank->free_at = t + n->trfc;
        } else {
            bank->open = true;
            bank->slot_since = false;
            bank->opened = t;
            bank->row = channel->list[aim].row;
            bank->free_at = t + n->trcd;
        }
    }
}

/* Who is now among the first of its direction comes into the window; others leave it. */
static void fill_windows(const struct numbers *n, struct channel *channel)
{
    for (size_t i = 0; i < channel->count; i++) {
        struct waiting *w = &channel->list[i];
        const bool inside = in_front(channel, i) < n->window;
        if (inside && !w->entered)
            w->slots = channel->slots;
        w->entered = inside;
    }
}

/* 3. Which granule takes a slot in cycle t. */
static int chosen(const struct numbers *n, const struct channel *channel, bool write, int urgent,
                  uint64_t t)
{
    const bool turn = channel->last && channel->last != (write ? 2 : 1);
    if (t < channel->slot_end + (turn ? n->turnaround : 0))
        return NOBODY;
    for (size_t i = 0; i < channel->count; i++) {
        const struct waiting *w = &channel->list[i];
        const struct bank *bank = &channel->banks[w->bank];
        const uint64_t number = w->bank;
        const bool kept =
            (urgent != NOBODY && urgent != (int)i && channel->list[urgent].bank == w->bank) ||
            (w->write == write &&
             rank_of(channel, i) < rank_of(channel, (size_t)first_of(channel, write, &number)));
        if (w->write == write && w->entered && !kept && bank->open && bank->row == w->row &&
            bank->free_at <= t && !must_refresh(n, bank))
            return (int)i;
    }
    return NOBODY;
}

static void take(struct brute *brute, struct channel *channel, int taken, uint64_t t)
{
    const struct numbers *n = &brute->numbers;
    const struct waiting w = channel->list[taken];
    channel->slots++;
    channel->last = w.write ? 2 : 1;
    channel->slot_end = t + n->tccd;
    channel->banks[w.bank].free_at = t + n->tccd;
    channel->banks[w.bank].slot_since = true;
    memmove(&channel->list[taken], &channel->list[taken + 1],
            (channel->count - (size_t)taken - 1) * sizeof w);
    channel->count--;
    if (w.write)
        return;
    uint64_t *data = &w.transfer->data[w.operation];
    *data = brute_greatest(*data, brute_greatest(t + n->tcl + n->tccd + n->controller, t + 1));
    w.transfer->missing[w.operation]--;
}

void brute_dram_cycle(struct brute *brute, uint64_t t)
{
    const struct numbers *n = &brute->numbers;
    for (unsigned g = 0; g < 4 && !brute_dram_ideal(n); g++)
        for (uint64_t c = 0; c < n->channels; c++) {
            struct channel *channel = &brute->channels[g][c];
            for (uint64_t b = 0; b < n->banks && n->trefi; b++) {
                const uint64_t first = n->trefi * (n->banks - b) / n->banks;
                if (t >= first && (t - first) % n->trefi == 0 &&
                    channel->banks[b].owed < n->defer + 1)
                    channel->banks[b].owed++;
            }
            for (int taken = 0; taken != NOBODY;) {
                bool write;
                fill_windows(n, channel);
                const int urgent = direction(n, channel, &write);
                for (uint64_t b = 0; b < n->banks; b++)
                    commands(n, channel, b, write, urgent, t);
                taken = chosen(n, channel, write, urgent, t);
                if (taken == NOBODY)
                    break;
                char name[BRUTE_NAME];
                snprintf(name, sizeof name, "dram%u.ch%u", g, (unsigned)c % CHANNELS_MAX);
                brute_mark(brute, name, t, n->tccd);
                take(brute, channel, taken, t);
            }
        }
}

static void wait_in_channel(struct brute *brute, unsigned group, uint64_t granule,
                            struct transfer *transfer, uint64_t operation)
{
    const struct numbers *n = &brute->numbers;
    struct channel *channel = &brute->channels[group][field(n, granule, 'c')];
    if (channel->count == channel->room) {
        const size_t room = 2 * channel->room + 16;
        struct waiting *list = realloc(channel->list, room * sizeof *list);
        if (!list) {
            brute->failed = true;
            return;
        }
        channel->list = list;
        channel->room = room;
    }
    size_t at = channel->count++;
    for (; at > 0 && rank_of(channel, at - 1) < transfer->mv->priority; at--)
        channel->list[at] = channel->list[at - 1];
    channel->list[at] = (struct waiting){.transfer = transfer,
                                         .operation = operation,
                                         .bank = field(n, granule, 'b'),
                                         .row = field(n, granule, 'r'),
                                         .write = transfer->writes_dram,
                                         .slots = UINT64_MAX};
}

void brute_dram_arrive(struct brute *brute, struct transfer *transfer, uint64_t operation)
{
    if (!transfer->granules || brute_dram_ideal(&brute->numbers) ||
        operation >= transfer->operations)
        return;
    for (unsigned g = 0; g < 4; g++)
        for (uint64_t i = 0; (transfer->dram_groups >> g & 1) && i < transfer->granules; i++) {
            transfer->missing[operation]++;
            wait_in_channel(brute, g, transfer->addresses[g][operation * transfer->granules + i],
                            transfer, operation);
        }
}

bool brute_dram_accepts(const struct brute *brute, const struct transfer *transfer)
{
    const struct numbers *n = &brute->numbers;
    if (!transfer->granules || !transfer->writes_dram || brute_dram_ideal(n))
        return true;
    for (unsigned g = 0; g < 4; g++)
        for (uint64_t i = 0; (transfer->dram_groups >> g & 1) && i < transfer->granules; i++) {
            const uint64_t granule =
                transfer->addresses[g][transfer->done * transfer->granules + i];
            if (how_many(&brute->channels[g][field(n, granule, 'c')], true) >= n->write_buffer)
                return false;
        }
    return true;
}
