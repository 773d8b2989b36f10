/*
 * The memory against one that is advanced cycle by cycle and command by command: banks look at
 * their next access, close rows, open rows and are refreshed; channels hand out slots.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/often.h"
#include "timing/memory.h"

static uint64_t state = 88172645463325252u;

static uint64_t pick(uint64_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 20) % limit;
}

/* --- the oracle ------------------------------------------------------------------------------- */

enum { GROUPS = 2, CHANNELS = 3, BANKS = 4, ACCESSES = 300, DUE = 64 };
#define NOT_YET UINT64_MAX

struct request {
    struct memory_access access;
    unsigned group, channel, bank, row;
    uint64_t start; /* of its slot */
    uint64_t there; /* what the memory answered */
    uint32_t behind;
};

/* A refresh that was due. */
struct due {
    bool closes; /* it has to close a row */
    bool met;    /* an access waits for its end */
    uint64_t end;
};

struct cell {
    struct due dues[DUE];
    unsigned due_count;
    bool due_since; /* there was a refresh since the last look */
    bool looked;    /* at any access so far */
    unsigned row;
    uint64_t opened_at; /* the command that opened it */
    uint64_t slot_end;  /* of the last access */
    /* The access that is prepared. */
    struct request *head;
    bool lost;    /* it found no open row */
    bool closing; /* the other row is being closed, until closed_at */
    uint64_t closed_at, usable_at;
};

struct lane {
    struct request *order[ACCESSES];
    unsigned count, next;
    uint64_t slot_end;
    bool used, writing;
};

static struct cell cells[GROUPS][CHANNELS][BANKS];
static struct lane lanes[GROUPS][CHANNELS];
static struct request requests[ACCESSES];
static unsigned request_count;

static struct cell *cell_of(const struct request *r)
{
    return &cells[r->group][r->channel][r->bank];
}

/* Of a bank, in a cycle: which refreshes begin. */
static void step_due(const struct memory_config *config, struct cell *cell, unsigned bank,
                     uint64_t now)
{
    const uint64_t first = config->trefi * (config->banks - bank) / config->banks;
    if (!config->trefi || now < first || (now - first) % config->trefi != 0)
        return;
    unsigned kept = 0;
    for (unsigned i = 0; i < cell->due_count; i++)
        if (cell->dues[i].end > now)
            cell->dues[kept++] = cell->dues[i];
    cell->due_count = kept;
    assert_true(cell->due_count < DUE);
    const bool closes = cell->looked && !cell->due_since;
    cell->dues[cell->due_count++] =
        (struct due){.closes = closes, .end = closes ? NOT_YET : now + config->trfc};
    cell->due_since = true;
}

/* The first access of the bank that has not taken its slot. */
static struct request *next_of(const struct lane *lane, unsigned bank)
{
    for (unsigned i = lane->next; i < lane->count; i++)
        if (lane->order[i]->bank == bank)
            return lane->order[i];
    return NULL;
}

static bool refreshing(const struct cell *cell, uint64_t now)
{
    for (unsigned i = 0; i < cell->due_count; i++)
        if (cell->dues[i].met && cell->dues[i].end > now)
            return true;
    return false;
}

static void look(struct cell *cell, struct request *head, uint64_t now)
{
    cell->head = head;
    cell->lost = !cell->looked || cell->due_since;
    cell->looked = true;
    cell->due_since = false;
    cell->closing = false;
    cell->usable_at = !cell->lost && cell->row == head->row ? now : NOT_YET;
    for (unsigned i = 0; i < cell->due_count; i++)
        cell->dues[i].met = true;
}

/* What a bank does in a cycle; true when it did something. */
static bool step_cell(const struct memory_config *config, struct cell *cell,
                      const struct lane *lane, unsigned bank, uint64_t now)
{
    bool did = false;
    const bool preparing = cell->head && cell->usable_at == NOT_YET;
    for (unsigned i = 0; i < cell->due_count; i++) {
        struct due *due = &cell->dues[i];
        if (due->end == NOT_YET && (due->met || !preparing) &&
            now >= cell->opened_at + config->tras) {
            due->end = now + config->trp + config->trfc; /* the command that closes the row */
            did = true;
        }
    }
    if (!cell->head) {
        struct request *head = next_of(lane, bank);
        if (!head || head->access.arrival > now || cell->slot_end > now)
            return did;
        look(cell, head, now);
        return true;
    }
    if (cell->usable_at != NOT_YET || refreshing(cell, now))
        return did;
    if (!cell->lost && !cell->closing) {
        if (now < cell->opened_at + config->tras)
            return did;
        cell->closing = true;
        cell->closed_at = now + config->trp;
        return true;
    }
    if (!cell->lost && now < cell->closed_at)
        return did;
    cell->row = cell->head->row;
    cell->opened_at = now;
    cell->usable_at = now + config->trcd;
    return true;
}

static bool step_lane(const struct memory_config *config, struct lane *lane, uint64_t now)
{
    if (lane->next == lane->count)
        return false;
    struct request *r = lane->order[lane->next];
    struct cell *cell = cell_of(r);
    if (cell->head != r || now < cell->usable_at || now < lane->slot_end)
        return false;
    if (lane->used && lane->writing != r->access.write && now < lane->slot_end + config->turnaround)
        return false;
    r->start = now;
    lane->used = true;
    lane->writing = r->access.write;
    lane->slot_end = cell->slot_end = now + config->tccd;
    lane->next++;
    cell->head = NULL;
    return true;
}

/* All accesses, from cycle 0 on. */
static void run_oracle(const struct memory_config *config)
{
    unsigned left = request_count;
    memset(cells, 0, sizeof cells);
    memset(lanes, 0, sizeof lanes);
    for (unsigned i = 0; i < request_count; i++) {
        struct lane *lane = &lanes[requests[i].group][requests[i].channel];
        lane->order[lane->count++] = &requests[i];
    }
    for (uint64_t now = 0; left; now++) {
        assert_true(now < 1000000);
        for (unsigned i = 0; i < GROUPS * CHANNELS * BANKS; i++)
            step_due(config, &cells[i / BANKS / CHANNELS][i / BANKS % CHANNELS][i % BANKS],
                     i % BANKS, now);
        for (unsigned i = 0; i < GROUPS * CHANNELS; i++) {
            struct lane *lane = &lanes[i / CHANNELS][i % CHANNELS];
            for (bool did = true; did;) {
                did = false;
                for (unsigned b = 0; b < config->banks; b++)
                    did |= step_cell(config, &cells[i / CHANNELS][i % CHANNELS][b], lane, b, now);
                while (step_lane(config, lane, now)) {
                    left--;
                    did = true;
                }
            }
        }
    }
}

/* Who was in front of an access: the last one in its channel that is not of the same requester. */
static uint32_t in_front(const struct memory_config *config, const struct request *of)
{
    for (const struct request *r = of; r-- > requests;)
        if (r->group == of->group && r->channel == of->channel &&
            r->access.requester != of->access.requester)
            return r->start + config->tccd > of->access.arrival ? r->access.requester
                                                                : MEMORY_NOBODY;
    return MEMORY_NOBODY;
}

/* --- streams ---------------------------------------------------------------------------------- */

static uint64_t some(uint64_t limit)
{
    return pick(4) ? pick(limit) : 0;
}

/* Numbers of a small chip; each field of the address takes a place of its own. */
static struct memory_config random_config(void)
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
                                   .write_backlog = some(100),
                                   .in_flight = ACCESSES};
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

enum { FIRST_UNIT = 5, UNITS = FIRST_UNIT + GROUPS * CHANNELS };

/* Intervals of each unit, as the sink took them. */
static struct sink_interval seen[UNITS][ACCESSES];
static unsigned seen_count[UNITS];

static int take(void *context, const struct sink_interval *interval)
{
    (void)context;
    assert_true(interval->unit < UNITS && seen_count[interval->unit] < ACCESSES);
    seen[interval->unit][seen_count[interval->unit]++] = *interval;
    return 0;
}

static const struct sink_ops takes_intervals = {.name = "test", .interval = take};
static const struct sink sink = {&takes_intervals, NULL};

/* Slots of each channel up to the end, in order; nothing else. */
static void compare_account(const struct memory_config *config, const struct account *account,
                            uint64_t end)
{
    for (unsigned i = 0; i < GROUPS * config->channels; i++) {
        const struct lane *lane = &lanes[i / config->channels][i % config->channels];
        const uint32_t unit = FIRST_UNIT + i;
        uint64_t busy = 0, events = 0;
        for (unsigned k = 0; k < lane->count; k++) {
            const struct request *r = lane->order[k];
            uint64_t cycles = 0;
            for (uint64_t c = r->start; c < r->start + config->tccd; c++)
                cycles += c < end;
            if (!cycles)
                continue;
            assert_true(events < seen_count[unit]);
            const struct sink_interval *interval = &seen[unit][events++];
            assert_int_equal(interval->reason, REASON_BUSY);
            assert_int_equal(interval->stmt, r->access.statement);
            assert_int_equal(interval->start, r->start);
            assert_int_equal(interval->duration, cycles);
            busy += cycles;
        }
        assert_int_equal(seen_count[unit], events);
        assert_int_equal(account_total(account, unit), busy);
        assert_int_equal(account->events[unit][REASON_BUSY], events);
    }
}

/* From when on a write is taken at once, cycle by cycle. */
static uint64_t accepts(const struct memory_config *config, uint64_t slot_end)
{
    uint64_t now = 0;
    while (slot_end > now && slot_end - now > config->write_backlog)
        now++;
    return now;
}

static void random_stream(const struct memory_config *config, bool recorded)
{
    struct account account;
    struct memory memory;
    assert_int_equal(account_init(&account, UNITS, &sink), 0);
    assert_int_equal(memory_init(&memory, config, GROUPS, FIRST_UNIT, recorded ? &account : NULL),
                     0);
    const uint64_t spread = 1 + pick(30), reach = 1 + pick(pick(2) ? 16 : 500);
    const bool waits = pick(2);
    uint64_t now = pick(20), granule = pick(1000), requester = 0;
    request_count = (unsigned)(1 + pick(ACCESSES));
    memset(seen_count, 0, sizeof seen_count);
    for (unsigned i = 0; i < request_count; i++) {
        now += pick(3) ? 0 : pick(spread);
        if (!pick(40))
            now += pick(800);
        requester = pick(5) ? requester : pick(4);
        granule = pick(3) ? granule + 1 : pick(reach);
        struct request *r = &requests[i];
        r->access = (struct memory_access){.group = (uint32_t)pick(GROUPS),
                                           .granule = (uint32_t)granule,
                                           .write = requester % 2,
                                           .statement = i,
                                           .requester = (uint32_t)requester};
        if (r->access.write && waits) {
            const uint64_t at = memory_accepts(&memory, r->access.group, r->access.granule);
            now = at > now ? at : now;
        }
        r->access.arrival = now;
        find_place(config, r);
        memory.behind = MEMORY_NOBODY;
        r->there = memory_serve(&memory, &r->access);
        r->behind = memory.behind;
    }
    run_oracle(config);
    uint64_t last = 0;
    for (unsigned i = 0; i < request_count; i++) {
        const struct request *r = &requests[i];
        assert_int_equal(r->there, r->start + config->tcl + config->tccd);
        assert_int_equal(r->behind, recorded ? in_front(config, r) : MEMORY_NOBODY);
        const struct lane *lane = &lanes[r->group][r->channel];
        assert_int_equal(memory_accepts(&memory, r->access.group, r->access.granule),
                         accepts(config, lane->slot_end));
        last = lane->slot_end > last ? lane->slot_end : last;
    }
    assert_int_equal(memory_free_at(&memory), last);
    const uint64_t end = now + pick(last + 2 > now ? last + 2 - now : 1);
    memory_finish(&memory, end);
    account_flush(&account);
    if (recorded && config->tccd)
        compare_account(config, &account, end);
    else
        for (unsigned u = 0; u < UNITS; u++)
            assert_int_equal(seen_count[u], 0);
    memory_free(&memory);
    account_free(&account);
}

static void random_streams(void **unused)
{
    (void)unused;
    for (size_t round = 0; round < often(600); round++) {
        const struct memory_config config = random_config();
        random_stream(&config, pick(4) != 0);
    }
}

/* --- both edges of each rule ------------------------------------------------------------------ */

/* One channel of two banks with rows of two granules: granule = row * 4 + bank * 2 + column. */
static const struct memory_config plain = {.channels = 1,
                                           .banks = 2,
                                           .tccd = 3,
                                           .trcd = 11,
                                           .trp = 10,
                                           .tras = 24,
                                           .tcl = 12,
                                           .turnaround = 6,
                                           .write_backlog = 20,
                                           .divisor = {4, 2, 1, 1},
                                           .size = {100, 2, 2, 1}};
enum { THERE = 15, BANK = 2, ROW = 4 }; /* tCL + tCCD; to the next bank, to the next row */

struct step {
    uint32_t granule;
    bool write;
    uint64_t arrival;
    uint64_t slot; /* expected */
};

static void expect_slots(const struct memory_config *config, const struct step *steps, size_t count)
{
    struct memory memory;
    assert_int_equal(memory_init(&memory, config, 1, 0, NULL), 0);
    for (size_t i = 0; i < count; i++) {
        const struct memory_access access = {
            .granule = steps[i].granule, .write = steps[i].write, .arrival = steps[i].arrival};
        assert_int_equal(memory_serve(&memory, &access), steps[i].slot + THERE);
    }
    memory_free(&memory);
}

#define EXPECT_SLOTS(config, ...)                                                                  \
    do {                                                                                           \
        const struct step steps[] = {__VA_ARGS__};                                                 \
        expect_slots(config, steps, sizeof steps / sizeof *steps);                                 \
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

static void turnaround_between_directions(void **unused)
{
    (void)unused;
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 0, 20}, {0, true, 0, 23}, {1, false, 0, 32});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 20, 20});
    EXPECT_SLOTS(&plain, {0, false, 0, 11}, {1, true, 21, 21});
    EXPECT_SLOTS(&plain, {0, true, 0, 11}, {1, true, 14, 14}); /* none before the first */
}

/* Bank 0 of two is refreshed at 100, bank 1 at 50. */
static void refresh_counts_from_its_cycle(void **unused)
{
    (void)unused;
    struct memory_config config = plain;
    config.trefi = 100;
    config.trfc = 30;
    /* Looked at one cycle earlier: goes on. In the cycle: waits for trfc, then opens. */
    EXPECT_SLOTS(&config, {0, false, 99, 110});
    EXPECT_SLOTS(&config, {0, false, 100, 141});
    EXPECT_SLOTS(&config, {BANK, false, 49, 60});
    EXPECT_SLOTS(&config, {BANK, false, 50, 91});
    /* An open row is closed first, tRP; it is gone for whoever comes later, however late. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 99, 99});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 100, 151});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 140, 151});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 141, 152});
    /* Not before tRAS: opened at 90, closed from 114 on. */
    EXPECT_SLOTS(&config, {0, false, 90, 101}, {1, false, 104, 165});
    /* The second one at 200 meets no row. The third at 300 was not due yet at 230. */
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 200, 241});
    EXPECT_SLOTS(&config, {0, false, 60, 71}, {1, false, 230, 241}, {0, false, 299, 299},
                 {1, false, 300, 351});
}

static void a_backlog_of_writes(void **unused)
{
    (void)unused;
    struct memory memory;
    assert_int_equal(memory_init(&memory, &plain, 1, 0, NULL), 0);
    assert_int_equal(memory_accepts(&memory, 0, 0), 0);
    const struct memory_access access = {.write = true};
    static const uint64_t expected[] = {0, 0, 0, 3, 6}; /* slots end at 14, 17, 20, 23, 26 */
    for (unsigned i = 0; i < 5; i++) {
        memory_serve(&memory, &access);
        assert_int_equal(memory_accepts(&memory, 0, 1), expected[i]);
    }
    assert_int_equal(memory_free_at(&memory), 26);
    memory_free(&memory);
}

/* The slot of requester 7 ends at 14: whoever arrives at 13 is behind it, at 14 no longer; and so
 * is the second access of somebody else, as long as that slot has not ended. */
static void who_was_in_front(void **unused)
{
    (void)unused;
    static const uint64_t arrivals[][2] = {{13, 13}, {13, 14}, {14, 14}};
    static const uint32_t expected[][2] = {
        {7, 7}, {7, MEMORY_NOBODY}, {MEMORY_NOBODY, MEMORY_NOBODY}};
    for (unsigned i = 0; i < 3; i++) {
        struct account account;
        struct memory memory;
        assert_int_equal(account_init(&account, 1, NULL), 0);
        assert_int_equal(memory_init(&memory, &plain, 1, 0, &account), 0);
        struct memory_access access = {.requester = 7};
        memory_serve(&memory, &access);
        memory_serve(&memory, &access);
        assert_int_equal(memory.behind, MEMORY_NOBODY); /* not behind itself */
        memory_free(&memory);
        assert_int_equal(memory_init(&memory, &plain, 1, 0, &account), 0);
        memory_serve(&memory, &access);
        access.requester = 8;
        for (unsigned k = 0; k < 2; k++) {
            memory.behind = MEMORY_NOBODY;
            access.arrival = arrivals[i][k];
            memory_serve(&memory, &access);
            assert_int_equal(memory.behind, expected[i][k]);
        }
        memory_free(&memory);
        account_free(&account);
    }
}

/* Slots [11,14) and [14,17). A slot counts as far as it lies before the end. */
static void the_end_of_a_run(void **unused)
{
    (void)unused;
    static const uint64_t busy[] = {0, 1, 2, 3, 4, 5, 6, 6}; /* ends 11 to 18 */
    static const uint64_t events[] = {0, 1, 1, 1, 2, 2, 2, 2};
    for (unsigned i = 0; i < 8; i++) {
        struct account account;
        struct memory memory;
        assert_int_equal(account_init(&account, 4, NULL), 0);
        assert_int_equal(memory_init(&memory, &plain, 2, 2, &account), 0);
        const struct memory_access access = {.group = 1};
        memory_serve(&memory, &access);
        memory_serve(&memory, &access);
        memory_finish(&memory, 11 + i);
        memory_finish(&memory, UINT64_MAX); /* once is enough */
        assert_int_equal(account_total(&account, 3), busy[i]);
        assert_int_equal(account.events[3][REASON_BUSY], events[i]);
        memory_free(&memory);
        account_free(&account);
    }
}

/* All that the backlog and in_flight allow is kept back. */
static void as_many_as_can_be_in_flight(void **unused)
{
    (void)unused;
    static const uint64_t in_flight[] = {0, 1, 9, 10, 58, 1000};
    for (unsigned i = 0; i < 6; i++) {
        struct memory_config config = plain;
        config.in_flight = in_flight[i];
        struct account account;
        struct memory memory;
        assert_int_equal(account_init(&account, 1, NULL), 0);
        assert_int_equal(memory_init(&memory, &config, 1, 0, &account), 0);
        const struct memory_access access = {.write = true};
        for (uint64_t k = 0; k < config.write_backlog / config.tccd + in_flight[i]; k++)
            memory_serve(&memory, &access);
        memory_finish(&memory, 0);
        assert_int_equal(account_total(&account, 0), 0);
        memory_free(&memory);
        account_free(&account);
    }
}

static void an_ideal_memory(void **unused)
{
    (void)unused;
    struct account account;
    struct memory memory;
    struct memory_config config = plain;
    config.ideal = true;
    assert_int_equal(account_init(&account, 1, NULL), 0);
    assert_int_equal(memory_init(&memory, &config, 1, 0, &account), 0);
    for (unsigned i = 0; i < 100; i++) {
        const struct memory_access access = {
            .granule = i * ROW, .write = i % 2, .arrival = 7, .requester = i};
        assert_int_equal(memory_serve(&memory, &access), 7);
    }
    assert_int_equal(memory_accepts(&memory, 0, 0), 0);
    assert_int_equal(memory_free_at(&memory), 0);
    assert_int_equal(memory.behind, MEMORY_NOBODY);
    memory_finish(&memory, 100);
    assert_int_equal(account_total(&account, 0), 0);
    memory_free(&memory);
    account_free(&account);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams),
        cmocka_unit_test(slots_follow_each_other),
        cmocka_unit_test(rows_stay_open_for_tras),
        cmocka_unit_test(turnaround_between_directions),
        cmocka_unit_test(refresh_counts_from_its_cycle),
        cmocka_unit_test(a_backlog_of_writes),
        cmocka_unit_test(who_was_in_front),
        cmocka_unit_test(the_end_of_a_run),
        cmocka_unit_test(as_many_as_can_be_in_flight),
        cmocka_unit_test(an_ideal_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
