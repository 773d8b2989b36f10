/* The kernel against a plain list of pending events that is searched for the first; run-ahead
 * against none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/often.h"
#include "timing/kernel.h"

static struct dice dice = {1};

static uint64_t pick(uint64_t limit)
{
    return dice_below(&dice, limit);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* --- processes that wake each other at random ------------------------------------------------- */

enum { ACTORS = 9, ACTS = 5, VISITS = 400, LOG = ACTORS * VISITS };

enum act_kind { ACT_WAKE, ACT_WAKE_BY, ACT_SLEEP, ACT_KINDS };

/* What a process does at one of its visits, once it runs: distances count from the cycle in which
 * it does so. */
struct act {
    enum act_kind kind;
    unsigned target;
    uint64_t distance;
    enum phase phase;
    const char *cause;
};

static struct act script[ACTORS][VISITS][ACTS];
static unsigned act_count[ACTORS][VISITS];
static const char *const causes[] = {"data", "port", "pace"};

static struct act random_act(void)
{
    static const uint64_t reach[] = {1, 2, 6, 40, 3 * QUEUE_SPAN, 1000000000000};
    return (struct act){.kind = pick(6) ? (enum act_kind)pick(2) : ACT_SLEEP,
                        .target = (unsigned)pick(ACTORS),
                        .distance = pick(reach[pick(sizeof reach / sizeof *reach)]),
                        .phase = (enum phase)pick(PHASE_COUNT),
                        .cause = causes[pick(3)]};
}

static void write_script(void)
{
    for (unsigned a = 0; a < ACTORS; a++)
        for (unsigned v = 0; v < VISITS; v++) {
            act_count[a][v] = 1 + (unsigned)pick(ACTS);
            for (unsigned i = 0; i < act_count[a][v]; i++)
                script[a][v][i] = random_act();
        }
}

/* Nothing is woken in a phase of this cycle that has passed. */
static uint64_t cycle_of(const struct act *act, uint64_t now, enum phase phase)
{
    return now + (act->distance == 0 && act->phase < phase ? 1 : act->distance);
}

struct happened {
    uint64_t cycle;
    enum phase phase;
    int wake, by; /* by -1: from outside */
    const char *cause;
};

/* --- the oracle ------------------------------------------------------------------------------- */

struct pending {
    bool set;
    uint64_t sequence;
    struct happened event;
};

struct plain {
    struct pending pending[ACTORS];
    unsigned visits[ACTORS];
    uint64_t sequence;
    struct happened log[LOG];
    size_t count;
};

static bool before(const struct pending *a, const struct pending *b)
{
    if (a->event.cycle != b->event.cycle)
        return a->event.cycle < b->event.cycle;
    if (a->event.phase != b->event.phase)
        return a->event.phase < b->event.phase;
    return a->sequence < b->sequence;
}

static void plain_act(struct plain *plain, const struct act *act, int by, uint64_t now,
                      enum phase phase)
{
    struct pending *old = &plain->pending[act->target];
    const struct pending new = {
        true,
        plain->sequence++,
        {cycle_of(act, now, phase), act->phase, (int)act->target, by, act->cause}};
    if (act->kind == ACT_SLEEP)
        old->set = false;
    else if (act->kind == ACT_WAKE || !old->set || before(&new, old))
        *old = new;
}

/* Takes the first of what is pending before `end`. False when there is none. */
static bool plain_step(struct plain *plain, uint64_t end)
{
    struct pending *first = NULL;
    for (unsigned a = 0; a < ACTORS; a++)
        if (plain->pending[a].set && (!first || before(&plain->pending[a], first)))
            first = &plain->pending[a];
    if (!first || first->event.cycle >= end)
        return false;
    const struct happened event = first->event;
    const unsigned a = (unsigned)event.wake, visit = plain->visits[a]++;
    first->set = false;
    plain->log[plain->count++] = event;
    for (unsigned i = 0; visit < VISITS && i < act_count[a][visit]; i++)
        plain_act(plain, &script[a][visit][i], event.wake, event.cycle, event.phase);
    return true;
}

/* --- the same with the kernel ----------------------------------------------------------------- */

struct actor {
    struct process process; /* first */
    unsigned number, visits;
};

static struct actor actors[ACTORS];
static enum phase phase_now; /* as the observer saw it */

struct seen {
    struct happened log[LOG];
    size_t count;
};

static int number_of(const struct process *process)
{
    return process ? (int)((const struct actor *)process)->number : -1;
}

static void observe(void *context, const struct event *event)
{
    struct seen *seen = context;
    assert_true(seen->count < LOG);
    assert_int_equal(event->number, seen->count);
    phase_now = event->phase;
    seen->log[seen->count++] = (struct happened){event->cycle, event->phase, number_of(event->wake),
                                                 number_of(event->by), event->cause};
}

static void do_act(struct kernel *kernel, const struct act *act, enum phase phase)
{
    struct process *target = &actors[act->target].process;
    const uint64_t cycle = cycle_of(act, kernel->now, phase);
    if (act->kind == ACT_SLEEP)
        kernel_sleep(kernel, target);
    else if (act->kind == ACT_WAKE)
        kernel_wake(kernel, target, cycle, act->phase, act->cause);
    else
        kernel_wake_by(kernel, target, cycle, act->phase, act->cause);
}

static void act_resume(struct process *process, struct kernel *kernel)
{
    struct actor *actor = (struct actor *)process;
    const unsigned visit = actor->visits++;
    kernel_count(kernel, 1);
    for (unsigned i = 0; visit < VISITS && i < act_count[actor->number][visit]; i++)
        do_act(kernel, &script[actor->number][visit][i], phase_now);
}

static void compare(const struct seen *seen, const struct plain *plain)
{
    assert_int_equal(seen->count, plain->count);
    for (size_t i = 0; i < seen->count; i++) {
        const struct happened *a = &seen->log[i], *b = &plain->log[i];
        assert_int_equal(a->cycle, b->cycle);
        assert_int_equal(a->phase, b->phase);
        assert_int_equal(a->wake, b->wake);
        assert_int_equal(a->by, b->by);
        assert_string_equal(a->cause, b->cause);
    }
}

/* Runs in pieces, by budget and up to cycles; between them processes are woken from outside. */
static void agrees_with_a_list(void **unused)
{
    (void)unused;
    static struct plain plain;
    static struct seen seen;
    size_t most = 0;
    for (size_t round = 0; round < often(60); round++) {
        struct kernel kernel;
        assert_int_equal(kernel_init(&kernel, ACTORS, round & 1), 0);
        kernel.observe = observe;
        kernel.context = &seen;
        memset(&plain, 0, sizeof plain);
        memset(&seen, 0, sizeof seen);
        write_script();
        for (unsigned a = 0; a < ACTORS; a++)
            actors[a] = (struct actor){.process.resume = act_resume, .number = a};
        for (bool more = true; more && seen.count < LOG / 2;) {
            for (unsigned i = (unsigned)pick(3) + (seen.count == 0); i > 0; i--) {
                struct act act = random_act();
                act.distance++;
                do_act(&kernel, &act, 0);
                plain_act(&plain, &act, -1, kernel.now, 0);
            }
            if (pick(2)) {
                const size_t first = seen.count, budget = 1 + pick(40);
                more = kernel_run(&kernel, budget);
                assert_true(seen.count - first <= budget);
                assert_true(!more || seen.count > first);
                while (plain.count < seen.count)
                    assert_true(plain_step(&plain, UINT64_MAX));
            } else {
                const uint64_t end = kernel.now + pick(pick(4) ? 30 : 5000);
                kernel_run_until(&kernel, end);
                while (plain_step(&plain, end))
                    ;
                assert_true(kernel.now <= later(end, 1));
            }
            compare(&seen, &plain);
        }
        assert_null(kernel.broken);
        assert_int_equal(kernel.events, seen.count);
        assert_int_equal(kernel.wakes, seen.count);
        most = seen.count > most ? seen.count : most;
        kernel_free(&kernel);
    }
    assert_true(most > 1000);
}

/* --- run-ahead -------------------------------------------------------------------------------- */

/* Two streams, each with statements of its own and with some that read and change what both share.
 * The left one comes first in a cycle. Now and then a stream waits until the other one has done so
 * many of its shared statements. */
enum { STATEMENTS = 300 };

struct stmt {
    uint64_t cycles;
    bool shared;
    uint64_t waits_for; /* shared statements that the other must have done */
};

struct box {
    uint64_t word;
    struct stream *streams[2];
};

struct stream {
    struct process process; /* first */
    struct box *box;
    const struct stmt *stmts;
    unsigned side;
    size_t next;
    uint64_t now, private, shared_done;
    uint64_t begun[STATEMENTS], read[STATEMENTS];
    bool waits;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * 0x9e3779b97f4a7c15u + (a >> 29);
}

static enum phase phase_of(const struct stream *stream)
{
    return stream->side ? PHASE_GRANT : PHASE_ISSUE;
}

/* The other one changes nothing before it wakes; while it waits, only this one wakes it. */
static uint64_t other_wakes(const struct process *process, const struct kernel *kernel)
{
    (void)kernel;
    const struct stream *stream = (const struct stream *)process;
    const struct process *other = &stream->box->streams[!stream->side]->process;
    return other->pending ? other->wake_at : UINT64_MAX;
}

static void do_statement(struct stream *stream, struct kernel *kernel)
{
    const struct stmt *stmt = &stream->stmts[stream->next];
    struct stream *other = stream->box->streams[!stream->side];
    stream->begun[stream->next] = stream->now;
    if (stmt->shared) {
        stream->read[stream->next] = stream->box->word;
        stream->box->word = mix(stream->box->word, stream->now + stream->side);
        stream->private = mix(stream->private, stream->box->word);
        stream->shared_done++;
        if (other->waits && stream->shared_done >= other->stmts[other->next].waits_for) {
            other->waits = false;
            other->now = later(other->now, stream->now + (other->side < stream->side));
            kernel_wake(kernel, &other->process, other->now, phase_of(other), "shared");
        }
    } else {
        stream->private = mix(stream->private, stream->now);
    }
    stream->now += stmt->cycles;
    stream->next++;
    kernel_count(kernel, 1);
}

static void stream_resume(struct process *process, struct kernel *kernel)
{
    struct stream *stream = (struct stream *)process;
    const struct stream *other = stream->box->streams[!stream->side];
    while (stream->next < STATEMENTS) {
        const struct stmt *stmt = &stream->stmts[stream->next];
        if (kernel_exhausted(kernel) ||
            (stream->now > kernel->now && stream->now >= kernel_horizon(kernel, process))) {
            kernel_wake(kernel, process, stream->now, phase_of(stream), "next");
            return;
        }
        if (stmt->waits_for > other->shared_done) {
            stream->waits = true;
            return;
        }
        do_statement(stream, kernel);
    }
}

static void write_statements(struct stmt (*stmts)[STATEMENTS])
{
    uint64_t shared[2] = {0, 0};
    for (size_t i = 0; i < STATEMENTS; i++)
        for (unsigned side = 0; side < 2; side++) {
            struct stmt *stmt = &stmts[side][i];
            *stmt = (struct stmt){.cycles = pick(5) ? 1 + pick(4) : pick(60), .shared = !pick(6)};
            if (!pick(12)) /* what the other does earlier in its text: nobody waits for ever */
                stmt->waits_for = shared[!side];
            shared[side] += stmt->shared;
        }
}

/* The same without a kernel: whoever has the least cycle and can go does one statement. */
static void plain_streams(struct stmt (*stmts)[STATEMENTS], struct stream *streams)
{
    uint64_t word = 1;
    for (;;) {
        struct stream *first = NULL;
        for (unsigned side = 0; side < 2; side++) {
            struct stream *s = &streams[side];
            if (s->next == STATEMENTS ||
                stmts[side][s->next].waits_for > streams[!side].shared_done)
                continue;
            if (!first || s->now < first->now)
                first = s;
        }
        if (!first)
            return;
        const unsigned side = (unsigned)(first - streams);
        struct stream *other = &streams[!side];
        const bool waited =
            other->next < STATEMENTS && stmts[!side][other->next].waits_for > first->shared_done;
        const struct stmt *stmt = &stmts[side][first->next];
        first->begun[first->next] = first->now;
        if (stmt->shared) {
            first->read[first->next] = word;
            word = mix(word, first->now + side);
            first->shared_done++;
            if (waited && stmts[!side][other->next].waits_for <= first->shared_done)
                other->now = later(other->now, first->now + (side == 1));
        }
        first->now += stmt->cycles;
        first->next++;
    }
}

static void run_streams(struct stmt (*stmts)[STATEMENTS], bool run_ahead, struct stream *streams,
                        struct kernel *kernel)
{
    struct box box = {.word = 1, .streams = {&streams[0], &streams[1]}};
    assert_int_equal(kernel_init(kernel, 2, run_ahead), 0);
    for (unsigned side = 0; side < 2; side++) {
        streams[side] =
            (struct stream){.process = {.resume = stream_resume, .horizon = other_wakes},
                            .box = &box,
                            .stmts = stmts[side],
                            .side = side};
        kernel_wake(kernel, &streams[side].process, 0, phase_of(&streams[side]), "start");
    }
    while (kernel_run(kernel, 1 + pick(50)))
        ;
    assert_null(kernel->broken);
}

static void run_ahead_changes_nothing(void **unused)
{
    (void)unused;
    static struct stmt stmts[2][STATEMENTS];
    static struct stream plain[2], near[2], far[2];
    uint64_t near_wakes = 0, far_wakes = 0;
    for (size_t round = 0; round < often(150); round++) {
        struct kernel off, on;
        write_statements(stmts);
        memset(plain, 0, sizeof plain);
        plain_streams(stmts, plain);
        run_streams(stmts, false, near, &off);
        run_streams(stmts, true, far, &on);
        assert_int_equal(off.events, 2 * STATEMENTS);
        assert_int_equal(on.events, 2 * STATEMENTS);
        for (unsigned side = 0; side < 2; side++) {
            assert_int_equal(plain[side].next, STATEMENTS);
            assert_int_equal(far[side].private, near[side].private);
            assert_memory_equal(near[side].begun, plain[side].begun, sizeof near[side].begun);
            assert_memory_equal(far[side].begun, plain[side].begun, sizeof far[side].begun);
            assert_memory_equal(near[side].read, plain[side].read, sizeof near[side].read);
            assert_memory_equal(far[side].read, plain[side].read, sizeof far[side].read);
        }
        near_wakes += off.wakes;
        far_wakes += on.wakes;
        kernel_free(&off);
        kernel_free(&on);
    }
    assert_true(far_wakes < near_wakes / 2);
}

static uint64_t horizon_of_ten(const struct process *process, const struct kernel *kernel)
{
    (void)process;
    (void)kernel;
    return 10;
}

static uint64_t horizons[2];

static void note_horizon(struct process *process, struct kernel *kernel)
{
    horizons[kernel->now >= 10] = kernel_horizon(kernel, process);
    if (kernel->now == 3)
        kernel_wake(kernel, process, 12, PHASE_ISSUE, "again");
}

/* The rule of the process where it lies later than the next cycle; without a rule, or without
 * run-ahead, the next cycle. */
static void the_horizon(void **unused)
{
    (void)unused;
    for (unsigned on = 0; on < 2; on++)
        for (unsigned rule = 0; rule < 2; rule++) {
            struct kernel kernel;
            struct process process = {.resume = note_horizon,
                                      .horizon = rule ? horizon_of_ten : NULL};
            assert_int_equal(kernel_init(&kernel, 1, on), 0);
            kernel_wake(&kernel, &process, 3, PHASE_ISSUE, "start");
            assert_false(kernel_run(&kernel, 100));
            assert_int_equal(horizons[0], on && rule ? 10 : 4);
            assert_int_equal(horizons[1], 13);
            kernel_free(&kernel);
        }
}

/* --- budget ----------------------------------------------------------------------------------- */

struct worker {
    struct process process; /* first */
    unsigned left, turns;
    uint64_t each, spends;
};

/* Does its work in one event, and comes back where it stands once the budget is used up. */
static void work(struct process *process, struct kernel *kernel)
{
    struct worker *worker = (struct worker *)process;
    worker->turns++;
    while (worker->left && !kernel_exhausted(kernel)) {
        worker->left--;
        if (worker->spends)
            kernel_spend(kernel, worker->spends);
        else
            kernel_count(kernel, worker->each);
    }
    if (worker->left)
        kernel_wake(kernel, process, kernel->now, PHASE_ISSUE, "budget");
}

static void the_budget(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct worker worker = {.process.resume = work, .left = 100, .each = 3};
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    assert_false(kernel_run(&kernel, 5)); /* nobody was woken */
    kernel_wake(&kernel, &worker.process, 7, PHASE_ISSUE, "start");
    assert_true(kernel_run(&kernel, 40));
    assert_true(worker.left >= 60 && worker.left < 70); /* about so many things */
    assert_int_equal(kernel.now, 7);
    assert_false(kernel_run(&kernel, 1000));
    assert_int_equal(worker.left, 0);
    assert_int_equal(worker.turns, 2);
    assert_int_equal(kernel.events, 300); /* however the budget cut them */

    /* What is spent does not count; more than is left leaves nothing. */
    worker = (struct worker){.process.resume = work, .left = 100, .spends = 7};
    kernel_wake(&kernel, &worker.process, 7, PHASE_ISSUE, "start");
    assert_true(kernel_run(&kernel, 40));
    assert_true(worker.left >= 94 && worker.left < 96);
    while (kernel_run(&kernel, 40))
        assert_true(worker.left < 96);
    assert_int_equal(kernel.events, 300);
    kernel_free(&kernel);
}

/* kernel_run_until has no budget, whatever was left of another one. */
static void until_has_no_budget(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct worker worker = {.process.resume = work, .left = 100, .each = 1};
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    kernel_wake(&kernel, &worker.process, 7, PHASE_ISSUE, "start");
    assert_true(kernel_run(&kernel, 10));
    kernel_run_until(&kernel, 7);
    assert_true(worker.left > 0);
    kernel_run_until(&kernel, 8);
    assert_int_equal(worker.left, 0);
    kernel_free(&kernel);
}

/* --- broken invariants ------------------------------------------------------------------------ */

static void into_the_past(struct process *process, struct kernel *kernel)
{
    if (kernel->now == 5)
        kernel_wake(kernel, process, 4, PHASE_GRANT, "past");
}

static void into_a_phase_that_has_passed(struct process *process, struct kernel *kernel)
{
    if (kernel->now == 5)
        kernel_wake(kernel, process, 5, PHASE_NOTICE, "past");
}

/* It stops the run, and stays. */
static void the_past_is_broken(void **unused)
{
    (void)unused;
    void (*const ways[])(struct process *, struct kernel *) = {into_the_past,
                                                               into_a_phase_that_has_passed};
    for (unsigned i = 0; i < 2; i++) {
        struct kernel kernel;
        struct process bad = {.resume = ways[i]}, good = {.resume = ways[i]};
        assert_int_equal(kernel_init(&kernel, 2, true), 0);
        kernel_wake(&kernel, &bad, 5, PHASE_ISSUE, "start");
        kernel_wake(&kernel, &good, 9, PHASE_ISSUE, "start");
        assert_false(kernel_run(&kernel, 100));
        assert_non_null(kernel.broken);
        assert_int_equal(kernel.now, 5);
        assert_false(kernel_run(&kernel, 100));
        assert_int_equal(kernel.wakes, 1);
        kernel_free(&kernel);
    }
}

static void too_many_are_broken(void **unused)
{
    (void)unused;
    struct kernel kernel;
    struct process first = {.resume = into_the_past}, second = {.resume = into_the_past};
    assert_int_equal(kernel_init(&kernel, 1, true), 0);
    kernel_wake(&kernel, &first, 6, PHASE_ISSUE, "start");
    kernel_wake(&kernel, &first, 7, PHASE_ISSUE, "replaced");
    assert_null(kernel.broken);
    kernel_wake(&kernel, &second, 6, PHASE_ISSUE, "start");
    assert_non_null(kernel.broken);
    assert_false(kernel_run(&kernel, 100));
    kernel_free(&kernel);
    assert_int_equal(kernel_init(&kernel, SIZE_MAX, true), -1);
}

/* --- the list of events ----------------------------------------------------------------------- */

struct named {
    struct process process; /* first */
    const char *name;
    struct process *wakes;
};

static void describe(const struct process *process, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const struct named *)process)->name);
}

static void wake_other(struct process *process, struct kernel *kernel)
{
    struct process *other = ((const struct named *)process)->wakes;
    if (other)
        kernel_wake(kernel, other, kernel->now + 2000, PHASE_ARRIVE, "ports are free");
}

static void prints_a_line(void **unused)
{
    (void)unused;
    struct kernel kernel;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    struct named second = {
        {.resume = wake_other, .describe = describe}, "transfer 3 (line 12)", NULL};
    struct named first = {{.resume = wake_other, .describe = describe}, "stream", &second.process};
    assert_int_equal(kernel_init(&kernel, 2, true), 0);
    kernel.observe = kernel_print_event;
    kernel.context = out;
    kernel_wake(&kernel, &first.process, 41, PHASE_ISSUE, "start");
    assert_false(kernel_run(&kernel, 10));
    fclose(out);
    assert_string_equal(text, "        41 issue  stream <- start: start\n"
                              "      2041 arrive transfer 3 (line 12) <- stream: ports are free\n");
    free(text);
    kernel_free(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_list),  cmocka_unit_test(run_ahead_changes_nothing),
        cmocka_unit_test(the_horizon),         cmocka_unit_test(the_budget),
        cmocka_unit_test(until_has_no_budget), cmocka_unit_test(the_past_is_broken),
        cmocka_unit_test(too_many_are_broken), cmocka_unit_test(prints_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
