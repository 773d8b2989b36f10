/* Ports against a list that is gone through cycle by cycle by the rules of the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/resource.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

/* --- what is asked for ------------------------------------------------------------------------ */

enum { USERS = 10, TURNS = 30, PORTS = 8, GATES = 3, OPENINGS = 40, STARTS = USERS * TURNS };

struct turn {
    uint64_t pause;   /* cycles from the start before until it asks, at least 1 */
    uint64_t waited;  /* cycles that it has waited when it asks */
    uint64_t matures; /* cycles from asking until it can go */
    unsigned gate;    /* that must be open, GATES = none */
    uint64_t ports;
    uint64_t hold[PORTS];
    uint32_t priority;
    bool unasked; /* takes its ports without asking if it can in that cycle */
};

static struct turn turns[USERS][TURNS];
/* Cycles in which a gate opens or closes; it begins closed. */
static uint64_t flips[GATES][OPENINGS];

static void write_turns(void)
{
    const unsigned ports = 1 + (unsigned)pick(PORTS);
    const uint64_t crowd = 1 + pick(3), pace = 1 + pick(30), longest = 1 + pick(12);
    for (unsigned u = 0; u < USERS; u++)
        for (unsigned i = 0; i < TURNS; i++) {
            struct turn *turn = &turns[u][i];
            *turn = (struct turn){.pause = (i ? 1 : 5) + pick(pace),
                                  .waited = pick(3) ? 0 : pick(5),
                                  .matures = pick(3) ? 0 : pick(20),
                                  .gate = pick(4) ? GATES : (unsigned)pick(GATES),
                                  .ports = 1u << pick(ports),
                                  .priority = (uint32_t)pick(3),
                                  .unasked = !pick(4)};
            for (uint64_t more = pick(crowd + 1); more > 0; more--)
                turn->ports |= 1u << pick(ports);
            for (unsigned p = 0; p < PORTS; p++)
                turn->hold[p] = 1 + pick(longest);
        }
    for (unsigned g = 0; g < GATES; g++)
        for (unsigned i = 0; i < OPENINGS; i++)
            flips[g][i] = (i ? flips[g][i - 1] : 0) + 1 + pick(25);
}

struct begun {
    uint64_t at;
    uint32_t user, turn;
    struct resource ports[PORTS]; /* as it found them */
};

/* --- the oracle ------------------------------------------------------------------------------- */

struct plain_user {
    unsigned turn;
    bool waits;
    uint64_t asks_at; /* its next turn, or when it asked */
};

static struct plain_user users[USERS];
static struct resource plain_ports[PORTS];
static struct begun expected[STARTS];
static size_t expected_count;

/* A gate flips a last time into the open. */
static bool open_in(unsigned gate, uint64_t now)
{
    unsigned passed = 0;
    while (passed < OPENINGS && flips[gate][passed] <= now)
        passed++;
    return passed == OPENINGS || passed % 2;
}

static bool plain_ranks_before(unsigned a, unsigned b)
{
    const struct turn *first = &turns[a][users[a].turn], *second = &turns[b][users[b].turn];
    if (first->priority != second->priority)
        return first->priority > second->priority;
    const uint64_t since = users[a].asks_at + second->waited;
    const uint64_t other = users[b].asks_at + first->waited;
    return since != other ? since < other : a < b;
}

static void plain_start(unsigned u, uint64_t now)
{
    const struct turn *turn = &turns[u][users[u].turn];
    struct begun *begun = &expected[expected_count++];
    *begun = (struct begun){.at = now, .user = u, .turn = users[u].turn};
    memcpy(begun->ports, plain_ports, sizeof begun->ports);
    for (unsigned p = 0; p < PORTS; p++)
        if (turn->ports >> p & 1)
            plain_ports[p] = (struct resource){
                .free_at = now + turn->hold[p], .holder = u, .priority = turn->priority};
    users[u].waits = false;
    if (++users[u].turn < TURNS)
        users[u].asks_at = now + turns[u][users[u].turn].pause;
}

static uint64_t held_in(uint64_t now)
{
    uint64_t held = 0;
    for (unsigned p = 0; p < PORTS; p++)
        held |= (uint64_t)(plain_ports[p].free_at > now) << p;
    return held;
}

static uint64_t wanted_by_all(void)
{
    uint64_t wanted = 0;
    for (unsigned u = 0; u < USERS; u++)
        if (users[u].waits)
            wanted |= turns[u][users[u].turn].ports;
    return wanted;
}

static void plain_cycle(uint64_t now)
{
    for (unsigned u = 0; u < USERS; u++) {
        if (users[u].turn == TURNS || users[u].waits || users[u].asks_at != now)
            continue;
        const struct turn *turn = &turns[u][users[u].turn];
        if (turn->unasked && !(turn->ports & (wanted_by_all() | held_in(now))))
            plain_start(u, now);
        else
            users[u].waits = true;
    }
    bool served[USERS] = {false};
    uint64_t taken = held_in(now);
    for (;;) {
        unsigned best = USERS;
        for (unsigned u = 0; u < USERS; u++)
            if (users[u].waits && !served[u] && (best == USERS || plain_ranks_before(u, best)))
                best = u;
        if (best == USERS)
            return;
        const struct turn *turn = &turns[best][users[best].turn];
        served[best] = true;
        if (now < users[best].asks_at + turn->matures ||
            (turn->gate < GATES && !open_in(turn->gate, now)))
            continue;
        if (turn->ports & taken)
            continue;
        taken |= turn->ports;
        plain_start(best, now);
    }
}

static void plain_run(void)
{
    expected_count = 0;
    for (unsigned p = 0; p < PORTS; p++)
        plain_ports[p] = (struct resource){.holder = RESOURCE_NOBODY};
    for (unsigned u = 0; u < USERS; u++)
        users[u] = (struct plain_user){.asks_at = turns[u][0].pause};
    for (uint64_t now = 0; expected_count < STARTS; now++) {
        assert_true(now < 1000000);
        plain_cycle(now);
    }
}

/* --- the same with resource ------------------------------------------------------------------- */

struct bench;

/* Asks for all users, in order of id. */
struct asker {
    struct process process; /* first */
    struct bench *bench;
};

struct gate {
    struct process process; /* first */
    struct bench *bench;
    unsigned number, flipped;
};

struct user {
    unsigned turn;
    bool waits;
    uint64_t asks_at; /* its next turn, or when it asked */
};

struct bench {
    struct kernel kernel;
    struct resource_set set;
    struct asker asker;
    struct gate gates[GATES];
    struct user users[USERS];
    struct begun log[STARTS];
    size_t count;
};

static void begin(struct bench *bench, uint32_t id, uint64_t now)
{
    struct user *user = &bench->users[id];
    const struct turn *turn = &turns[id][user->turn];
    struct begun *begun = &bench->log[bench->count++];
    *begun = (struct begun){.at = now, .user = id, .turn = user->turn};
    memcpy(begun->ports, bench->set.ports, sizeof begun->ports);
    for (unsigned p = 0; p < PORTS; p++)
        if (turn->ports >> p & 1)
            resource_take(&bench->set, p, id, turn->priority, now + turn->hold[p]);
    user->waits = false;
    if (++user->turn == TURNS)
        return;
    user->asks_at = now + turns[id][user->turn].pause;
    kernel_wake_by(&bench->kernel, &bench->asker.process, user->asks_at, PHASE_NOTICE, "next");
}

static void ask(struct bench *bench, uint32_t id, uint64_t now)
{
    struct user *user = &bench->users[id];
    const struct turn *turn = &turns[id][user->turn];
    const struct request request = {
        .ports = turn->ports, .since = now - turn->waited, .id = id, .priority = turn->priority};
    if (turn->unasked && !(turn->ports & bench->set.wanted) &&
        resource_free_at(&bench->set, turn->ports) <= now) {
        begin(bench, id, now);
        return;
    }
    user->waits = true;
    resource_ask(&bench->set, &request);
}

static void ask_for_all(struct process *process, struct kernel *kernel)
{
    struct bench *bench = ((struct asker *)process)->bench;
    uint64_t next = UINT64_MAX;
    for (uint32_t id = 0; id < USERS; id++) {
        const struct user *user = &bench->users[id];
        if (user->turn < TURNS && !user->waits && user->asks_at == kernel->now)
            ask(bench, id, kernel->now);
        if (user->turn < TURNS && !user->waits && user->asks_at < next)
            next = user->asks_at;
    }
    if (next != UINT64_MAX)
        kernel_wake_by(kernel, process, next, PHASE_NOTICE, "next");
}

static uint64_t user_ready(void *context, const struct request *request, uint64_t now)
{
    const struct bench *bench = context;
    const struct user *user = &bench->users[request->id];
    const struct turn *turn = &turns[request->id][user->turn];
    const uint64_t mature = user->asks_at + turn->matures;
    assert_int_equal(bench->kernel.now, now);
    if (turn->gate < GATES && !open_in(turn->gate, now))
        return UINT64_MAX; /* until it opens, which resource_changed says */
    return mature > now ? mature : now;
}

static void user_start(void *context, const struct request *request, uint64_t now)
{
    struct bench *bench = context;
    const struct turn *turn = &turns[request->id][bench->users[request->id].turn];
    assert_int_equal(bench->kernel.now, now);
    assert_int_equal(request->ports, turn->ports);
    assert_int_equal(request->priority, turn->priority);
    begin(bench, request->id, now);
}

static void flip(struct process *process, struct kernel *kernel)
{
    struct gate *gate = (struct gate *)process;
    resource_changed(&gate->bench->set);
    if (++gate->flipped < OPENINGS)
        kernel_wake(kernel, process, flips[gate->number][gate->flipped], PHASE_ARRIVE, "flip");
}

static const struct resource_calls calls = {user_ready, user_start};

static void run_bench(struct bench *bench)
{
    *bench = (struct bench){.asker = {.process.resume = ask_for_all, .bench = bench}};
    assert_int_equal(kernel_init(&bench->kernel, GATES + 2, true), 0);
    assert_int_equal(resource_init(&bench->set, &bench->kernel, USERS, &calls, bench), 0);
    for (uint32_t u = 0; u < USERS; u++) {
        bench->users[u].asks_at = turns[u][0].pause;
        kernel_wake_by(&bench->kernel, &bench->asker.process, turns[u][0].pause, PHASE_NOTICE,
                       "start");
    }
    for (unsigned g = 0; g < GATES; g++) {
        bench->gates[g] = (struct gate){.process.resume = flip, .bench = bench, .number = g};
        kernel_wake(&bench->kernel, &bench->gates[g].process, flips[g][0], PHASE_ARRIVE, "flip");
    }
    while (kernel_run(&bench->kernel, 1) && bench->kernel.now < 1000000)
        ;
    assert_null(bench->kernel.broken);
    assert_int_equal(bench->set.count, 0);
    assert_int_equal(bench->set.wanted, 0);
}

static void agrees_with_every_cycle(void **unused)
{
    (void)unused;
    static struct bench bench;
    unsigned waited = 0, unasked = 0;
    for (size_t round = 0; round < often(1600); round++) {
        write_turns();
        plain_run();
        run_bench(&bench);
        assert_int_equal(bench.count, expected_count);
        for (size_t i = 0; i < bench.count; i++) {
            const struct begun *a = &bench.log[i], *b = &expected[i];
            if (a->at != b->at || a->user != b->user || a->turn != b->turn)
                fail_msg("round %zu: user %u turn %u at %llu, not user %u turn %u at %llu", round,
                         a->user, a->turn, (unsigned long long)a->at, b->user, b->turn,
                         (unsigned long long)b->at);
            for (unsigned p = 0; p < PORTS; p++) {
                assert_int_equal(a->ports[p].free_at, b->ports[p].free_at);
                assert_int_equal(a->ports[p].holder, b->ports[p].holder);
                assert_int_equal(a->ports[p].priority, b->ports[p].priority);
            }
            unasked += turns[a->user][a->turn].unasked;
            waited += a->turn && a->at > bench.log[i - 1].at;
        }
        resource_free(&bench.set);
        kernel_free(&bench.kernel);
    }
    assert_true(waited > 10000 && unasked > 10000);
}

/* --- by hand ---------------------------------------------------------------------------------- */

enum { A = 1, B = 2, C = 4, D = 8, MANY = 6 };

/* Requests that are there from a cycle on; each holds its ports for `hold` cycles. */
struct hand {
    struct process process; /* first */
    struct resource_set set;
    const struct wish {
        uint64_t asks, ports, ready, hold;
        uint32_t priority;
        uint64_t starts; /* expected */
    } * wishes;
    size_t count;
    uint64_t started[MANY];
};

static void hand_ask(struct process *process, struct kernel *kernel)
{
    struct hand *hand = (struct hand *)process;
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < hand->count; i++) {
        const struct wish *wish = &hand->wishes[i];
        if (wish->asks == kernel->now)
            resource_ask(&hand->set,
                         &(const struct request){wish->ports, kernel->now, i, wish->priority});
        else if (wish->asks > kernel->now && wish->asks < next)
            next = wish->asks;
    }
    if (next != UINT64_MAX)
        kernel_wake(kernel, process, next, PHASE_ARRIVE, "next");
}

static uint64_t hand_ready(void *context, const struct request *request, uint64_t now)
{
    const uint64_t ready = ((const struct hand *)context)->wishes[request->id].ready;
    return ready > now ? ready : now;
}

static void hand_start(void *context, const struct request *request, uint64_t now)
{
    struct hand *hand = context;
    hand->started[request->id] = now;
    for (unsigned p = 0; p < 4; p++)
        if (request->ports >> p & 1)
            resource_take(&hand->set, p, request->id, request->priority,
                          now + hand->wishes[request->id].hold);
}

/* Ports A to D are held until these cycles before anybody asks. */
static void run_hand(const uint64_t *held, const struct wish *wishes, size_t count)
{
    static const struct resource_calls with = {hand_ready, hand_start},
                                       without = {NULL, hand_start};
    bool never_ready = true;
    for (size_t i = 0; i < count; i++)
        never_ready = never_ready && !wishes[i].ready;
    for (unsigned ready = 0; ready <= never_ready; ready++) {
        struct kernel kernel;
        struct hand hand = {.process.resume = hand_ask, .wishes = wishes, .count = count};
        assert_int_equal(kernel_init(&kernel, 2, true), 0);
        assert_int_equal(resource_init(&hand.set, &kernel, count, ready ? &without : &with, &hand),
                         0);
        for (unsigned p = 0; p < 4; p++)
            if (held[p])
                resource_take(&hand.set, p, 99, 0, held[p]);
        memset(hand.started, 0xff, sizeof hand.started);
        kernel_wake(&kernel, &hand.process, 0, PHASE_ARRIVE, "start");
        assert_false(kernel_run(&kernel, 1000000));
        assert_null(kernel.broken);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(hand.started[i], wishes[i].starts);
        resource_free(&hand.set);
        kernel_free(&kernel);
    }
}

/* Not in the cycle before the port is free or the request ready, and in that one. */
static void both_edges(void **unused)
{
    (void)unused;
    const uint64_t held[4] = {10};
    for (uint64_t asks = 0; asks <= 12; asks++) {
        const struct wish one = {
            .asks = asks, .ports = A, .hold = 1, .starts = asks < 10 ? 10 : asks};
        run_hand(held, &one, 1);
        const struct wish late = {
            .asks = asks, .ports = A, .ready = 11, .hold = 1, .starts = asks < 11 ? 11 : asks};
        run_hand(held, &late, 1);
        /* A second one goes once the first has held the port for 3 cycles. */
        const struct wish two[] = {
            {.asks = asks, .ports = A, .hold = 3, .starts = asks < 10 ? 10 : asks},
            {.asks = asks, .ports = A, .hold = 3, .starts = asks < 10 ? 13 : asks + 3}};
        run_hand(held, two, 2);
    }
}

/* The picture of the page: B is held until 10. */
static void the_picture(void **unused)
{
    (void)unused;
    const uint64_t held[4] = {0, 10};
    /* 3rd at once, 4th behind it. At 10 the 1st, at 14 the 2nd. */
    const struct wish wishes[] = {{.ports = A | B, .hold = 4, .priority = 9, .starts = 10},
                                  {.ports = B | C, .hold = 4, .priority = 8, .starts = 14},
                                  {.ports = C | D, .hold = 4, .priority = 7, .starts = 0},
                                  {.ports = D, .hold = 4, .priority = 6, .starts = 4}};
    run_hand(held, wishes, 4);
    /* What went ahead is not interrupted: C is held until 20, so that the 2nd waits longer. */
    const struct wish longer[] = {{.ports = A | B, .hold = 4, .priority = 9, .starts = 10},
                                  {.ports = B | C, .hold = 4, .priority = 8, .starts = 20},
                                  {.ports = C | D, .hold = 20, .priority = 7, .starts = 0}};
    run_hand(held, longer, 3);
    /* Who is not ready holds nothing back either: the 2nd goes at 20. */
    const struct wish unready[] = {
        {.ports = A | B, .hold = 4, .priority = 9, .starts = 10},
        {.ports = B | C, .ready = 20, .hold = 4, .priority = 8, .starts = 20},
        {.ports = C | D, .hold = 4, .priority = 7, .starts = 0},
        {.ports = D, .hold = 4, .priority = 6, .starts = 4}};
    run_hand(held, unready, 4);
}

/* A request of two ports starves while others use them in turn: A in 0..3, 4..7, 8..11, B in 2..5,
 * 6..9, 10..13. In none of these cycles both are free, not even for the highest priority. */
static void starvation(void **unused)
{
    (void)unused;
    const uint64_t held[4] = {4, 2};
    const struct wish wishes[] = {{.ports = A | B, .hold = 1, .priority = 9, .starts = 14},
                                  {.asks = 2, .ports = B, .hold = 4, .starts = 2},
                                  {.asks = 4, .ports = A, .hold = 4, .starts = 4},
                                  {.asks = 6, .ports = B, .hold = 4, .starts = 6},
                                  {.asks = 8, .ports = A, .hold = 4, .starts = 8},
                                  {.asks = 10, .ports = B, .hold = 4, .starts = 10}};
    run_hand(held, wishes, 6);
}

/* Parts of cycles: a third of a tick less than 4/3 of a cycle each. Back to back they begin at 0,
 * 1.33, 2.67, 3.99, 5.33, 6.67 and 7.99, and in the whole cycles before; after a pause one begins
 * with its cycle. */
static void parts_of_cycles(void **unused)
{
    (void)unused;
    enum { TICKS = RESOURCE_TICKS * 4 / 3 /* 87,381 */ };
    struct resource port = {.holder = RESOURCE_NOBODY};
    const struct request one = {.id = 1}, two = {.id = 2, .priority = 3};
    const uint64_t begins[] = {0, 1, 2, 3, 5, 6, 7};
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(port.free_at, begins[i]);
        const uint64_t cycles = resource_take_ticks(&port, begins[i], &one, TICKS);
        assert_int_equal(cycles, port.free_at - begins[i]);
        assert_int_equal(port.rest, (i + 1) * TICKS % RESOURCE_TICKS);
    }
    /* 7 x 87,381 ticks are 9 cycles and 21,843 ticks. In cycle 9 those count, in cycle 10 they do
     * not. */
    struct resource later = port;
    assert_int_equal(port.free_at, 9);
    resource_take_ticks(&port, 9, &two, RESOURCE_TICKS - 21843);
    assert_int_equal(port.free_at, 10);
    assert_int_equal(port.rest, 0);
    assert_int_equal(port.holder, 2);
    assert_int_equal(port.priority, 3);
    assert_int_equal(resource_take_ticks(&later, 10, &two, RESOURCE_TICKS - 21843), 0);
    assert_int_equal(later.free_at, 10);
    assert_int_equal(later.holder, 1); /* held for no whole cycle: not noted */
    assert_int_equal(resource_take_ticks(&later, 10, &two, 21843), 1);
    assert_int_equal(later.free_at, 11);
    assert_int_equal(later.rest, 0);
    /* Nothing at all leaves the port as it is. */
    assert_int_equal(resource_take_ticks(&later, 20, &one, 0), 0);
    assert_int_equal(later.free_at, 11);
}

/* Priority, then the time of waiting, then the id. */
static void the_rank(void **unused)
{
    (void)unused;
    const uint64_t held[4] = {10};
    const struct wish wishes[] = {{.asks = 5, .ports = A, .hold = 2, .starts = 14},
                                  {.asks = 5, .ports = A, .hold = 2, .starts = 16},
                                  {.asks = 4, .ports = A, .hold = 2, .starts = 12},
                                  {.asks = 9, .ports = A, .hold = 2, .priority = 1, .starts = 10}};
    run_hand(held, wishes, 4);
}

static void last_released(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct resource_set set;
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    assert_int_equal(resource_init(&set, &kernel, 0, &calls, NULL), 0);
    assert_int_equal(resource_last_released(&set, C | D), 2);
    assert_int_equal(resource_free_at(&set, C | D), 0);
    assert_int_equal(set.ports[63].holder, RESOURCE_NOBODY);
    resource_take(&set, 1, 7, 2, 30);
    resource_take(&set, 3, 8, 0, 30);
    resource_take(&set, 63, 9, 0, 31);
    assert_int_equal(resource_last_released(&set, A | B | D), 1);
    assert_int_equal(resource_last_released(&set, A | D), 3);
    assert_int_equal(resource_last_released(&set, UINT64_MAX), 63);
    assert_int_equal(resource_free_at(&set, A | B | C), 30);
    assert_int_equal(set.ports[1].holder, 7);
    assert_int_equal(set.ports[1].priority, 2);
    /* There is no place for anybody who waits. */
    resource_ask(&set, &(const struct request){.ports = A});
    assert_non_null(kernel.broken);
    resource_free(&set);
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_every_cycle),
        cmocka_unit_test(both_edges),
        cmocka_unit_test(the_picture),
        cmocka_unit_test(starvation),
        cmocka_unit_test(parts_of_cycles),
        cmocka_unit_test(the_rank),
        cmocka_unit_test(last_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
