/* The event-driven model against a slow one that looks at every cycle: for random programs of
 * several threads the same total and the same work on every unit. Written from
 * functional/amx/README.md alone: it shares the parser with the model and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/amx/program.h"
#include "tests/amx/random_program.h"
#include "tests/amx/recording.h"
#include "tests/event_list.h"
#include "tests/often.h"

/* Numbers other than the chip's, so that none can be mistaken for another. */
static const char *sets[] = {"result_latency=5",
                             "interval_f32=1",
                             "interval_f64=2",
                             "interval_16=3",
                             "interval_16_f32=7",
                             "load_latency=11",
                             "load_interval=2",
                             "store_latency=6",
                             "store_interval=3",
                             "set_cycles=4",
                             "clr_cycles=2",
                             "efficiency_interval=3",
                             NULL,
                             NULL,
                             NULL};
enum { LOST = 12 }; /* in sets: of the numbers that are drawn */
static unsigned lost, lost_busy;
enum { LATENCY = 5, LOAD = 11, LOAD_EACH = 2, STORE = 6, STORE_EACH = 3, SET = 4, CLR = 2 };
enum { PERFORMANCE = 2, CLUSTERS = 3, TIMES = 3 }; /* clusters; array time of the last one */

struct brute_thread {
    struct amx_cursor cursor;
    const struct amx_item *item;
    unsigned number;
    unsigned cluster, place; /* place: where it has to go, CLUSTERS: nowhere */
    bool floating, bound;    /* it waits for a place; its instruction for the unit that it is on */
    uint64_t order, finish;  /* may issue from here on; its results are there */
    uint64_t x[8], y[8], z[64]; /* ready */
};

struct brute_work {
    unsigned unit; /* 0 none, 1 array, 2 port */
    unsigned taken, latency, cpu;
    bool x_in[8], y_in[8], z_in[64], x_out[8], y_out[8], z_out[64];
};

static void ring(bool regs[8], unsigned offset)
{
    for (unsigned byte = 0; byte < 64; byte++)
        regs[(offset + byte) % 512 / 64] = true;
}

static void work_of_matfp(const struct amx_item *item, unsigned cluster, struct brute_work *w)
{
    const struct matfp *m = &item->matfp.decoded;
    if (m->noop) {
        w->latency = 1;
        return;
    }
    const struct matfp_lane_info *lane = &amx_matfp_lane[m->lanes];
    const unsigned z_bits = amx_format[lane->z].bits;
    w->unit = 1;
    w->latency = LATENCY;
    w->taken = lane->bits == 64 ? 2 : lane->bits == 32 ? 1 : z_bits == 16 ? 3 : 7;
    if (cluster >= PERFORMANCE) {
        w->taken *= TIMES;
        w->latency = w->latency > w->taken ? w->latency : w->taken;
    }
    ring(w->x_in, m->x_offset);
    ring(w->y_in, m->y_offset);
    if (m->indexed == MATFP_INDEX_X)
        w->x_in[m->index_reg] = true;
    if (m->indexed == MATFP_INDEX_Y)
        w->y_in[m->index_reg] = true;
    for (unsigned row = 0; row < 64; row++) {
        w->z_out[row] = lane->bits != z_bits || row % (z_bits / 8) == m->z_row;
        w->z_in[row] = w->z_out[row] && m->alu != MATFP_RELU && !m->result_zero;
    }
}

static struct brute_work work_of(const struct brute_thread *t)
{
    const struct amx_item *item = t->item;
    struct brute_work w = {.cpu = 1};
    const unsigned rows = item->pair ? 2 : 1;
    switch ((enum amx_insn)item->insn) {
    case AMX_MATFP:
        work_of_matfp(item, t->cluster, &w);
        return w;
    case AMX_SET:
        w.cpu = w.latency = SET;
        memset(w.x_out, 1, sizeof w.x_out);
        memset(w.y_out, 1, sizeof w.y_out);
        memset(w.z_out, 1, sizeof w.z_out);
        return w;
    case AMX_CLR:
        w.cpu = w.latency = CLR;
        return w;
    default:
        break;
    }
    const bool store = item->insn == AMX_STX || item->insn == AMX_STY || item->insn == AMX_STZ;
    w.unit = 2;
    w.taken = rows * (store ? STORE_EACH : LOAD_EACH);
    w.latency = (store ? STORE : LOAD) + (rows - 1) * (store ? STORE_EACH : LOAD_EACH);
    for (unsigned i = 0; i < rows; i++)
        if (item->insn == AMX_LDX || item->insn == AMX_STX)
            (store ? w.x_in : w.x_out)[(item->reg + i) % 8] = true;
        else if (item->insn == AMX_LDY || item->insn == AMX_STY)
            (store ? w.y_in : w.y_out)[(item->reg + i) % 8] = true;
        else
            (store ? w.z_in : w.z_out)[(item->reg + i) % 64] = true;
    return w;
}

/* Reads want the register ready; a write must not land before an earlier one. */
static bool ready(const uint64_t *regs, const bool *in, const bool *out, unsigned count,
                  uint64_t now, unsigned latency)
{
    for (unsigned i = 0; i < count; i++)
        if ((in[i] && regs[i] > now) || (out[i] && regs[i] > now + latency))
            return false;
    return true;
}

static void land(uint64_t *regs, const bool *out, unsigned count, uint64_t when)
{
    for (unsigned i = 0; i < count; i++)
        if (out[i])
            regs[i] = when;
}

struct brute {
    struct event_list events;
    uint64_t cycles, array[CLUSTERS], port[CLUSTERS];
    uint64_t data[AMX_THREADS], held[AMX_THREADS]; /* cycles a thread stood: registers, its unit */
};

/* What an instruction does that issues now, in single cycles. */
static void happens(struct brute *result, const struct brute_thread *t, const char *unit,
                    const char *operation, unsigned amount, uint64_t cycle)
{
    struct event_row row = {.cycle = cycle, .amount = amount, .line = t->item->line};
    snprintf(row.unit, sizeof row.unit, "%s", unit);
    snprintf(row.operation, sizeof row.operation, "%s", operation);
    event_list_add(&result->events, &row);
}

static unsigned count_of(const bool *rows, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += rows[i];
    return sum;
}

static void use_rows(struct brute *result, const struct brute_thread *t, const struct brute_work *w,
                     uint64_t now, char file)
{
    const bool *in = file == 'x' ? w->x_in : file == 'y' ? w->y_in : w->z_in;
    const bool *out = file == 'x' ? w->x_out : file == 'y' ? w->y_out : w->z_out;
    const unsigned count = file == 'z' ? 64 : 8;
    const unsigned reads = count_of(in, count), writes = count_of(out, count);
    char unit[24];
    snprintf(unit, sizeof unit, "cpu%u.%c", t->number, file);
    if (reads)
        happens(result, t, unit, "read", reads, now);
    if (!writes)
        return;
    happens(result, t, unit, "write", writes, now);
    happens(result, t, unit, "ready", writes, now + w->latency);
}

static void use_units(struct brute *result, const struct brute_thread *t,
                      const struct brute_work *w, uint64_t now)
{
    char unit[24];
    const bool stores =
        w->unit == 2 && !count_of(w->x_out, 8) && !count_of(w->y_out, 8) && !count_of(w->z_out, 64);
    snprintf(unit, sizeof unit, "%s%u", w->unit == 1 ? "array" : "ldst", t->cluster);
    if (w->unit)
        happens(result, t, unit, "begin", w->taken, now);
    if (stores)
        happens(result, t, unit, "stored", w->taken, now + w->latency);
    for (const char *file = "xyz"; *file; file++)
        use_rows(result, t, w, now, *file);
}

static void fetch(struct brute_thread *t, const struct amx_program *program)
{
    do
        t->item = amx_cursor_next(&t->cursor, program);
    while (t->item && t->item->kind != AMX_ITEM_INSN);
}

static bool registers_ready(const struct brute_thread *t, const struct brute_work *w, uint64_t now)
{
    return ready(t->x, w->x_in, w->x_out, 8, now, w->latency) &&
           ready(t->y, w->y_in, w->y_out, 8, now, w->latency) &&
           ready(t->z, w->z_in, w->z_out, 64, now, w->latency);
}

/* Who could issue in this cycle and did not, stood for one of two reasons. In a lost cycle that is
 * the one for which it stood before. */
static void count_waits(struct brute *result, const struct brute_thread *threads, uint64_t now,
                        bool is_lost)
{
    for (unsigned i = 0; i < AMX_THREADS; i++) {
        const struct brute_thread *t = &threads[i];
        if (!t->item || t->order > now)
            continue;
        const struct brute_work w = work_of(t);
        const bool ready = is_lost ? t->bound : registers_ready(t, &w, now);
        (ready ? result->held : result->data)[i]++;
    }
}

/* Each performance cluster whose threads are all through takes the first one that floats. */
static void give_places(struct brute_thread *threads, uint64_t now)
{
    for (unsigned c = 0; c < PERFORMANCE; c++) {
        struct brute_thread *first = NULL;
        bool empty = true;
        for (unsigned i = 0; i < AMX_THREADS; i++) {
            struct brute_thread *t = &threads[i];
            if ((t->place < CLUSTERS ? t->place : t->cluster) == c && (t->item || t->finish > now))
                empty = false;
            if (!first && t->floating && t->item)
                first = t;
        }
        if (!empty || !first)
            continue;
        first->place = c;
        first->floating = false;
    }
}

/* Who could go, if its unit were free, goes to its place first; then it waits for the unit. */
static void take_places(struct brute_thread *threads, uint64_t now)
{
    for (unsigned i = 0; i < AMX_THREADS; i++) {
        struct brute_thread *t = &threads[i];
        struct brute_work w;
        if (!t->item || t->order > now || t->bound)
            continue;
        w = work_of(t);
        if (!registers_ready(t, &w, now))
            continue;
        if (t->place < CLUSTERS) {
            t->cluster = t->place;
            t->place = CLUSTERS;
            w = work_of(t);
        }
        t->bound = registers_ready(t, &w, now);
    }
}

/* The first cycle from this on that is not lost. */
static uint64_t not_lost(uint64_t cycle, unsigned of_thousand)
{
    while (cycle % 1000 < of_thousand)
        cycle++;
    return cycle;
}

static struct brute brute_force(const struct amx_program *program)
{
    static struct brute_thread threads[AMX_THREADS];
    struct brute result = {0};
    uint64_t free_at[CLUSTERS][3] = {{0}};
    memset(threads, 0, sizeof threads);
    unsigned left = 0, unpinned = 0, count = 0;
    for (unsigned t = 0; t < AMX_THREADS; t++)
        count += program->threads >> t & 1;
    const unsigned away = count > PERFORMANCE ? lost_busy : lost;
    for (unsigned t = 0; t < AMX_THREADS; t++) {
        const bool pinned = program->cluster[t] >= 0;
        threads[t].number = t;
        if (!(program->threads >> t & 1)) { /* it takes no turn */
            threads[t].cluster = threads[t].place = CLUSTERS;
            continue;
        }
        threads[t].cluster = pinned ? (unsigned)program->cluster[t] : unpinned++ % CLUSTERS;
        threads[t].order = not_lost(0, away);
        threads[t].place = CLUSTERS;
        threads[t].floating = !pinned && threads[t].cluster >= PERFORMANCE;
        amx_cursor_start(&threads[t].cursor, program, t);
        fetch(&threads[t], program);
        left += threads[t].item != NULL;
    }
    for (uint64_t now = 0; left; now++) {
        give_places(threads, now);
        if (now % 1000 < away) {
            count_waits(&result, threads, now, true);
            continue;
        }
        take_places(threads, now);
        for (;;) { /* whoever can go in this cycle, the one that has waited longest first */
            struct brute_thread *best = NULL;
            struct brute_work best_work = {0};
            for (unsigned i = 0; i < AMX_THREADS; i++) {
                struct brute_thread *t = &threads[i];
                if (!t->item || t->order > now || (best && t->order >= best->order))
                    continue;
                const struct brute_work w = work_of(t);
                if (!t->bound || (w.unit && free_at[t->cluster][w.unit] > now))
                    continue;
                best = t;
                best_work = w;
            }
            if (!best) {
                count_waits(&result, threads, now, false);
                break;
            }
            const struct brute_work *w = &best_work;
            if (w->unit) {
                free_at[best->cluster][w->unit] = now + w->taken;
                (w->unit == 1 ? result.array : result.port)[best->cluster] += w->taken;
            }
            use_units(&result, best, w, now);
            land(best->x, w->x_out, 8, now + w->latency);
            land(best->y, w->y_out, 8, now + w->latency);
            land(best->z, w->z_out, 64, now + w->latency);
            best->order = not_lost(now + w->cpu, away);
            best->bound = false;
            unsigned length = w->latency > w->cpu ? w->latency : w->cpu;
            length = length > w->taken ? length : w->taken;
            if (now + length > best->finish)
                best->finish = now + length;
            if (now + length > result.cycles)
                result.cycles = now + length;
            fetch(best, program);
            left -= best->item == NULL;
        }
    }
    return result;
}

static struct dice dice = {3};

/* A program, and numbers of lost cycles: a third has them, and is longer than a thousand. */
static void draw(char *text)
{
    static char few[40], many[40];
    amx_random_program(&dice, text, 16384 - 200);
    lost = lost_busy = 0;
    sets[LOST] = NULL;
    if (dice_below(&dice, 3))
        return;
    lost = (unsigned)dice_below(&dice, 200);
    lost_busy = (unsigned)dice_below(&dice, 999);
    snprintf(few, sizeof few, "lost_cycles=%u", lost);
    snprintf(many, sizeof many, "lost_cycles_busy=%u", lost_busy);
    sets[LOST] = few;
    sets[LOST + 1] = many;
    const unsigned first = (unsigned)dice_below(&dice, 4);
    snprintf(text + strlen(text), 200,
             ".thread %u..%u\n.repeat 90\nmatfp f32 z=0\nldx x=0 addr=0\nmatfp f16 z=1\n.end\n",
             first, first + (unsigned)dice_below(&dice, 4));
}

static unsigned pick(unsigned limit)
{
    return (unsigned)dice_below(&dice, limit);
}

/* The list of events, which counts the same as a run that runs ahead. */
static void same_events(const char *text, struct brute *b, uint64_t events)
{
    char *list;
    size_t size;
    FILE *file = open_memstream(&list, &size);
    assert_non_null(file);
    const struct run_options options = {.timing_only = true, .events = file};
    struct recording *r = recording_run(text, &options, sets);
    assert_int_equal(fclose(file), 0);
    struct event_list model = {0};
    event_list_read(&model, list);
    if (!event_list_same(&model, &b->events))
        fail_msg("the events differ:\n%s", text);
    assert_int_equal(r->summary.events, recording_counter(r, "steps") + model.count);
    assert_int_equal(r->summary.events, events);
    event_list_free(&model);
    recording_free(r);
    free(list);
}

static void random_programs_agree(void **state)
{
    (void)state;
    char *text = malloc(16384);
    assert_non_null(text);
    const struct run_options options = {.timing_only = true};
    for (unsigned round = 0; round < often(1500); round++) {
        draw(text);
        struct recording *r = recording_run(text, &options, sets);
        recording_assert_sound(r);
        struct amx_program program;
        struct diag_list diags;
        diag_list_init(&diags);
        assert_int_equal(amx_program_parse(&program, &r->source, 1, &diags), 0);
        struct brute b = brute_force(&program);
        if (b.cycles != r->summary.cycles)
            fail_msg("%llu cycles, brute force %llu:\n%s", (unsigned long long)r->summary.cycles,
                     (unsigned long long)b.cycles, text);
        for (size_t u = 0; u < r->unit_count; u++) {
            const char *name = r->unit_name[u];
            const unsigned cluster = (unsigned)(name[strlen(name) - 1] - '0');
            const uint64_t *total = r->total[u];
            if (strncmp(name, "array", 5) == 0)
                assert_int_equal(total[REASON_BUSY], b.array[cluster]);
            else if (strncmp(name, "ldst", 4) == 0)
                assert_int_equal(total[REASON_BUSY], b.port[cluster]);
            else {
                const unsigned thread = (unsigned)atoi(name + strlen("cpu"));
                assert_int_equal(total[REASON_DATA] + total[REASON_MEMORY], b.data[thread]);
                assert_int_equal(total[REASON_PORT], b.held[thread]);
            }
        }
        if (round % 3 == 0 || often_long())
            same_events(text, &b, r->summary.events);
        event_list_free(&b.events);
        amx_program_free(&program);
        diag_list_free(&diags);
        recording_free(r);
    }
    free(text);
}

/* One event an instruction, or as many as may be, in slices of whatever length: the same rows. */
static void run_ahead_and_slices_change_nothing(void **state)
{
    (void)state;
    char *text = malloc(16384);
    assert_non_null(text);
    const struct run_options options = {.timing_only = true};
    const struct run_options single = {.timing_only = true, .no_run_ahead = true};
    for (unsigned round = 0; round < often(300); round++) {
        draw(text);
        struct recording *r = recording_run(text, &options, sets);
        recording_budget = 1 + pick(20);
        struct recording *sliced = recording_run(text, &options, sets);
        recording_assert_same(r, sliced);
        recording_free(sliced);
        struct recording *stepped = recording_run(text, &single, sets);
        recording_budget = 1000;
        recording_assert_same(r, stepped);
        assert_int_equal(r->summary.events, stepped->summary.events);
        recording_free(stepped);
        recording_free(r);
    }
    free(text);
}

/* The clusters know nothing of each other: however far one runs ahead, the same part of a run that
 * is longer than what is remembered makes the critical path. */
static void long_runs_do_not_depend_on_slices(void **state)
{
    (void)state;
    sets[LOST] = NULL;
    static const char text[] = ".thread 0..1\n.repeat 300000\nmatfp f32 z=0\nmatfp f64 z=1\n"
                               "matfp f32 z=0\n.end\n.thread 2\n.repeat 9\nmatfp f16 z=0\n.end\n";
    const struct run_options options = {.timing_only = true};
    struct recording *r = recording_run(text, &options, NULL);
    recording_assert_sound(r);
    recording_budget = 100000;
    struct recording *sliced = recording_run(text, &options, NULL);
    recording_budget = 1000;
    recording_assert_same(r, sliced);
    recording_free(r);
    recording_free(sliced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs_agree),
                                       cmocka_unit_test(run_ahead_and_slices_change_nothing),
                                       cmocka_unit_test(long_runs_do_not_depend_on_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
