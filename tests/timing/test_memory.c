/*
 * The memory against one that goes through every cycle and gives every command: activate,
 * precharge, refresh, read and write, as the rules of timing/memory.h say; and rules one by one, by
 * hand.
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
#include "timing/memory.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

enum { GROUPS = 2, CHANNELS = 3, BANKS = 4, ACCESSES = 300, BURST = 4, LAST = 1000000 };
#define NOT_YET UINT64_MAX

struct request {
    struct memory_access access;
    uint64_t planned; /* when it would arrive if there were room */
    uint64_t arrival;
    unsigned together; /* with those behind it, it waits for room for all */
    /* From the memory. */
    uint64_t there, start;
    uint32_t behind;
    /* The oracle's. */
    unsigned group, channel, bank, row;
    uint64_t slot, age_from;
    uint32_t follows;
};

static struct request requests[ACCESSES];
static unsigned request_count;

/* --- the memory under test -------------------------------------------------------------------- */

enum { FIRST_UNIT = 5, UNITS = FIRST_UNIT + GROUPS * CHANNELS };

struct feed {
    struct process process; /* first */
    struct memory memory;
    struct kernel kernel;
    struct account account;
    unsigned next;
    uint64_t end;             /* of the run, NOT_YET = it goes on until nobody waits */
    uint64_t rooms[ACCESSES]; /* cycles in which a channel made room */
    unsigned room_count;
};

static struct sink_interval seen[UNITS][ACCESSES];
static unsigned seen_count[UNITS];

static int take(void *context, const struct sink_interval *interval)
{
    (void)context;
    assert_true(interval->unit < UNITS && seen_count[interval->unit] < ACCESSES);
    assert_true(interval->stmt < request_count && interval->reason == REASON_BUSY);
    requests[interval->stmt].start = interval->start;
    seen[interval->unit][seen_count[interval->unit]++] = *interval;
    return 0;
}

static const struct sink_ops takes_intervals = {.name = "test", .interval = take};
static const struct sink sink = {&takes_intervals, NULL};

static void served(void *context, const struct memory_access *access, uint64_t there,
                   uint32_t behind)
{
    (void)context;
    struct request *r = &requests[access->tag];
    assert_int_equal(r->there, NOT_YET); /* once, and of a read */
    assert_false(r->access.write);
    r->there = there;
    r->behind = behind;
}

static void room(void *context)
{
    struct feed *feed = context;
    assert_true(feed->room_count < ACCESSES);
    feed->rooms[feed->room_count++] = feed->kernel.now;
}

static uint64_t end_of(void *context)
{
    return ((struct feed *)context)->end;
}

static const struct memory_calls calls = {served, room, end_of};

static bool room_for_all(const struct feed *feed)
{
    for (unsigned i = feed->next; i <= feed->next + requests[feed->next].together; i++)
        if (requests[i].access.write &&
            !memory_accepts(&feed->memory, requests[i].access.group, requests[i].access.granule))
            return false;
    return true;
}

/* The accesses whose time has come arrive; those without room try it again in the next cycle. */
static void feed_on(struct process *process, struct kernel *kernel)
{
    struct feed *feed = (struct feed *)process;
    while (feed->next < request_count && requests[feed->next].planned <= kernel->now) {
        if (!room_for_all(feed)) {
            if (kernel->now < feed->end) /* nothing makes room behind it */
                kernel_wake(kernel, process, kernel->now + 1, PHASE_ARRIVE, "room");
            return;
        }
        for (unsigned left = requests[feed->next].together + 1; left; left--) {
            struct request *r = &requests[feed->next++];
            r->arrival = kernel->now;
            memory_ask(&feed->memory, &r->access);
        }
    }
    if (feed->next < request_count)
        kernel_wake(kernel, process, requests[feed->next].planned, PHASE_ARRIVE, "next");
}

/* All requests arrive as planned or when there is room; the answers go into them. */
static void run_memory(struct feed *feed, const struct memory_config *config, bool recorded,
                       uint64_t end)
{
    *feed = (struct feed){.process = {.resume = feed_on}, .end = end};
    assert_int_equal(account_init(&feed->account, UNITS, &sink), 0);
    assert_int_equal(kernel_init(&feed->kernel, 2, true), 0);
    const struct memory_setup setup = {.config = config,
                                       .kernel = &feed->kernel,
                                       .calls = &calls,
                                       .context = feed,
                                       .groups = GROUPS,
                                       .burst = BURST,
                                       .account = recorded ? &feed->account : NULL,
                                       .first_unit = FIRST_UNIT};
    assert_int_equal(memory_init(&feed->memory, &setup), 0);
    assert_int_equal(memory_reserve(&feed->memory, ACCESSES / 2), 0);
    assert_int_equal(memory_reserve(&feed->memory, ACCESSES - ACCESSES / 2), 0);
    memset(seen_count, 0, sizeof seen_count);
    for (unsigned i = 0; i < request_count; i++) {
        struct request *r = &requests[i];
        r->access.statement = r->access.tag = i;
        r->arrival = r->there = r->start = NOT_YET;
        r->behind = MEMORY_NOBODY;
    }
    if (request_count)
        kernel_wake(&feed->kernel, &feed->process, requests[0].planned, PHASE_ARRIVE, "begin");
    kernel_run_until(&feed->kernel, LAST);
    assert_null(feed->kernel.broken);
    assert_int_equal(queue_next(&feed->kernel.queue), UINT64_MAX);
}

static void finish_memory(struct feed *feed, uint64_t end)
{
    memory_finish(&feed->memory, end);
    memory_finish(&feed->memory, UINT64_MAX); /* once is enough */
    account_flush(&feed->account);
}

static void free_memory(struct feed *feed)
{
    memory_release(&feed->memory, ACCESSES);
    memory_free(&feed->memory);
    account_free(&feed->account);
    kernel_free(&feed->kernel);
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
    struct request *waits[2][ACCESSES]; /* reads, writes, in order of arrival */
    unsigned count[2];
    bool draining, used, wrote;
    uint64_t slot_end, slots;
    struct request *order[ACCESSES]; /* as they were served */
};

static struct lane lanes[GROUPS][CHANNELS];
static uint64_t oracle_rooms[ACCESSES];
static unsigned oracle_room_count;

static unsigned in_window(const struct memory_config *config, const struct lane *lane, bool write)
{
    return lane->count[write] < config->window ? lane->count[write] : (unsigned)config->window;
}

/* Who has just come into a window is of age 0. */
static void mark_ages(const struct memory_config *config, struct lane *lane)
{
    for (unsigned w = 0; w < 2; w++)
        for (unsigned i = 0; i < in_window(config, lane, w); i++)
            if (lane->waits[w][i]->age_from == NOT_YET)
                lane->waits[w][i]->age_from = lane->slots;
}

static struct request *overdue(const struct memory_config *config, const struct lane *lane,
                               bool write)
{
    struct request *first = lane->count[write] ? lane->waits[write][0] : NULL;
    return first && lane->slots >= first->age_from + config->age_limit ? first : NULL;
}

/* The direction; *forced is the overdue access that decided it. */
static bool direct(const struct memory_config *config, struct lane *lane, struct request **forced)
{
    const bool drains =
        lane->draining
            ? lane->count[1] > 0 && (lane->count[1] > config->write_low || lane->count[0] == 0)
            : lane->count[1] > 0 && lane->count[0] == 0;
    lane->draining = drains || lane->count[1] >= config->write_high;
    struct request *read = overdue(config, lane, false), *write = overdue(config, lane, true);
    if (read && write) /* requests are in order of arrival */
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

static struct request *target_of(const struct memory_config *config, const struct lane *lane,
                                 unsigned bank, bool write, struct request *forced)
{
    struct request *first = NULL;
    if (forced && forced->bank == bank)
        return forced;
    for (unsigned i = 0; i < lane->count[write]; i++) {
        struct request *r = lane->waits[write][i];
        if (r->bank != bank)
            continue;
        if (i < config->window && lane->cells[bank].open && lane->cells[bank].row == r->row)
            return r;
        if (!first)
            first = r;
    }
    return first;
}

static bool must_refresh(const struct memory_config *config, const struct cell *cell)
{
    return cell->owed > config->defer && !(cell->open && !cell->hit);
}

/* At most one command of a bank; false when it has none to give. */
static bool command(const struct memory_config *config, struct lane *lane, unsigned bank,
                    bool write, struct request *forced, uint64_t now)
{
    struct cell *cell = &lane->cells[bank];
    if (now < cell->busy)
        return false;
    const bool refresh = must_refresh(config, cell) || (cell->owed && !anybody_waits(lane, bank));
    const struct request *target = refresh ? NULL : target_of(config, lane, bank, write, forced);
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
                       const struct request *forced, uint64_t now)
{
    const uint64_t turn = lane->used && lane->wrote != write ? config->turnaround : 0;
    if (now < lane->slot_end + turn)
        return false;
    for (unsigned i = 0; i < in_window(config, lane, write); i++) {
        struct request *r = lane->waits[write][i];
        struct cell *cell = &lane->cells[r->bank];
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
        struct request *forced;
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
    for (unsigned i = first; i <= first + requests[first].together; i++)
        if (requests[i].access.write &&
            lanes[requests[i].group][requests[i].channel].count[1] >= config->write_buffer)
            return false;
    return true;
}

/* What arrives in a cycle, each as soon as there is room for it. */
static unsigned arrivals(const struct memory_config *config, unsigned next, uint64_t now)
{
    while (next < request_count && requests[next].planned <= now && has_room(config, next))
        for (unsigned left = requests[next].together + 1; left; left--) {
            struct request *r = &requests[next++];
            struct lane *lane = &lanes[r->group][r->channel];
            assert_int_equal(r->arrival, now);
            r->slot = r->age_from = NOT_YET;
            lane->waits[r->access.write][lane->count[r->access.write]++] = r;
        }
    return next;
}

static void run_oracle(const struct memory_config *config, uint64_t end)
{
    unsigned next = 0, served_count = 0;
    memset(lanes, 0, sizeof lanes);
    oracle_room_count = 0;
    for (uint64_t now = 0; served_count < request_count && (now < end || next < request_count);
         now++) {
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
static void find_place(const struct memory_config *config, struct request *r)
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
            const struct request *r = lane->order[k];
            uint64_t cycles = 0;
            for (uint64_t c = r->slot; c < r->slot + config->tccd; c++)
                cycles += c < end;
            if (!cycles)
                continue;
            assert_true(events < seen_count[unit]);
            const struct sink_interval *interval = &seen[unit][events++];
            assert_int_equal(interval->stmt, r->access.statement);
            assert_int_equal(interval->start, r->slot);
            assert_int_equal(interval->duration, cycles);
            busy += cycles;
        }
        assert_int_equal(seen_count[unit], events);
        assert_int_equal(account_total(account, unit), busy);
        assert_int_equal(account->events[unit][REASON_BUSY], events);
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void compare(const struct memory_config *config, struct feed *feed)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < request_count; i++) {
        const struct request *r = &requests[i];
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
    uint64_t now = pick(20), granule = pick(1000), requester = 0;
    request_count = (unsigned)(1 + pick(ACCESSES));
    for (unsigned i = 0; i < request_count; i++) {
        now += pick(3) ? 0 : pick(spread);
        if (!pick(40))
            now += pick(800);
        requester = pick(5) ? requester : pick(4);
        granule = pick(3) ? granule + 1 : pick(reach);
        const uint64_t left = request_count - i - 1;
        requests[i] = (struct request){
            .access = {.group = (uint32_t)pick(GROUPS),
                       .granule = (uint32_t)granule,
                       .write = writers == 2 || (writers == 1 && requester % 2),
                       .requester = (uint32_t)requester},
            .planned = now,
            .together = (unsigned)(pick(3) ? 0 : pick(left < BURST ? left + 1 : BURST))};
        find_place(config, &requests[i]);
    }
}

static void random_stream(uint64_t window)
{
    static struct feed feed;
    const struct memory_config config = random_config(window);
    const bool recorded = pick(4) != 0;
    random_requests(&config);
    const uint64_t end = pick(4) ? NOT_YET : pick(requests[request_count - 1].planned + 200);
    run_memory(&feed, &config, recorded, end);
    /* Without room after the end the rest never arrives. */
    request_count = feed.next;
    run_oracle(&config, end);
    compare(&config, &feed);
    const uint64_t until =
        end != NOT_YET ? end : memory_free_at(&feed.memory) - pick(config.tccd + 1);
    finish_memory(&feed, until);
    if (recorded && config.tccd)
        compare_account(&config, &feed.account, until);
    else
        for (unsigned u = 0; u < UNITS; u++)
            assert_int_equal(seen_count[u], 0);
    free_memory(&feed);
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

/* --- by hand ---------------------------------------------------------------------------------- */

/* One channel, two banks of rows of two granules. */
static const struct memory_config plain = {.channels = 1,
                                           .banks = 2,
                                           .tccd = 3,
                                           .trcd = 11,
                                           .trp = 10,
                                           .tras = 24,
                                           .tcl = 12,
                                           .turnaround = 6,
                                           .window = 8,
                                           .age_limit = 100,
                                           .write_buffer = 8,
                                           .write_high = 6,
                                           .write_low = 2,
                                           .divisor = {4, 2, 1, 1},
                                           .size = {100, 2, 2, 1}};
enum { BANK = 2, ROW = 4 }; /* to the next bank, to the next row */

struct step {
    uint32_t granule;
    bool write;
    uint64_t arrival;
    uint64_t slot; /* expected */
};

static void run_steps(struct feed *feed, const struct memory_config *config,
                      const struct step *steps, size_t count)
{
    request_count = (unsigned)count;
    for (size_t i = 0; i < count; i++)
        requests[i] =
            (struct request){.access = {.granule = steps[i].granule, .write = steps[i].write},
                             .planned = steps[i].arrival};
    run_memory(feed, config, true, NOT_YET);
    finish_memory(feed, UINT64_MAX);
}

static void expect_slots(const struct memory_config *config, const struct step *steps, size_t count)
{
    static struct feed feed;
    run_steps(&feed, config, steps, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(requests[i].start, steps[i].slot);
        if (!steps[i].write)
            assert_int_equal(requests[i].there, steps[i].slot + 15 + config->latency);
    }
    free_memory(&feed);
}

#define EXPECT_SLOTS(config, ...)                                                                  \
    do {                                                                                           \
        const struct step steps_[] = {__VA_ARGS__};                                                \
        expect_slots(config, steps_, sizeof steps_ / sizeof *steps_);                              \
    } while (0)

/* tRCD before the first; then a slot each tCCD. The other bank is prepared meanwhile. */
static void slots_follow_each_other(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {1, false, 18, 19}, {0, false, 22, 22},
                 {1, false, 26, 26});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {1, false, 19, 19}, {0, false, 20, 22});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 7, 19}, {BANK + 1, false, 7, 22});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 8, 19});
    EXPECT_SLOTS(&plain, {0, false, 5, 16}, {BANK, false, 9, 20});
    struct memory_config slow = plain;
    slow.latency = 9;
    EXPECT_SLOTS(&slow, {0, false, 5, 16}, {1, false, 18, 19}, {0, false, 22, 22});
}

/* Opened in cycle 0, the row may be closed in cycle 24: closed at 34, the other open at 45. The
 * bank looks no earlier than the slot of its last access ends, in cycle 14. */
static void rows_stay_open_for_tras(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 0, 45});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 24, 45});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {ROW, false, 25, 46});
    struct memory_config quick = plain;
    quick.tras = 14; /* as long as the first access: no wait */
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 35});
    quick.tras = 15;
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 36});
    quick.tras = 0;
    EXPECT_SLOTS(&quick, {0, false, 0, 11}, {ROW, false, 0, 35});
}

/* The read's slot ends at 14, the last write's at 26. */
static void turnaround_between_directions(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 0, 20}, {0, true, 0, 23}, {1, false, 24, 32});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 20, 20});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 21, 21});
    EXPECT_SLOTS(&plain, {0, true, 0, 11}, {1, true, 14, 14}); /* none before the first */
}

/* A, B in another row of the bank, C in A's row. C goes first if it is in the window when A has
 * gone: then B as above. Else B's row is closed no earlier than 34 + 24 = 58 for C: 68, 79. */
static void open_rows_first_within_the_window(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.window = 1;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 0, 79});
    config.window = 2;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 0, 14});
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {ROW, false, 0, 48},
                 {1, false, 0, 79});
    config.window = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {ROW, false, 0, 48},
                 {1, false, 0, 14});
    /* Writes among themselves likewise. */
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {ROW, true, 0, 45}, {ROW, true, 0, 48},
                 {1, true, 0, 14});
    /* In the cycle in which the bank would close the row, 24, C is still in time; not in 25. */
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 48}, {1, false, 24, 24});
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {1, false, 25, 79});
    /* A bank gets ready for who is beyond the window: its slot is 14, not 25. */
    config.window = 1;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {BANK, false, 0, 14});
}

/* B has seen as many slots as the limit: none of its bank before it, 45; another bank's goes on. */
static void nobody_starves(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.age_limit = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {0, false, 0, 14},
                 {0, false, 0, 17}, {0, false, 0, 79}, {BANK, false, 0, 20});
    config.age_limit = 4;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {ROW, false, 0, 45}, {0, false, 0, 14},
                 {0, false, 0, 17}, {0, false, 0, 20}, {BANK, false, 0, 23});
    /* The other direction: after two reads the write, for which its bank gets ready from 14 on; 25
     * is later than 17 + 6. The third read turns the channel again, 28 + 6. */
    config.age_limit = 2;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 25},
                 {0, false, 0, 34});
    config.age_limit = 3;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 28},
                 {0, false, 0, 17});
}

static void writes_gather(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.write_high = 3;
    config.write_low = 1;
    /* Two wait until no read does: from 14 on their bank gets ready. */
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {1, false, 0, 14}, {BANK, true, 0, 25},
                 {BANK + 1, true, 0, 28});
    /* Three go at once, until one is left in cycle 14. Then bank 0 gets ready, 25; the last write
     * has to wait until the reads' slots have ended, at 31. */
    EXPECT_SLOTS(&config, {0, false, 0, 25}, {1, false, 0, 28}, {BANK, true, 0, 11},
                 {BANK, true, 0, 14}, {BANK + 1, true, 0, 37});
    config.write_low = 0;
    EXPECT_SLOTS(&config, {0, false, 0, 28}, {1, false, 0, 31}, {BANK, true, 0, 11},
                 {BANK, true, 0, 14}, {BANK + 1, true, 0, 17});
    /* A read that comes while writes go for want of reads interrupts them only at the low mark. */
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {0, true, 0, 14}, {1, false, 12, 23});
    config.write_low = 1;
    EXPECT_SLOTS(&config, {0, true, 0, 11}, {0, true, 0, 29}, {1, false, 12, 20});
}

/* Two may wait. The slot of the first begins at 11: there is room in cycle 12. */
static void room_for_writes(void **unused)
{
    (void)unused;
    static struct feed feed;
    struct memory_config config = plain;
    config.write_buffer = config.write_high = 2;
    config.write_low = 0;
    static const struct step steps[] = {{.write = true},
                                        {.write = true},
                                        {.write = true},
                                        {.write = true},
                                        {.write = false, .arrival = 16}};
    static const uint64_t arrivals_at[] = {0, 0, 12, 15, 16}, rooms[] = {11, 14, 17};
    run_steps(&feed, &config, steps, 5);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(requests[i].arrival, arrivals_at[i]);
    assert_int_equal(feed.room_count, 3);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(feed.rooms[i], rooms[i]);
    assert_int_equal(memory_room(&feed.memory, 0, 0).at, 17);
    assert_int_equal(memory_room(&feed.memory, 1, 0).requester, MEMORY_NOBODY);
    free_memory(&feed);
}

/* Bank 0 of two is refreshed at 100, bank 1 at 50, in 30 cycles. */
static void refresh_of_idle_banks(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.trefi = 100;
    config.trfc = 30;
    config.defer = 1;
    EXPECT_SLOTS(&config, {0, false, 99, 110}); /* put off */
    EXPECT_SLOTS(&config, {0, false, 100, 111});
    EXPECT_SLOTS(&config, {0, false, 101, 141}); /* begun in cycle 100 */
    EXPECT_SLOTS(&config, {BANK, false, 50, 61});
    EXPECT_SLOTS(&config, {BANK, false, 51, 91});
    /* The first access leaves at 71. The open row is closed from 100 on: who comes in 100 or before
     * finds it; who comes later does not. Who comes before it is closed, at 110, puts the refresh
     * itself off. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 100, 100});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 101, 121});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 110, 121});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 111, 151});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 141, 152});
    /* Not before tRAS: opened at 90, closed from 114 on. */
    EXPECT_SLOTS(&config, {0, false, 90, 101}, {1, false, 114, 114});
    EXPECT_SLOTS(&config, {0, false, 90, 101}, {1, false, 115, 135});
    /* Long idle. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 99920, 99941});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 99931, 99942});
}

/* Fifty accesses to an open row from 90 on: slots at 101 + 3 k. As soon as more refreshes are due
 * than a bank may owe it closes the row, and the next slot is 10 + 30 + 11 cycles later. */
static void refresh_is_not_put_off_for_ever(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t defer;
        unsigned last; /* before a refresh */
        uint64_t closes;
    } rows[] = {{1, 32, 200}, {2, 49, 0}};
    struct memory_config config = plain;
    config.trefi = 100;
    config.trfc = 30;
    struct step steps[50];
    for (unsigned i = 0; i < 2; i++) {
        config.defer = rows[i].defer;
        for (unsigned k = 0; k < 50; k++)
            steps[k] = (struct step){.arrival = 90,
                                     .slot = k <= rows[i].last ? 101 + 3 * k
                                                               : rows[i].closes + 51 +
                                                                     3 * (k - 1 - rows[i].last)};
        expect_slots(&config, steps, 50);
    }
    /* None may be owed: the row that is opened at 99 serves one access and is closed at 123 for the
     * refresh of 100. The other bank goes on. */
    config.defer = 0;
    EXPECT_SLOTS(&config, {0, false, 99, 110}, {0, false, 99, 174});
    EXPECT_SLOTS(&config, {0, false, 100, 141});
    EXPECT_SLOTS(&config, {0, false, 99, 110}, {0, false, 99, 174}, {BANK, false, 99, 113},
                 {BANK, false, 99, 116});
    /* Five cycles from a refresh to the next: a row serves one access, then those that have become
     * due meanwhile are made up for: from 112 on three until 397, from 431 on seven until 1096. */
    config.trfc = 95;
    EXPECT_SLOTS(&config, {0, false, 0, 11}, {0, false, 99, 99}, {0, false, 100, 397 + 11},
                 {0, false, 150, 1096 + 11});
}

/* The slot of requester 7 ends at 14: whoever arrives at 13 is behind it, at 14 no longer; and so
 * is the second access of somebody else, as long as that slot has not ended. */
static void who_was_in_front(void **unused)
{
    (void)unused;
    static struct feed feed;
    static const uint64_t times[][2] = {{13, 13}, {13, 14}, {14, 14}};
    static const uint32_t expected[][2] = {
        {7, 7}, {7, MEMORY_NOBODY}, {MEMORY_NOBODY, MEMORY_NOBODY}};
    for (unsigned i = 0; i < 3; i++) {
        request_count = 3;
        requests[0] = (struct request){.access = {.requester = 7}};
        for (unsigned k = 0; k < 2; k++)
            requests[k + 1] = (struct request){.access = {.requester = 8}, .planned = times[i][k]};
        run_memory(&feed, &plain, false, NOT_YET);
        assert_int_equal(requests[0].behind, MEMORY_NOBODY);
        for (unsigned k = 0; k < 2; k++)
            assert_int_equal(requests[k + 1].behind, expected[i][k]);
        free_memory(&feed);
    }
}

/* Slots [11,14) and [14,17). A slot counts as far as it lies before the end. */
static void the_end_of_a_run(void **unused)
{
    (void)unused;
    static struct feed feed;
    static const uint64_t busy[] = {0, 1, 2, 3, 4, 5, 6, 6}; /* ends 11 to 18 */
    static const uint64_t events[] = {0, 1, 1, 1, 2, 2, 2, 2};
    for (unsigned i = 0; i < 8; i++) {
        request_count = 2;
        requests[0] = requests[1] = (struct request){.access = {.group = 1}};
        run_memory(&feed, &plain, true, 11 + i);
        finish_memory(&feed, 11 + i);
        assert_int_equal(account_total(&feed.account, FIRST_UNIT + 1), busy[i]);
        assert_int_equal(feed.account.events[FIRST_UNIT + 1][REASON_BUSY], events[i]);
        free_memory(&feed);
    }
}

/* Without any times data are there one cycle later. */
static void never_in_the_same_cycle(void **unused)
{
    (void)unused;
    static struct feed feed;
    const struct memory_config none = {.channels = 1,
                                       .banks = 1,
                                       .window = 1,
                                       .age_limit = 1,
                                       .write_buffer = 1,
                                       .write_high = 1,
                                       .divisor = {1, 1, 1, 1},
                                       .size = {100, 1, 1, 1}};
    request_count = 2;
    requests[0] = requests[1] = (struct request){.planned = 7};
    run_memory(&feed, &none, true, NOT_YET);
    assert_int_equal(requests[0].there, 8);
    assert_int_equal(requests[1].there, 8);
    free_memory(&feed);
}

/* More accesses than were reserved break the model, and nothing else. */
static void too_many_accesses(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct memory memory;
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    const struct memory_setup setup = {
        .config = &plain, .kernel = &kernel, .calls = &calls, .groups = 1};
    assert_int_equal(memory_init(&memory, &setup), 0);
    for (unsigned i = 0; i < 8; i++) {
        assert_null(kernel.broken);
        memory_ask(&memory, &(const struct memory_access){.granule = i});
    }
    memory_ask(&memory, &(const struct memory_access){.granule = 0});
    assert_non_null(kernel.broken);
    memory_free(&memory);
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(window_1),
        cmocka_unit_test(window_4),
        cmocka_unit_test(window_16),
        cmocka_unit_test(slots_follow_each_other),
        cmocka_unit_test(rows_stay_open_for_tras),
        cmocka_unit_test(turnaround_between_directions),
        cmocka_unit_test(open_rows_first_within_the_window),
        cmocka_unit_test(nobody_starves),
        cmocka_unit_test(writes_gather),
        cmocka_unit_test(room_for_writes),
        cmocka_unit_test(refresh_of_idle_banks),
        cmocka_unit_test(refresh_is_not_put_off_for_ever),
        cmocka_unit_test(who_was_in_front),
        cmocka_unit_test(the_end_of_a_run),
        cmocka_unit_test(never_in_the_same_cycle),
        cmocka_unit_test(too_many_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
