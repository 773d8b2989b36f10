/* The examples: values against host arithmetic, cycles against a hand derivation. */
#include <math.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "config/embed.h"
#include "tests/amx/recording.h"

EMBED(example_matmul, "examples/amx/matmul.amx");
EMBED(example_accumulators, "examples/amx/accumulators.amx");
EMBED(example_threads, "examples/amx/threads.amx");
EMBED(example_block, "examples/amx/block.amx");

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* C[j][i] = sum over k of (j / 2 - k) (k + i). */
static void matmul_multiplies(void **state)
{
    (void)state;
    struct recording *r = recording_run(example_matmul, NULL, NULL);
    recording_assert_sound(r);
    const char *at = r->dump;
    for (unsigned j = 0; j < 16; j++) {
        for (unsigned i = 0; i < 16; i += 2) {
            at = strstr(at, i ? ", 0x" : ":(0x");
            assert_non_null(at);
            at += 4;
            const uint64_t word = strtoull(at, NULL, 16);
            for (unsigned half = 0; half < 2; half++) {
                double expected = 0;
                for (unsigned k = 0; k < 4; k++)
                    expected += (j / 2.0 - k) * (k + i + half);
                assert_true(fabs((double)float_of((uint32_t)(word >> 32 * half)) - expected) <
                            1e-30);
            }
        }
    }
    recording_free(r);
}

/* Four accumulators, 1000 turns: one instruction a cycle, the last issues at 3999 and ends at
 * 4003. */
static void accumulators_fill_the_array(void **state)
{
    (void)state;
    struct recording *r = recording_run(example_accumulators, NULL, NULL);
    recording_assert_sound(r);
    assert_int_equal(r->summary.cycles, 4003);
    assert_int_equal(recording_busy(r, "array0"), 4000);
    recording_free(r);
}

/* One accumulator in each thread: 4 cycles a turn. Three threads share array0: they go one cycle
 * after the other, the third ends two cycles after 4000. */
static void threads_share_array0(void **state)
{
    (void)state;
    struct recording *r = recording_run(example_threads, NULL, NULL);
    recording_assert_sound(r);
    assert_int_equal(r->summary.cycles, 4002);
    assert_int_equal(recording_busy(r, "array0"), 3000);
    assert_int_equal(recording_busy(r, "array1"), 1000);
    recording_free(r);
}

/* 256 steps of the block: loads are early enough, so a step takes its six issue cycles. Issue: set,
 * 6 loads, 253 steps of 6, 3 of 4, 64 stores of 1 (each at least when its result is ready) and
 * clr. */
static void block_is_limited_by_issue(void **state)
{
    (void)state;
    char in[] = "/tmp/takt-amx-block-XXXXXX", out[] = "/tmp/takt-amx-block-XXXXXX";
    const int in_file = mkstemp(in);
    int out_file = mkstemp(out);
    assert_true(in_file >= 0 && out_file >= 0);
    /* B[k][i] = (k + 3 i) % 17, A[j][k] = (5 j + k) % 13: sums stay exact. */
    static float b[256][32], a[256][32];
    for (unsigned k = 0; k < 256; k++)
        for (unsigned i = 0; i < 32; i++) {
            b[k][i] = (float)((k + 3 * i) % 17);
            a[k][i] = (float)((5 * i + k) % 13);
        }
    assert_int_equal(write(in_file, b, sizeof b), sizeof b);
    char load_b[100], load_a[100], save[100], a_name[] = "/tmp/takt-amx-block-XXXXXX";
    const int a_file = mkstemp(a_name);
    assert_int_equal(write(a_file, a, sizeof a), sizeof a);
    snprintf(load_b, sizeof load_b, "m:0=%s", in);
    snprintf(load_a, sizeof load_a, "m:131072=%s", a_name);
    snprintf(save, sizeof save, "m:262144+512=%s", out);
    const char *const loads[] = {load_b, load_a, NULL}, *const saves[] = {save, NULL};
    const struct run_options options = {.loads = loads, .saves = saves};
    struct recording *r = recording_run(example_block, &options, NULL);
    recording_assert_sound(r);
    static float c[32][32];
    close(out_file);
    out_file = open(out, O_RDONLY); /* another file of the same name */
    assert_int_equal(read(out_file, c, sizeof c), sizeof c);
    for (unsigned j = 0; j < 32; j++)
        for (unsigned i = 0; i < 32; i++) {
            float expected = 0;
            for (unsigned k = 0; k < 256; k++)
                expected += a[k][j] * b[k][i];
            assert_true(c[j][i] >= expected && c[j][i] <= expected);
        }
    assert_int_equal(recording_busy(r, "cpu0"), 1 + 6 + 253 * 6 + 3 * 4 + 64 + 1);
    assert_int_equal(recording_busy(r, "array0"), 1024);
    const size_t cpu = recording_unit(r, "cpu0");
    assert_true(r->total[cpu][REASON_MEMORY] < 30); /* the first step alone waits */
    assert_true(r->total[cpu][REASON_PORT] < 10);   /* and the loads before it */
    recording_free(r);
    close(in_file);
    close(a_file);
    close(out_file);
    unlink(in);
    unlink(a_name);
    unlink(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul_multiplies),
        cmocka_unit_test(accumulators_fill_the_array),
        cmocka_unit_test(threads_share_array0),
        cmocka_unit_test(block_is_limited_by_issue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
