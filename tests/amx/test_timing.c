/* Time of AMX: closed forms from the published tables (latency 4 to the same accumulator; the array
 * is taken 1 cycle by f32 and f64, 2 by 16-bit lanes, 4 by 16-bit lanes into f32). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/amx/measured.h"
#include "tests/amx/recording.h"
#include "tests/often.h"
#include "timing/machines.h"

static struct recording *run_sound(const char *text, const char *const *sets)
{
    struct recording *r = recording_run(text, NULL, sets);
    if (r->status != 0)
        diag_print(&r->diags, &r->source, 1, stderr, false);
    recording_assert_sound(r);
    return r;
}

/* N turns of one matfp on each of the accumulators 0 .. count - 1. */
static void kernel(char *text, size_t size, const char *lanes, unsigned count, unsigned turns)
{
    size_t used = (size_t)snprintf(text, size, ".version M2\n.repeat %u\n", turns);
    for (unsigned i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "matfp %s z=%u\n", lanes, i);
    snprintf(text + used, size - used, ".end\n");
}

static uint64_t kernel_cycles(const char *lanes, unsigned count, unsigned turns, uint64_t *busy)
{
    char text[1000];
    kernel(text, sizeof text, lanes, count, turns);
    struct recording *r = run_sound(text, NULL);
    const uint64_t cycles = r->summary.cycles;
    assert_int_equal(recording_counter(r, "steps"), (uint64_t)count * turns);
    *busy = recording_busy(r, "array0");
    recording_free(r);
    return cycles;
}

/*
 * One turn over k accumulators takes max(4, k * interval) cycles: the first accumulator comes round
 * again no sooner than its latency, the array can take no more than one each interval. The last
 * instruction issues (k - 1) * interval after its turn began and ends max(4, interval) later.
 */
static void turns_take_latency_or_interval(void **state)
{
    (void)state;
    static const struct {
        const char *lanes;
        unsigned interval, accumulators;
    } row[] = {{"f32", 1, 4},  {"f64", 1, 8},    {"f16", 2, 2},
               {"bf16", 2, 2}, {"f16f32", 4, 1}, {"bf16f32", 4, 1}};
    enum { TURNS = 100 };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (unsigned k = 1; k <= row[i].accumulators; k++) {
            uint64_t busy;
            const unsigned interval = row[i].interval;
            const unsigned turn = k * interval > 4 ? k * interval : 4;
            const uint64_t expected = (TURNS - 1) * (uint64_t)turn + (k - 1) * interval + 4;
            assert_int_equal(kernel_cycles(row[i].lanes, k, TURNS, &busy), expected);
            assert_int_equal(busy, (uint64_t)TURNS * k * interval);
        }
}

/* 1 to 4 accumulators of f32 keep the array busy 25, 50, 75 and 100 % of the cycles. */
static void f32_fills_the_array_by_quarters(void **state)
{
    (void)state;
    for (unsigned k = 1; k <= 4; k++) {
        uint64_t busy;
        const uint64_t cycles = kernel_cycles("f32", k, 10000, &busy);
        const double share = 100.0 * (double)busy / (double)cycles;
        assert_true(share > 25 * k - 0.1 && share < 25 * k + 0.1);
    }
}

/* Both edges of the latency: an independent instruction fits in between, a dependent one waits. */
static void latency_binds_the_same_accumulator_only(void **state)
{
    (void)state;
    /* Issue at 0 and 4: the second ends at 8. */
    struct recording *r = run_sound("matfp f32 z=0\nmatfp f32 z=0\n", NULL);
    assert_int_equal(r->summary.cycles, 8);
    assert_int_equal(r->total[recording_unit(r, "cpu0")][REASON_DATA], 3);
    assert_int_equal(r->edge_count, 1);
    assert_int_equal(r->edges[0].kind, EDGE_DATA);
    assert_string_equal(r->edges[0].rule, "result_latency");
    assert_int_equal(r->edges[0].released, 4);
    assert_int_equal(r->edges[0].waited, 3);
    recording_free(r);
    /* Issue at 0 and 1. */
    r = run_sound("matfp f32 z=0\nmatfp f32 z=1\n", NULL);
    assert_int_equal(r->summary.cycles, 5);
    assert_int_equal(r->edge_count, 0);
    recording_free(r);
    /* Rows 1, 5, 9 ... of f32 z=1 are among the odd rows of f16 z=1, not of f16 z=0. */
    r = run_sound("matfp f32 z=1\nmatfp f16 z=0\n", NULL);
    assert_int_equal(r->summary.cycles, 5);
    recording_free(r);
    r = run_sound("matfp f32 z=1\nmatfp f16 z=1\n", NULL);
    assert_int_equal(r->summary.cycles, 8);
    recording_free(r);
    /* Three in between: the fourth later one finds its accumulator ready. */
    r = run_sound("matfp f32 z=0\nmatfp f32 z=1\nmatfp f32 z=2\nmatfp f32 z=3\nmatfp f32 z=0\n",
                  NULL);
    assert_int_equal(r->summary.cycles, 8);
    assert_int_equal(r->edge_count, 0);
    recording_free(r);
}

/* Z is no input of relu, nor of an operation that an enable mode turned into 0.0. */
static void what_does_not_read_z_does_not_wait(void **state)
{
    (void)state;
    struct recording *r = run_sound("matfp f32 z=0\nmatfp f32 z=0 alu=relu\n", NULL);
    assert_int_equal(r->summary.cycles, 5);
    recording_free(r);
    r = run_sound("matfp f32 z=0\nmatfp f32 z=0 xen=clear\n", NULL);
    assert_int_equal(r->summary.cycles, 5);
    recording_free(r);
    /* But what it writes is ready 4 cycles later. */
    r = run_sound("matfp f32 z=0 alu=relu\nmatfp f32 z=0\n", NULL);
    assert_int_equal(r->summary.cycles, 8);
    recording_free(r);
}

/* A matfp that does nothing costs its issue and no more: 3 cycles of issue, none of the array. */
static void a_noop_takes_no_array(void **state)
{
    (void)state;
    struct recording *r = run_sound(".repeat 3\nmatfp f32 alu=2\n.end\n", NULL);
    assert_int_equal(r->summary.cycles, 3);
    assert_int_equal(recording_busy(r, "array0"), 0);
    assert_int_equal(recording_busy(r, "cpu0"), 3);
    recording_free(r);
}

/* The array held by 16-bit lanes: f16 at 0 takes cycles 0 and 1; f32 elsewhere goes at 2. */
static void the_array_takes_one_at_a_time(void **state)
{
    (void)state;
    struct recording *r = run_sound("matfp f16 z=0\nmatfp f32 z=1\n", NULL);
    assert_int_equal(r->summary.cycles, 6);
    assert_int_equal(r->edge_count, 1);
    assert_int_equal(r->edges[0].kind, EDGE_PORT);
    assert_string_equal(r->edges[0].rule, "interval_16");
    assert_int_equal(r->edges[0].at, 2);
    assert_int_equal(r->edges[0].waited, 1);
    assert_int_equal(r->total[recording_unit(r, "cpu0")][REASON_PORT], 1);
    recording_free(r);
}

/* Threads have registers of their own. Two on one unit share its array, on two they do not. */
static void threads_share_a_cluster_or_not(void **state)
{
    (void)state;
    static const char body[] = ".repeat 100\nmatfp f32 z=0\n.end\n";
    char text[400];
    /* By default thread 1 is on the other cluster: 100 turns of 4 cycles each, side by side. */
    snprintf(text, sizeof text, ".thread 0..1\n%s", body);
    struct recording *r = run_sound(text, NULL);
    assert_int_equal(r->summary.cycles, 400);
    assert_int_equal(recording_busy(r, "array0"), 100);
    assert_int_equal(recording_busy(r, "array1"), 100);
    recording_free(r);
    /* On one cluster they interleave: the second is one cycle behind. */
    snprintf(text, sizeof text, ".thread 0..1\n.cluster 0\n%s", body);
    r = run_sound(text, NULL);
    assert_int_equal(r->summary.cycles, 401);
    assert_int_equal(recording_busy(r, "array0"), 200);
    recording_free(r);
    /* Eight on one cluster: 800 instructions on an array that takes one a cycle; the last is issued
     * at 799. */
    snprintf(text, sizeof text, ".thread 0..7\n.cluster 0\n%s", body);
    r = run_sound(text, NULL);
    assert_int_equal(r->summary.cycles, 803);
    assert_int_equal(recording_busy(r, "array0"), 800);
    recording_free(r);
}

/* The rule of placement, counted by hand with an array of 5 cycles on the efficiency cluster:
 * threads go round clusters 0, 1, 2, and the first of cluster 2 goes where no thread is left. */
static void threads_move_to_clusters_without_threads(void **state)
{
    (void)state;
    static const char *const sets[] = {"efficiency_interval=5", NULL};
    static const char body[] = ".repeat 100\nmatfp f32 z=0\n.end\n";
    char text[400];
    /* Threads 0 and 1 end at 400. Thread 2 has issued 80 by then, in 0, 5 .. 395; the other 20 go
     * on cluster 0 from 400 to 476. */
    snprintf(text, sizeof text, ".thread 0..2\n%s", body);
    struct recording *r = run_sound(text, sets);
    assert_int_equal(r->summary.cycles, 480);
    assert_int_equal(recording_busy(r, "array0"), 120);
    assert_int_equal(recording_busy(r, "array1"), 100);
    assert_int_equal(recording_busy(r, "array2"), 400);
    assert_int_equal(r->summary.slack_count, 0); /* when it moves depends on the others */
    recording_free(r);
    /* Where the program says so it stays. With numbers that leave some out they go round, too. */
    snprintf(text, sizeof text, ".thread 0..2\n%s.thread 2\n.cluster 2\n", body);
    r = run_sound(text, sets);
    assert_int_equal(r->summary.cycles, 500);
    recording_free(r);
    snprintf(text, sizeof text, ".thread 1\n%s.thread 3\n%s.thread 8\n%s", body, body, body);
    r = run_sound(text, sets);
    assert_int_equal(r->summary.cycles, 480);
    recording_free(r);
    /* Two are never on one unit while another cluster has none: each its own. */
    snprintf(text, sizeof text, ".thread 1\n%s.thread 3\n%s", body, body);
    r = run_sound(text, sets);
    assert_int_equal(r->summary.cycles, 400);
    recording_free(r);
    /* The four on clusters 0 and 1 end at 400 and 401. Threads 2 and 5 take turns until then: 0, 10
     * .. 400 and 5, 15 .. 395. Thread 2 goes on at 405 with 59, on cluster 0: 405 .. 637. Thread 5
     * waits for the slow array from 400 on, which takes it at 405; its 59 on cluster 1: 410 .. 642.
     */
    snprintf(text, sizeof text, ".thread 0..5\n%s", body);
    r = run_sound(text, sets);
    assert_int_equal(r->summary.cycles, 646);
    assert_int_equal(recording_busy(r, "array0"), 259);
    assert_int_equal(recording_busy(r, "array1"), 259);
    assert_int_equal(recording_busy(r, "array2"), 5 * 82);
    recording_free(r);
    /* Without such clusters three threads share two units and lose a cycle. */
    static const char *const none[] = {"efficiency_clusters=0", NULL};
    snprintf(text, sizeof text, ".thread 0..2\n%s", body);
    r = run_sound(text, none);
    assert_int_equal(r->summary.cycles, 401);
    recording_free(r);
}

/* Loads and stores, by the parameters: interval 1, latency 10; a store ends 5 after its issue. */
static void loads_and_stores_take_their_parameters(void **state)
{
    (void)state;
    static const char *const sets[] = {"load_latency=10", "load_interval=1", "store_latency=5",
                                       "store_interval=1", NULL};
    /* ldx at 0, ldy at 1, ready at 10 and 11; matfp at 11, ready at 15. */
    struct recording *r = run_sound("ldx x=0 addr=0\nldy y=0 addr=64\nmatfp f32 z=0\n", sets);
    assert_int_equal(r->summary.cycles, 15);
    assert_int_equal(r->total[recording_unit(r, "cpu0")][REASON_MEMORY], 9);
    assert_int_equal(r->edges[0].kind, EDGE_MEMORY);
    recording_free(r);
    /* An unaligned offset reads two registers: x=32 reads X 0 and X 1, ready at 11. */
    r = run_sound("ldx x=0 addr=0\nldx x=1 addr=64\nmatfp f32 x=32 z=0\n", sets);
    assert_int_equal(r->summary.cycles, 15);
    recording_free(r);
    r = run_sound("ldx x=0 addr=0\nldx x=1 addr=64\nmatfp f32 x=0 z=0\n", sets);
    assert_int_equal(r->summary.cycles, 14);
    recording_free(r);
    /* An index register is read too. */
    r = run_sound("ldx x=5 addr=0\nmatfp f32 x=0 z=0 ix=5:4\n", sets);
    assert_int_equal(r->summary.cycles, 14);
    recording_free(r);
    /* A store of Z waits for the result: issue at 4, complete at 9. Rows of others do not wait. */
    r = run_sound("matfp f32 z=0\nstz z=4 addr=0\n", sets);
    assert_int_equal(r->summary.cycles, 9);
    recording_free(r);
    r = run_sound("matfp f32 z=0\nstz z=5 addr=0\n", sets);
    assert_int_equal(r->summary.cycles, 6);
    recording_free(r);
    /* A pair takes the port twice; its second row is ready an interval later. */
    r = run_sound("ldx x=0 addr=0 pair\nldy y=0 addr=128\n", sets);
    assert_int_equal(r->summary.cycles, 12); /* ldy at 2 */
    assert_int_equal(recording_busy(r, "ldst0"), 3);
    recording_free(r);
}

/* Every assumed parameter at its most optimistic value gives the documented-only total. */
static void the_documented_total_is_known(void **state)
{
    (void)state;
    static const char text[] = "ldx x=0 addr=0\nmatfp f32 z=0\nmatfp f32 z=0\n";
    struct recording *r = run_sound(text, NULL);
    const uint64_t documented = r->summary.cycles_documented;
    assert_true(documented < r->summary.cycles);
    recording_free(r);
    const struct run_options options = {.documented = true};
    r = recording_run(text, &options, NULL);
    recording_assert_sound(r);
    assert_int_equal(r->summary.cycles, documented);
    assert_int_equal(documented, 9); /* load ready at 1, matfp at 1 and 5 */
    recording_free(r);
    r = run_sound("matfp f32 z=0\nmatfp f32 z=0\n", NULL);
    assert_int_equal(r->summary.cycles_documented, r->summary.cycles);
    recording_free(r);
}

/* Values have no part in time: both modes give the same cycles. */
static void time_alone_gives_the_same_cycles(void **state)
{
    (void)state;
    static const char text[] = ".thread 0..2\n.repeat 50\nldx x=0 addr=0 step=64\nmatfp f16f32\n"
                               "stz z=3 addr=8192\n.end\nd get $z0 8\n";
    struct recording *r = run_sound(text, NULL);
    const struct run_options options = {.timing_only = true};
    struct recording *alone = recording_run(text, &options, NULL);
    recording_assert_sound(alone);
    assert_int_equal(r->summary.cycles, alone->summary.cycles);
    assert_int_equal(alone->dump_size, 0);
    assert_true(r->dump_size > 0);
    recording_free(r);
    recording_free(alone);
    const struct run_options values = {.functional_only = true};
    r = recording_run(text, &values, NULL);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->summary.cycles, 0);
    assert_true(r->dump_size > 0);
    recording_free(r);
}

/* Two operations a multiply-add, counted by the lanes that are enabled. */
static void operations_are_counted_by_class(void **state)
{
    (void)state;
    struct recording *r = run_sound(".version M2\nmatfp f64\nmatfp f32\nmatfp f16\nmatfp bf16f32\n"
                                    "matfp f32 xen=first:3 yen=only:2\nmatfp f32 alu=relu\n",
                                    NULL);
    assert_int_equal(recording_counter(r, "flops.double"), 2 * 8 * 8);
    assert_int_equal(recording_counter(r, "flops.single"), 2 * 16 * 16 + 2 * 3);
    assert_int_equal(recording_counter(r, "flops.half"), 2 * (2 * 32 * 32));
    recording_free(r);
}

/* Slack of f32 z=1 between two dependent ones: three free cycles less the one that it takes. */
static void slack_is_what_a_statement_could_wait(void **state)
{
    (void)state;
    /* z=0 at 0, z=1 at 1, z=0 at 4 (ends at 8). The second may issue as late as 3: its own result
     * at 7 harms nobody, but the third issues at 4. */
    struct recording *r = run_sound("matfp f32 z=0\nmatfp f32 z=1\nmatfp f32 z=0\n", NULL);
    assert_int_equal(r->summary.cycles, 8);
    assert_int_equal(r->summary.slack_count, 3);
    assert_int_equal(r->slack[0].slack, 0);
    assert_int_equal(r->slack[1].slack, 2);
    assert_int_equal(r->slack[2].slack, 0);
    recording_free(r);
}

/* Random programs of several threads: the books balance whatever is executed. */
static void random_programs_balance(void **state)
{
    (void)state;
    static const char *const statement[] = {
        "matfp f32 z=%u",  "matfp f64 z=%u",           "matfp f16 z=%u",     "matfp f16f32 x=%u",
        "ldx x=%u addr=0", "ldy y=%u addr=64 pair",    "stz z=%u addr=128",  "ldz z=%u addr=64",
        "stx x=%u addr=0", "matfp bf16 alu=relu z=%u", "matfp bf16f32 y=%u", "matfp f32 alu=9 z=%u",
    };
    uint32_t seed = 1;
    const struct run_options time_alone = {.timing_only = true};
    for (unsigned round = 0; round < often(300); round++) {
        char text[4000] = ".version M2\n";
        size_t used = strlen(text);
        for (unsigned section = 0; section < 3; section++) {
            seed = seed * 1664525 + 1013904223;
            const unsigned first = seed >> 28 & 3, more = seed >> 26 & 3;
            used +=
                (size_t)snprintf(text + used, sizeof text - used, ".thread %u..%u\n.repeat %u\n",
                                 first, first + more, 1 + (seed >> 20 & 7));
            for (unsigned i = 0; i < 8; i++) {
                seed = seed * 1664525 + 1013904223;
                const char *of = statement[(seed >> 24) % (sizeof statement / sizeof *statement)];
                used += (size_t)snprintf(text + used, sizeof text - used, of, seed >> 16 & 1);
                used += (size_t)snprintf(text + used, sizeof text - used, "\n");
            }
            used += (size_t)snprintf(text + used, sizeof text - used, ".end\n");
        }
        struct recording *r = recording_run(text, &time_alone, NULL);
        recording_assert_sound(r);
        recording_free(r);
    }
}

/* The published tables: one and two threads, each cell within the tolerance; more threads, their
 * mean, of every number of threads too. Each of the 90 cells lies inside the range. make test has
 * one, two and the most threads. */
static void measured_tables_are_met(void **state)
{
    (void)state;
    enum { TURNS = 2000 };
    double many = 0;
    for (unsigned threads = 1; threads <= MEASURED_THREADS; threads++) {
        double mean = 0;
        if (!often_long() && threads > MEASURED_FEW && threads < MEASURED_THREADS)
            continue;
        for (unsigned i = 0; i < MEASURED_ROWS; i++) {
            const double measured = measured_row[i].gflops[threads - 1];
            struct measured_answer model;
            assert_int_equal(measured_cell(&measured_row[i], threads, TURNS, NULL, &model), 0);
            const double error = 100 * fabs(model.gflops - measured) / measured;
            mean += error / MEASURED_ROWS;
            if ((threads <= MEASURED_FEW && error > MEASURED_TOLERANCE) ||
                measured < model.slowest || measured > model.fastest || model.slowest <= 0)
                fail_msg("%s, %u accumulators, %u threads: %.1f, %.1f to %.1f, measured %.1f",
                         measured_row[i].title, measured_row[i].accumulators, threads, model.gflops,
                         model.slowest, model.fastest, measured);
        }
        assert_true(mean <= (threads <= MEASURED_FEW ? MEASURED_TOLERANCE : MEASURED_MEAN));
        many += threads > MEASURED_FEW ? mean / (MEASURED_THREADS - MEASURED_FEW) : 0;
    }
    assert_true(many <= MEASURED_MEAN);
}

/* The published tables again: what the fit has not seen is met as well, and whatever is left out,
 * the number of the configuration is what the rest gives. */
static void cells_left_out_are_met(void **state)
{
    (void)state;
    char error[MACHINE_ERROR];
    struct config config;
    size_t number = 0;
    assert_int_equal(machine_config(&machine_amx, &config, error, sizeof error), 0);
    while (strcmp(config.params[number].row->name, "efficiency_interval") != 0)
        number++;
    struct measured_errors errors[FOLDS];
    assert_int_equal(measured_left_out(MEASURED_FEW + 1, MEASURED_THREADS, errors), 0);
    for (unsigned fold = 0; fold < FOLDS; fold++) {
        assert_true(errors[fold].mean <= MEASURED_MEAN);
        assert_true(errors[fold].low == config.params[number].value);
        assert_true(errors[fold].high == config.params[number].value);
    }
    assert_int_equal(measured_left_out(1, MEASURED_FEW, errors), 0);
    for (unsigned fold = 0; fold < FOLDS; fold++)
        assert_true(errors[fold].largest <= MEASURED_TOLERANCE);
    config_free(&config);
}

/* Thread 1 asks in cycle 0 for the port that thread 0 takes, gets it in cycle 1, and its load ends
 * last; thread 0 issues longer. The path is the store before the load, then the load. */
static void the_path_ends_in_the_last_result(void **unused)
{
    (void)unused;
    static const char text[] = ".thread 0\nstz z=0 addr=0\nstz z=1 addr=64\nstz z=2 addr=128\n"
                               ".thread 1\n.cluster 0\nldz z=1 addr=256\n";
    static const char *const sets[] = {"load_latency=16", "load_interval=1",  "store_interval=1",
                                       "store_latency=4", "issue_interval=1", NULL};
    struct recording *r = recording_run(text, NULL, sets);
    assert_int_equal(r->status, 0);
    assert_int_equal(r->summary.cycles, 1 + 16);
    assert_int_equal(r->summary.crit_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(r->unit_name[r->crit[i].unit], "ldst0");
    assert_int_equal(r->crit[0].duration, 1);
    assert_int_equal(r->crit[0].first_stmt, 0);
    assert_int_equal(r->crit[0].reason, REASON_BUSY);
    assert_int_equal(r->crit[1].first_stmt, 3);
    assert_int_equal(r->crit[1].reason, REASON_DATA);
    recording_free(r);
}

/* A program may have no thread, or threads with nothing to do. */
static void nothing_takes_no_time(void **unused)
{
    (void)unused;
    static const char *const texts[] = {"", "# nothing\n", ".thread 3\n", ".repeat 5\n.end\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct recording *r = recording_run(texts[i], NULL, NULL);
        assert_int_equal(r->status, 0);
        assert_true(r->summary.complete);
        assert_int_equal(r->summary.cycles, 0);
        assert_int_equal(r->summary.crit_count, 0);
        recording_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measured_tables_are_met),
        cmocka_unit_test(cells_left_out_are_met),
        cmocka_unit_test(turns_take_latency_or_interval),
        cmocka_unit_test(f32_fills_the_array_by_quarters),
        cmocka_unit_test(latency_binds_the_same_accumulator_only),
        cmocka_unit_test(what_does_not_read_z_does_not_wait),
        cmocka_unit_test(a_noop_takes_no_array),
        cmocka_unit_test(the_array_takes_one_at_a_time),
        cmocka_unit_test(threads_share_a_cluster_or_not),
        cmocka_unit_test(threads_move_to_clusters_without_threads),
        cmocka_unit_test(loads_and_stores_take_their_parameters),
        cmocka_unit_test(the_documented_total_is_known),
        cmocka_unit_test(time_alone_gives_the_same_cycles),
        cmocka_unit_test(operations_are_counted_by_class),
        cmocka_unit_test(slack_is_what_a_statement_could_wait),
        cmocka_unit_test(random_programs_balance),
        cmocka_unit_test(the_path_ends_in_the_last_result),
        cmocka_unit_test(nothing_takes_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
