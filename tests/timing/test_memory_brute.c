/*
 * The memory against one that goes through every cycle and gives every command: activate,
 * precharge, refresh, read and write, as the rules of timing/memory.h say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "tests/timing/memory_feed.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- the oracle ------------------------------------------------------------------------------- */

struct cell {
    bool open;
    unsigned row;
    bool hit;        /* a slot since the last activate */
    uint64_t opened; /* cycle of the last activate */
    uint64_t busy;   /* until the last command or slot has ended */
    unsigned owed;   /* refreshes due and not done */
};

struct lane {
    struct cell cells[BANKS];
    struct memory_request *waits[2][ACCESSES]; /* reads, writes, by priority, then arrival */
    unsigned count[2];
    bool draining, used, wrote;
    uint64_t slot_end, slots;
    struct memory_request *order[ACCESSES]; /* as they were served */
};

static struct lane lanes[GROUPS][CHANNELS];
static uint64_t oracle_rooms[ACCESSES];
static unsigned oracle_room_count;

static unsigned in_window(const struct memory_config *config, const struct lane *lane, bool write)
{
    return lane->count[write] < config->window ? lane->count[write] : (unsigned)config->window;
}

/* Who has just come into a window is of age 0; who has been pushed out of it has none. */
static void mark_ages(const struct memory_config *config, struct lane *lane)
{
    for (unsigned w = 0; w < 2; w++)
        for (unsigned i = 0; i < lane->count[w]; i++)
            if (i >= in_window(config, lane, w))
                lane->waits[w][i]->age_from = NOT_YET;
            else if (lane->waits[w][i]->age_from == NOT_YET)
                lane->waits[w][i]->age_from = lane->slots;
}

static struct memory_request *overdue(const struct memory_config *config, const struct lane *lane,
                                      bool write)
{
    struct memory_request *first = lane->count[write] ? lane->waits[write][0] : NULL;
    return first && lane->slots >= first->age_from + config->age_limit ? first : NULL;
}

/* The direction; *forced is the overdue access that decided it. */
static bool direct(const struct memory_config *config, struct lane *lane,
                   struct memory_request **forced)
{
    const bool drains =
        lane->draining
            ? lane->count[1] > 0 && (lane->count[1] > config->write_low || lane->count[0] == 0)
            : lane->count[1] > 0 && lane->count[0] == 0;
    lane->draining = drains || lane->count[1] >= config->write_high;
    struct memory_request *read = overdue(config, lane, false),
                          *write = overdue(config, lane, true);
    if (lane->count[0] && lane->count[1] &&
        lane->waits[0][0]->access.priority != lane->waits[1][0]->access.priority) {
        const bool writes = lane->waits[1][0]->access.priority > lane->waits[0][0]->access.priority;
        *forced = writes ? write : read;
        return writes;
    }
    if (read && write) /* memory_requests are in order of arrival */
        *forced = read < write ? read : write;
    else
        *forced = read ? read : write;
    return *forced ? (*forced)->access.write : lane->draining;
}

static bool anybody_waits(const struct lane *lane, unsigned bank)
{
    for (unsigned w = 0; w < 2; w++)
        for (unsigned i = 0; i < lane->count[w]; i++)
            if (lane->waits[w][i]->bank == bank)
                return true;
    return false;
}

static struct memory_request *target_of(const struct memory_config *config, const struct lane *lane,
                                        unsigned bank, bool write, struct memory_request *forced)
{
    struct memory_request *first = NULL;
    if (forced && forced->bank == bank)
        return forced;
    for (unsigned i = 0; i < lane->count[write]; i++) {
        struct memory_request *r = lane->waits[write][i];
        if (r->bank != bank || (first && r->access.priority < first->access.priority))
            continue;
        if (i < config->window && lane->cells[bank].open && lane->cells[bank].row == r->row)
            return r;
        if (!first)
            first = r;
    }
    return first;
}

/* Priority of those that wait for a bank. */
static unsigned highest(const struct lane *lane, unsigned bank, bool write)
{
    unsigned most = 0;
    for (unsigned i = 0; i < lane->count[write]; i++)
        if (lane->waits[write][i]->bank == bank && lane->waits[write][i]->access.priority > most)
            most = lane->waits[write][i]->access.priority;
    return most;
}

static bool must_refresh(const struct memory_config *config, const struct cell *cell)
{
    return cell->owed > config->defer && !(cell->open && !cell->hit);
}

/* At most one command of a bank; false when it has none to give. */
static bool command(const struct memory_config *config, struct lane *lane, unsigned bank,
                    bool write, struct memory_request *forced, uint64_t now)
{
    struct cell *cell = &lane->cells[bank];
    if (now < cell->busy)
        return false;
    const bool refresh = must_refresh(config, cell) || (cell->owed && !anybody_waits(lane, bank));
    const struct memory_request *target =
        refresh ? NULL : target_of(config, lane, bank, write, forced);
    if (!refresh && (!target || (cell->open && cell->row == target->row)))
        return false;
    if (cell->open) { /* precharge */
        if (now < cell->opened + config->tras)
            return false;
        cell->open = false;
        cell->busy = now + config->trp;
    } else if (refresh) {
        cell->owed--;
        cell->busy = now + config->trfc;
    } else { /* activate */
        cell->open = true;
        cell->hit = false;
        cell->row = target->row;
        cell->opened = now;
        cell->busy = now + config->trcd;
    }
    return true;
}

/* A read or write command; false when there is none. */
static bool access_one(const struct memory_config *config, struct lane *lane, bool write,
                       const struct memory_request *forced, uint64_t now)
{
    const uint64_t turn = lane->used && lane->wrote != write ? config->turnaround : 0;
    if (now < lane->slot_end + turn)
        return false;
    for (unsigned i = 0; i < in_window(config, lane, write); i++) {
        struct memory_request *r = lane->waits[write][i];
        struct cell *cell = &lane->cells[r->bank];
        if (r->access.priority < highest(lane, r->bank, write))
            continue;
        if (!cell->open || cell->row != r->row || now < cell->busy || must_refresh(config, cell) ||
            (forced && forced != r && forced->bank == r->bank))
            continue;
        r->follows = MEMORY_NOBODY;
        for (uint64_t k = lane->slots; k-- > 0;)
            if (lane->order[k]->access.requester != r->access.requester) {
                if (lane->order[k]->slot + config->tccd > r->arrival)
                    r->follows = lane->order[k]->access.requester;
                break;
            }
        if (write && lane->count[1] == config->write_buffer)
            oracle_rooms[oracle_room_count++] = now;
        lane->order[lane->slots++] = r;
        r->slot = now;
        lane->count[write]--;
        memmove(&lane->waits[write][i], &lane->waits[write][i + 1],
                (lane->count[write] - i) * sizeof lane->waits[write][0]);
        cell->hit = true;
        lane->used = true;
        lane->wrote = write;
        lane->slot_end = cell->busy = now + config->tccd;
        return true;
    }
    return false;
}

static void act(const struct memory_config *config, struct lane *lane, uint64_t now)
{
    for (bool again = true; again;) {
        struct memory_request *forced;
        mark_ages(config, lane);
        const bool write = direct(config, lane, &forced);
        for (unsigned b = 0; b < config->banks; b++)
            while (command(config, lane, b, write, forced, now))
                continue;
        again = access_one(config, lane, write, forced, now);
    }
}

static bool has_room(const struct memory_config *config, unsigned first)
{
    for (unsigned i = first; i <= first + memory_requests[first].together; i++)
        if (memory_requests[i].access.write &&
            lanes[memory_requests[i].group][memory_requests[i].channel].count[1] >=
                config->write_buffer)
            return false;
    return true;
}

/* What arrives in a cycle, each as soon as there is room for it. */
static unsigned arrivals(const struct memory_config *config, unsigned next, uint64_t now)
{
    while (next < memory_request_count && memory_requests[next].planned <= now &&
           has_room(config, next))
        for (unsigned left = memory_requests[next].together + 1; left; left--) {
            struct memory_request *r = &memory_requests[next++];
            struct lane *lane = &lanes[r->group][r->channel];
            assert_int_equal(r->arrival, now);
            r->slot = r->age_from = NOT_YET;
            unsigned at = lane->count[r->access.write]++;
            for (; at && lane->waits[r->access.write][at - 1]->access.priority < r->access.priority;
                 at--)
                lane->waits[r->access.write][at] = lane->waits[r->access.write][at - 1];
            lane->waits[r->access.write][at] = r;
        }
    return next;
}

static void run_oracle(const struct memory_config *config, uint64_t end)
{
    unsigned next = 0, served_count = 0;
    memset(lanes, 0, sizeof lanes);
    oracle_room_count = 0;
    for (uint64_t now = 0;
         served_count < memory_request_count && (now < end || next < memory_request_count); now++) {
        assert_true(now < LAST);
        served_count = 0;
        next = arrivals(config, next, now);
        for (unsigned i = 0; i < GROUPS * config->channels; i++) {
            struct lane *lane = &lanes[i / config->channels][i % config->channels];
            for (unsigned b = 0; b < config->banks && config->trefi; b++) {
                const uint64_t first = config->trefi * (config->banks - b) / config->banks;
                if (now >= first && (now - first) % config->trefi == 0 &&
                    lane->cells[b].owed <= config->defer)
                    lane->cells[b].owed++;
            }
            if (now < end)
                act(config, lane, now);
            served_count += (unsigned)lane->slots;
        }
    }
}

/* --- random streams --------------------------------------------------------------------------- */

static uint64_t some(uint64_t limit)
{
    return pick(4) ? pick(limit) : 0;
}

/* Numbers of a small chip; each field of the address takes a place of its own. */
static struct memory_config random_config(uint64_t window)
{
    struct memory_config config = {.channels = 1 + pick(CHANNELS),
                                   .banks = 1 + pick(BANKS),
                                   .tccd = some(6),
                                   .trcd = some(15),
                                   .trp = some(15),
                                   .tras = some(40),
                                   .tcl = some(15),
                                   .turnaround = some(12),
                                   .trfc = some(40),
                                   .latency = some(20),
                                   .window = window,
                                   .age_limit = pick(3) ? 1 + pick(60) : 100000,
                                   .write_buffer = 1 + pick(pick(2) ? 8 : 40),
                                   .defer = pick(2) ? pick(9) : 0};
    config.write_high = 1 + pick(config.write_buffer);
    config.write_low = pick(config.write_high);
    if (pick(4))
        config.trefi = config.trfc + 1 + pick(pick(2) ? 30 : 400);
    config.size[MEMORY_CHANNEL] = (uint32_t)config.channels;
    config.size[MEMORY_BANK] = (uint32_t)config.banks;
    config.size[MEMORY_COLUMN] = (uint32_t)(1 + pick(4));
    config.size[MEMORY_ROW] = (uint32_t)(1 + pick(3));
    unsigned places[MEMORY_FIELDS] = {0, 1, 2, 3};
    uint32_t divisor = 1;
    for (unsigned left = MEMORY_FIELDS; left; left--) {
        const uint64_t p = pick(left);
        config.divisor[places[p]] = divisor;
        divisor *= config.size[places[p]];
        places[p] = places[left - 1];
    }
    return config;
}

/* A place again from its definition: peel the fields off from the lowest. */
static void find_place(const struct memory_config *config, struct memory_request *r)
{
    uint32_t rest = r->access.granule;
    uint32_t value[MEMORY_FIELDS] = {0};
    for (uint64_t below = 1; below;) {
        unsigned f = MEMORY_FIELDS;
        for (unsigned i = 0; i < MEMORY_FIELDS; i++)
            if (config->divisor[i] == below && (config->size[i] > 1 || f == MEMORY_FIELDS))
                f = i;
        if (f == MEMORY_FIELDS || config->size[f] == 1)
            break;
        value[f] = rest % config->size[f];
        rest /= config->size[f];
        below *= config->size[f];
    }
    r->group = r->access.group;
    r->channel = value[MEMORY_CHANNEL];
    r->bank = value[MEMORY_BANK];
    r->row = value[MEMORY_ROW];
}

/* Slots of each channel up to the end, in order; nothing else. */
static void compare_account(const struct memory_config *config, const struct account *account,
                            uint64_t end)
{
    for (unsigned i = 0; i < GROUPS * config->channels; i++) {
        const struct lane *lane = &lanes[i / config->channels][i % config->channels];
        const uint32_t unit = FIRST_UNIT + i;
        uint64_t busy = 0, events = 0;
        for (unsigned k = 0; k < lane->slots; k++) {
            const struct memory_request *r = lane->order[k];
            uint64_t cycles = 0;
            for (uint64_t c = r->slot; c < r->slot + config->tccd; c++)
                cycles += c < end;
            if (!cycles)
                continue;
            assert_true(events < memory_seen_count[unit]);
            const struct sink_interval *interval = &memory_seen[unit][events++];
            assert_int_equal(interval->stmt, r->access.statement);
            assert_int_equal(interval->start, r->slot);
            assert_int_equal(interval->duration, cycles);
            busy += cycles;
        }
        assert_int_equal(memory_seen_count[unit], events);
        assert_int_equal(account_total(account, unit), busy);
        assert_int_equal(account->events[unit][REASON_BUSY], events);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void compare(const struct memory_config *config, struct memory_feed *feed)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < memory_request_count; i++) {
        const struct memory_request *r = &memory_requests[i];
        const bool read = !r->access.write && r->slot != NOT_YET;
        const uint64_t there = r->slot + config->tcl + config->tccd + config->latency;
        assert_int_equal(r->there, !read ? NOT_YET : there > r->slot ? there : r->slot + 1);
        assert_int_equal(r->behind, read ? r->follows : MEMORY_NOBODY);
        if (r->slot != NOT_YET && r->slot + config->tccd > last)
            last = r->slot + config->tccd;
    }
    assert_int_equal(memory_free_at(&feed->memory), last);
    assert_int_equal(feed->room_count, oracle_room_count);
    qsort(feed->rooms, feed->room_count, sizeof feed->rooms[0], by_value);
    qsort(oracle_rooms, oracle_room_count, sizeof oracle_rooms[0], by_value);
    for (unsigned i = 0; i < oracle_room_count; i++)
        assert_int_equal(feed->rooms[i], oracle_rooms[i]);
}

static void random_requests(const struct memory_config *config)
{
    const uint64_t spread = 1 + pick(30), reach = 1 + pick(pick(2) ? 16 : 500);
    const uint64_t writers = pick(3); /* none, some or all */
    const uint64_t priorities = pick(2) ? 1 : 1 + pick(MEMORY_PRIORITIES);
    uint64_t now = pick(20), granule = pick(1000), requester = 0;
    memory_request_count = (unsigned)(1 + pick(ACCESSES));
    for (unsigned i = 0; i < memory_request_count; i++) {
        now += pick(3) ? 0 : pick(spread);
        if (!pick(40))
            now += pick(800);
        requester = pick(5) ? requester : pick(4);
        granule = pick(3) ? granule + 1 : pick(reach);
        const uint64_t left = memory_request_count - i - 1;
        memory_requests[i] = (struct memory_request){
            .access = {.group = (uint32_t)pick(GROUPS),
                       .granule = (uint32_t)granule,
                       .write = writers == 2 || (writers == 1 && requester % 2),
                       .requester = (uint32_t)requester,
                       .priority = (uint8_t)pick(priorities)},
            .planned = now,
            .together = (unsigned)(pick(3) ? 0 : pick(left < BURST ? left + 1 : BURST))};
        find_place(config, &memory_requests[i]);
    }
}

static void random_stream(uint64_t window)
{
    static struct memory_feed feed;
    const struct memory_config config = random_config(window);
    const bool recorded = pick(4) != 0;
    random_requests(&config);
    const uint64_t end =
        pick(4) ? NOT_YET : pick(memory_requests[memory_request_count - 1].planned + 200);
    memory_feed_run(&feed, &config, recorded, end);
    /* Without room after the end the rest never arrives. */
    memory_request_count = feed.next;
    run_oracle(&config, end);
    compare(&config, &feed);
    const uint64_t until =
        end != NOT_YET ? end : memory_free_at(&feed.memory) - pick(config.tccd + 1);
    memory_feed_finish(&feed, until);
    if (recorded && config.tccd)
        compare_account(&config, &feed.account, until);
    else
        for (unsigned u = 0; u < UNITS; u++)
            assert_int_equal(memory_seen_count[u], 0);
    memory_feed_free(&feed);
}

static void window_1(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(334); round++)
        random_stream(1);
}

static void window_4(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(333); round++)
        random_stream(4);
}

static void window_16(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(333); round++)
        random_stream(16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_1),
        cmocka_unit_test(window_4),
        cmocka_unit_test(window_16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
