/*
 * path_slack and path_critical against a model of their own that goes cycle by cycle: the slack of
 * a statement is never larger than what the model bears when the statement is delayed, and the
 * critical path tiles the run with rows that the model bears out.
 *
 *   streams   one stream of steps, waits for tags, minimal distances, and activities of many
 *             operations that share units
 *   threads   several streams of single operations with results in places, sharing units
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
#include "timing/path.h"

enum { UNITS = 4, ITEMS = 24, TAGS = 4, ISSUER = UNITS, LATEST = 1 << 14 };

static struct dice dice = {17};

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

static unsigned most(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* --- one stream with activities --------------------------------------------------------------- */

enum kind { STEP, WAIT, START };

struct item {
    enum kind kind;
    unsigned tag;                    /* that is waited for, or carried */
    unsigned units, ops, pace, hold; /* of an activity */
    bool pinned;                     /* it goes by the clock */
    int behind; /* an earlier item, so many cycles after which this one may issue at the earliest */
    unsigned distance;
};

struct stream {
    struct item items[ITEMS];
    unsigned count, quantum, start, notice, longest; /* longest: of all distances */
};

/* What the model saw, and the records of path. */
struct run {
    unsigned total;
    unsigned issued[ITEMS], stalled[ITEMS]; /* stalled: from when */
    unsigned finished[ITEMS];
};

struct flight {
    unsigned item, next, done, finished;
    bool active, sent;
    uint64_t record;
};

struct state {
    const struct stream *stream;
    struct run *run;
    struct path *path; /* or NULL */
    struct path_stream *facts;
    struct flight flights[ITEMS];
    unsigned count, unit_free[UNITS], holder[UNITS];
    uint64_t newest[TAGS];
};

static void send(struct state *s, struct flight *f, unsigned t)
{
    const struct item *item = &s->stream->items[f->item];
    unsigned by = ITEMS, unit = 0;
    for (unsigned u = 0; u < UNITS; u++) {
        if (!(item->units >> u & 1))
            continue;
        if (s->unit_free[u] == t && s->holder[u] != f->item) {
            by = s->holder[u];
            unit = u;
        }
        s->unit_free[u] = t + item->hold;
        s->holder[u] = f->item;
    }
    if (s->path && t > f->next) {
        struct path_hold hold = {.by = PATH_NONE, .unit = unit, .from = f->next, .at = t};
        hold.reason = by == ITEMS ? REASON_MEMORY : REASON_PORT;
        hold.waited = t - f->next;
        for (unsigned i = 0; i < s->count; i++)
            if (by != ITEMS && s->flights[i].item == by)
                hold.by = s->flights[i].record;
        path_held(s->path, f->record, &hold);
    }
    f->next = t + item->pace;
    if (++f->done < item->ops)
        return;
    f->sent = true;
    f->finished = f->next + s->stream->notice;
    s->run->finished[f->item] = f->finished;
    if (s->path)
        path_end(s->path, f->record, f->next, f->finished);
}

/* The operations of a cycle: those that wait longest first, then in order of issue. */
static void serve(struct state *s, unsigned t)
{
    for (;;) {
        struct flight *best = NULL;
        for (unsigned i = 0; i < s->count; i++) {
            struct flight *f = &s->flights[i];
            const struct item *item = &s->stream->items[f->item];
            bool can = !f->sent && f->next <= t && (!best || f->next < best->next);
            for (unsigned u = 0; u < UNITS; u++)
                can &= !(item->units >> u & 1) || s->unit_free[u] <= t;
            if (can && !(item->pinned && t % 13 < 5))
                best = f;
        }
        if (!best)
            return;
        send(s, best, t);
    }
}

static struct path_record record_of(const struct state *s, unsigned i, unsigned from, unsigned now)
{
    (void)s;
    return (struct path_record){.start = from,
                                .end = now,
                                .released = now,
                                .by = PATH_NONE,
                                .waited = PATH_NONE,
                                .older = PATH_NONE,
                                .ordinal = i,
                                .stmt = i};
}

static void begin_activity(struct state *s, unsigned i, unsigned from, unsigned now)
{
    const struct item *item = &s->stream->items[i];
    struct flight *f = &s->flights[s->count];
    *f = (struct flight){.item = i, .next = now + s->stream->start};
    if (s->path) {
        struct path_record record = record_of(s, i, from, now);
        record.reason = from < now ? REASON_DATA : 0;
        record.active = record.rigid = true;
        record.pinned = item->pinned;
        record.tag = (uint8_t)item->tag;
        record.units = item->units;
        record.unit = (uint32_t)__builtin_ctz(item->units);
        record.claimed = f->next;
        record.older = s->newest[item->tag];
        f->record = path_issue(s->path, &record);
        s->newest[item->tag] = f->record;
        for (unsigned k = 0; k < s->count; k++)
            if ((!s->flights[k].sent || s->flights[k].next > f->next) &&
                s->stream->items[s->flights[k].item].units & item->units)
                path_meet(s->path, s->flights[k].record, f->record);
    }
    s->count++;
}

/* Whether a wait for the tag is over; then it is recorded. */
static bool wait_over(struct state *s, unsigned i, unsigned from, unsigned now)
{
    const unsigned tag = s->stream->items[i].tag;
    const struct flight *last = NULL;
    for (unsigned k = 0; k < s->count; k++) {
        const struct flight *f = &s->flights[k];
        if (s->stream->items[f->item].tag != tag || f->active)
            continue;
        if (!f->sent || f->finished > now)
            return false;
        if (!last || f->finished > last->finished)
            last = f;
    }
    for (unsigned k = 0; k < s->count; k++)
        s->flights[k].active |= s->stream->items[s->flights[k].item].tag == tag;
    if (last && s->path) {
        struct path_record record = record_of(s, i, from, now);
        record.reason = REASON_DATA;
        record.tag = (uint8_t)tag;
        record.absorbs = true;
        record.by = last->record;
        record.released = last->finished;
        record.waited = s->newest[tag];
        path_issue(s->path, &record);
    }
    s->newest[tag] = PATH_NONE;
    return true;
}

/* The run of the stream with item `late` later by `delay`. */
static void simulate(const struct stream *stream, unsigned late, unsigned delay, struct run *run,
                     struct path *path, struct path_stream *facts)
{
    struct state s = {.stream = stream, .run = run, .path = path, .facts = facts};
    unsigned i = 0, now = 0, from = 0; /* from: when the stream came to item i */
    bool arrived = false;
    *run = (struct run){0};
    for (unsigned tag = 0; tag < TAGS; tag++)
        s.newest[tag] = PATH_NONE;
    for (unsigned t = 0; t < LATEST; t++) {
        while (i < stream->count && now <= t) {
            const struct item *item = &stream->items[i];
            if (!arrived) {
                arrived = true;
                if (i == late)
                    now += delay;
                from = now;
                if (now > t)
                    break;
            }
            if (item->kind == WAIT && !wait_over(&s, i, from, now)) {
                now += stream->quantum;
                break;
            }
            if (item->behind >= 0 && run->issued[item->behind] + item->distance > now) {
                now += stream->quantum;
                break;
            }
            run->stalled[i] = from;
            run->issued[i] = now;
            if (item->kind == START)
                begin_activity(&s, i, from, now);
            else if (path && from < now && item->kind == STEP) {
                struct path_record record = record_of(&s, i, from, now);
                record.reason = REASON_DATA;
                path_issue(path, &record);
            }
            now += item->kind == START ? 0 : stream->quantum;
            arrived = false;
            i++;
            if (facts) {
                facts->now = now;
                facts->ordinal = i;
            }
        }
        serve(&s, t);
        bool idle = i == stream->count;
        for (unsigned k = 0; k < s.count; k++)
            idle &= s.flights[k].sent;
        if (idle)
            break;
    }
    run->total = now;
    for (unsigned k = 0; k < s.count; k++)
        run->total = most(run->total, s.flights[k].finished);
}

/* An earlier step or wait, or -1. */
static int step_before(const struct stream *stream, unsigned i)
{
    const unsigned back = 1 + pick(5);
    return back <= i && stream->items[i - back].kind != START ? (int)(i - back) : -1;
}

/* In most streams a long activity on a unit of its own is waited for at the end: the others have
 * some slack. */
static void draw_stream(struct stream *stream)
{
    const bool distances = pick(3) == 0, clocks = pick(4) == 0, ample = pick(4) != 0;
    const unsigned units = 1 + pick(UNITS - 1), tags = 1 + pick(TAGS - 1);
    *stream = (struct stream){.count = 5 + pick(ITEMS - 5),
                              .quantum = pick(2) ? 4 : 1,
                              .start = pick(3) * 5,
                              .notice = pick(2) * 3};
    for (unsigned i = 0; i < stream->count; i++) {
        struct item *item = &stream->items[i];
        const unsigned kind = pick(8);
        *item = (struct item){.kind = kind < 3 ? START : kind < 5 ? WAIT : STEP, .behind = -1};
        item->tag = pick(tags);
        if (item->kind == START) {
            item->units = 1u << pick(units) | (pick(3) ? 0 : 1u << pick(units));
            item->ops = 1 + pick(6);
            item->pace = 1 + pick(6);
            item->hold = 1 + pick(item->pace);
            item->pinned = clocks && pick(3) == 0;
        } else if (distances && item->kind == STEP && pick(2)) {
            item->behind = step_before(stream, i);
            item->distance = stream->quantum * (1 + pick(6));
            if (item->behind >= 0)
                stream->longest = most(stream->longest, item->distance);
        }
    }
    if (!ample)
        return;
    stream->items[0] = (struct item){.kind = START,
                                     .tag = TAGS - 1,
                                     .units = 1u << (UNITS - 1),
                                     .ops = 40 + pick(100),
                                     .pace = 1,
                                     .hold = 1,
                                     .behind = -1};
    stream->items[stream->count - 1] = (struct item){.kind = WAIT, .tag = TAGS - 1, .behind = -1};
    for (unsigned i = 1; i < stream->count; i++)
        if (stream->items[i].behind == 0)
            stream->items[i].behind = -1;
}

static void tell_stream(const struct stream *stream)
{
    print_message("quantum %u start %u notice %u\n", stream->quantum, stream->start,
                  stream->notice);
    for (unsigned i = 0; i < stream->count; i++) {
        const struct item *item = &stream->items[i];
        print_message("%2u %s tag %u", i, (const char *[]){"step", "wait", "start"}[item->kind],
                      item->tag);
        if (item->kind == START)
            print_message(" units %x ops %u pace %u hold %u%s", item->units, item->ops, item->pace,
                          item->hold, item->pinned ? " pinned" : "");
        if (item->behind >= 0)
            print_message(" %u behind %d", item->distance, item->behind);
        print_message("\n");
    }
}

/* Rows tile the run, and in each cycle of a row its unit was at it. */
static void check_critical(const struct stream *stream, const struct run *run,
                           const struct path *path)
{
    struct sink_crit *rows;
    size_t count;
    assert_int_equal(path_critical(path, run->total, &rows, &count), 0);
    uint64_t at = 0;
    for (size_t r = 0; r < count; r++) {
        const struct sink_crit *row = &rows[r];
        const uint64_t end = row->start + row->duration;
        assert_int_equal(row->start, at);
        assert_true(row->duration > 0);
        at = end;
        if (row->unit == ISSUER && row->reason == REASON_BUSY) {
            for (unsigned i = 0; i < stream->count; i++) /* the stream never stalled in it */
                assert_true(run->stalled[i] == run->issued[i] || run->issued[i] <= row->start ||
                            run->stalled[i] >= end);
        } else if (row->unit == ISSUER) {
            assert_true(run->stalled[row->first_stmt] <= row->start &&
                        end <= run->issued[row->first_stmt]);
        } else { /* in flight */
            assert_int_equal(stream->items[row->first_stmt].kind, START);
            assert_true(run->issued[row->first_stmt] <= row->start &&
                        end <= run->finished[row->first_stmt]);
        }
    }
    assert_int_equal(at, run->total);
    free(rows);
}

struct tally {
    unsigned statements, with, exact;
};

static void print_tally(const struct tally *tally)
{
    print_message("%u statements, %u with slack; %u have all that there is\n", tally->statements,
                  tally->with, tally->exact);
}

static void streams(void **unused)
{
    (void)unused;
    struct tally tally = {0};
    for (unsigned round = 0; round < often(4000); round++) {
        struct stream stream;
        draw_stream(&stream);
        struct path_stream facts = {
            .unit = ISSUER, .quantum = stream.quantum, .near = stream.longest};
        const struct path_config config = {
            .streams = &facts, .stream_count = 1, .stmt_count = stream.count};
        struct path path;
        struct run run, other;
        assert_int_equal(path_init(&path, &config), 0);
        simulate(&stream, 0, 0, &run, &path, &facts);
        check_critical(&stream, &run, &path);
        struct sink_slack *rows;
        size_t count;
        assert_int_equal(path_slack(&path, run.total, &rows, &count), 0);
        unsigned next = 0;
        for (size_t r = 0; r < count; r++)
            for (unsigned i = rows[r].first_stmt; i <= rows[r].last_stmt; i++) {
                assert_int_equal(i, next++);
                const unsigned slack = (unsigned)rows[r].slack;
                tally.statements++;
                tally.with += slack > 0;
                for (unsigned d = stream.quantum;; d += stream.quantum) {
                    simulate(&stream, i, d, &other, NULL, NULL);
                    if (other.total <= run.total && d <= slack)
                        continue;
                    if (d <= slack) {
                        tell_stream(&stream);
                        fail_msg("round %u: item %u has a slack of %u, but %u makes %u of %u",
                                 round, i, slack, d, other.total, run.total);
                    }
                    tally.exact += other.total > run.total;
                    break;
                }
            }
        assert_int_equal(next, stream.count);
        free(rows);
        path_free(&path);
    }
    print_tally(&tally);
    assert_true(5 * tally.exact > 2 * tally.statements);
}

/* A record that says it was let go by itself, or by who waits for it: the path ends all the same,
 * and its rows tile the run. */
static void circles(void **unused)
{
    (void)unused;
    for (uint64_t by = 0; by < 2; by++) {
        struct path_stream facts = {.unit = ISSUER, .quantum = 1};
        const struct path_config config = {.streams = &facts, .stream_count = 1, .stmt_count = 2};
        struct path path;
        struct sink_crit *rows;
        size_t count;
        uint64_t at = 0;
        assert_int_equal(path_init(&path, &config), 0);
        for (uint32_t i = 0; i < 2; i++) {
            const struct path_record record = {.start = 10 * i,
                                               .end = 10 * i + 9,
                                               .released = 10 * i + 9,
                                               .by = i ? by : 1,
                                               .waited = PATH_NONE,
                                               .ordinal = i,
                                               .stmt = i,
                                               .older = PATH_NONE,
                                               .reason = REASON_DATA};
            path_issue(&path, &record);
        }
        facts.now = 20;
        facts.ordinal = 2;
        assert_int_equal(path_critical(&path, 20, &rows, &count), 0);
        for (size_t r = 0; r < count; r++) {
            assert_int_equal(rows[r].start, at);
            at += rows[r].duration;
        }
        assert_int_equal(at, 20);
        free(rows);
        path_free(&path);
    }
}

/* --- several streams of single operations ----------------------------------------------------- */

enum { THREADS = 4, PLACES = 5, OPS = 10, NO_UNIT = UNITS };

struct op {
    unsigned unit, interval, latency, cpu;
    uint64_t reads, writes;
};

struct threads {
    struct op ops[THREADS * OPS]; /* OPS a thread, of which it has count */
    unsigned count[THREADS], threads;
};

/* Where a thread stands. */
struct runner {
    unsigned next, order, held; /* held: it may not go before, on account of the delay */
    unsigned ready[PLACES];
};

static const struct op *op_of(const struct threads *program, unsigned thread, unsigned index)
{
    return &program->ops[thread * OPS + index];
}

static void op_shape(const void *context, uint32_t stmt, struct path_shape *shape)
{
    const struct op *op = &((const struct threads *)context)->ops[stmt];
    *shape = (struct path_shape){op->latency, &op->reads, &op->writes};
}

static unsigned ready_from(const struct runner *runner, const struct op *op)
{
    unsigned ready = most(runner->order, runner->held);
    for (unsigned p = 0; p < PLACES; p++)
        if (op->reads >> p & 1)
            ready = most(ready, runner->ready[p]);
        else if ((op->writes >> p & 1) && runner->ready[p] > op->latency)
            ready = most(ready, runner->ready[p] - op->latency);
    return ready;
}

static void record_op(const struct runner *runner, uint32_t thread, const struct op *op,
                      struct path *path, struct path_stream *facts, unsigned t)
{
    const unsigned ready = ready_from(runner, op);
    const struct path_record record = {.start = runner->order,
                                       .end = t,
                                       .released = t,
                                       .by = PATH_NONE,
                                       .waited = PATH_NONE,
                                       .older = PATH_NONE,
                                       .ordinal = runner->next,
                                       .stream = thread,
                                       .stmt = thread * OPS + runner->next,
                                       .reason = t > runner->order ? REASON_DATA : 0,
                                       .absorbs = true,
                                       .active = true,
                                       .units = op->unit == NO_UNIT ? 0 : UINT64_C(1) << op->unit,
                                       .claimed = ready};
    const uint64_t number = path_issue(path, &record);
    path_end(path, number, t + op->interval, t + most(op->latency, op->interval));
    facts[thread].now = t + op->cpu;
    facts[thread].ordinal = runner->next + 1;
}

/* Returns the total with operation `late` issued later by `delay`. */
static unsigned run_threads(const struct threads *program, unsigned late, unsigned delay,
                            struct path *path, struct path_stream *facts)
{
    struct runner runners[THREADS] = {{0}};
    unsigned unit_free[UNITS] = {0}, total = 0, left = 0;
    for (unsigned i = 0; i < program->threads; i++)
        left += program->count[i];
    for (unsigned t = 0; left; t++)
        for (;;) { /* who came first goes first */
            unsigned best = THREADS;
            for (unsigned i = 0; i < program->threads; i++) {
                const struct op *op = op_of(program, i, runners[i].next);
                if (runners[i].next < program->count[i] && ready_from(&runners[i], op) <= t &&
                    (op->unit == NO_UNIT || unit_free[op->unit] <= t) &&
                    (best == THREADS || runners[i].order < runners[best].order))
                    best = i;
            }
            if (best == THREADS)
                break;
            struct runner *runner = &runners[best];
            const struct op *op = op_of(program, best, runner->next);
            if (delay && late == best * OPS + runner->next && !runner->held) {
                runner->held = t + delay;
                continue;
            }
            if (path)
                record_op(runner, best, op, path, facts, t);
            if (op->unit != NO_UNIT)
                unit_free[op->unit] = t + op->interval;
            for (unsigned p = 0; p < PLACES; p++)
                if (op->writes >> p & 1)
                    runner->ready[p] = t + op->latency;
            total = most(total, t + most(op->cpu, most(op->latency, op->interval)));
            runner->order = t + op->cpu;
            runner->held = 0;
            runner->next++;
            left--;
        }
    return total;
}

static void draw_threads(struct threads *program)
{
    *program = (struct threads){.threads = 1 + pick(THREADS)};
    for (unsigned i = 0; i < program->threads; i++) {
        program->count[i] = 1 + pick(OPS);
        for (unsigned k = 0; k < program->count[i]; k++) {
            struct op *op = &program->ops[i * OPS + k];
            op->unit = pick(4) ? pick(2) : NO_UNIT;
            op->interval = op->unit == NO_UNIT ? 0 : 1 + pick(4);
            op->latency = 1 + pick(9);
            op->cpu = 1 + pick(3);
            op->reads = UINT64_C(1) << pick(PLACES) & (pick(2) ? 0 : UINT64_MAX);
            op->writes = UINT64_C(1) << pick(PLACES);
        }
    }
}

static void tell_threads(const struct threads *program)
{
    for (unsigned i = 0; i < program->threads; i++)
        for (unsigned k = 0; k < program->count[i]; k++) {
            const struct op *op = op_of(program, i, k);
            print_message("%2u unit %u for %u, latency %u, cpu %u, reads %x writes %x\n",
                          i * OPS + k, op->unit, op->interval, op->latency, op->cpu,
                          (unsigned)op->reads, (unsigned)op->writes);
        }
}

static void threads(void **unused)
{
    (void)unused;
    struct tally tally = {0};
    for (unsigned round = 0; round < often(4000); round++) {
        struct threads program;
        draw_threads(&program);
        struct path_stream facts[THREADS];
        for (unsigned i = 0; i < THREADS; i++)
            facts[i] = (struct path_stream){.unit = UNITS + i, .quantum = 1, .first = i * OPS};
        const struct path_config config = {.streams = facts,
                                           .stream_count = program.threads,
                                           .stmt_count = THREADS * OPS,
                                           .places = PLACES,
                                           .shape = op_shape,
                                           .context = &program};
        struct path path;
        assert_int_equal(path_init(&path, &config), 0);
        const unsigned total = run_threads(&program, 0, 0, &path, facts);
        struct sink_slack *rows;
        size_t count;
        assert_int_equal(path_slack(&path, total, &rows, &count), 0);
        for (size_t r = 0; r < count; r++)
            for (unsigned i = rows[r].first_stmt; i <= rows[r].last_stmt; i++) {
                const unsigned slack = (unsigned)rows[r].slack;
                tally.statements++;
                tally.with += slack > 0;
                for (unsigned d = 1;; d++) {
                    const unsigned other = run_threads(&program, i, d, NULL, NULL);
                    if (other <= total && d <= slack)
                        continue;
                    if (d <= slack) {
                        tell_threads(&program);
                        fail_msg("round %u: operation %u has a slack of %u, but %u makes %u of %u",
                                 round, i, slack, d, other, total);
                    }
                    tally.exact += other > total;
                    break;
                }
            }
        free(rows);
        path_free(&path);
    }
    print_tally(&tally);
    assert_true(tally.exact > tally.statements / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(circles), cmocka_unit_test(streams),
                                       cmocka_unit_test(threads)};
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
