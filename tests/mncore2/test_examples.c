/*
 * examples: the shipped programs against arithmetic of the host and cycle counts derived by hand.
 *
 * Cycles are those of --packing none --documented: a statement a step, transfers at their
 * documented rates, no assumed latency.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/dice.h"
#include "tests/takt_process.h"

static unsigned long long json_integer_field(const char *json, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(json, key);
    if (!at)
        fail_msg("no %s in %s", key, json);
    return strtoull(at + strlen(key), NULL, 10);
}

static unsigned long long documented_cycles(const char *program)
{
    struct takt_result r = takt_run(
        (const char *[]){"run", program, "--json", "--packing", "none", "--documented", NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", program, r.exit_code, r.err);
    const unsigned long long cycles = json_integer_field(r.out, "cycles");
    takt_result_free(&r);
    return cycles;
}

static char *dump_of(const char *program)
{
    const char *dump = takt_temp_path("example.dump");
    struct takt_result r =
        takt_run((const char *[]){"run", program, "--quiet", "--dump", dump, NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", program, r.exit_code, r.err);
    takt_result_free(&r);
    char *text = takt_read_file(dump, NULL);
    assert_non_null(text);
    return text;
}

/* A single value of 18 significant bits, so that no partial product is left out (4.3) and the
 * chip's result is that of one IEEE rounding; exponents keep clear of both ends. */
static float next_value(struct dice *dice)
{
    const int mantissa = (int)dice_below(dice, 1 << 18) - (1 << 17);
    return ldexpf((float)mantissa, (int)dice_below(dice, 16) - 24);
}

enum { VECTOR_LONGS = 4096, FLOATS = 2 * VECTOR_LONGS };

/* Long words of two singles, the first in the upper half. */
static void write_vector(const char *path, const float *values)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < FLOATS; i += 2) {
        uint32_t high, low;
        memcpy(&high, &values[i], 4);
        memcpy(&low, &values[i + 1], 4);
        const uint64_t word = (uint64_t)high << 32 | low;
        for (int byte = 0; byte < 8; byte++)
            fputc((int)(word >> 8 * byte & 0xff), file);
    }
    assert_int_equal(fclose(file), 0);
}

static void fma_values(void **state)
{
    (void)state;
    static float a[FLOATS], x[FLOATS], b[FLOATS];
    struct dice dice = {42};
    for (size_t i = 0; i < FLOATS; i++) {
        a[i] = next_value(&dice);
        x[i] = next_value(&dice);
        b[i] = next_value(&dice);
    }
    char load_a[200], load_x[200], load_b[200], save[200];
    const char *paths[4];
    static const char *const names[4] = {"a.bin", "x.bin", "b.bin", "y.bin"};
    for (int i = 0; i < 4; i++)
        paths[i] = takt_temp_path(names[i]);
    write_vector(paths[0], a);
    write_vector(paths[1], x);
    write_vector(paths[2], b);
    /* Group 3; the example's own r lines touch group 0 only. */
    snprintf(load_a, sizeof load_a, "d@3:0=%s", paths[0]);
    snprintf(load_x, sizeof load_x, "d@3:4096=%s", paths[1]);
    snprintf(load_b, sizeof load_b, "d@3:8192=%s", paths[2]);
    snprintf(save, sizeof save, "d@3:12288+4096=%s", paths[3]);
    struct takt_result r =
        takt_run((const char *[]){"run", "examples/mncore2/fma.vsm", "--quiet", "--load", load_a,
                                  "--load", load_x, "--load", load_b, "--save", save, NULL});
    if (r.exit_code != 0)
        fail_msg("exit %d\n%s", r.exit_code, r.err);
    takt_result_free(&r);
    size_t size;
    char *y = takt_read_file(paths[3], &size);
    assert_non_null(y);
    assert_int_equal(size, 8 * VECTOR_LONGS);
    for (size_t i = 0; i < FLOATS; i++) {
        const float expected = fmaf(a[i], x[i], b[i]);
        float got;
        memcpy(&got, y + 8 * (i / 2) + (i % 2 ? 0 : 4), 4);
        if (got != expected)
            fail_msg("y[%zu] = %a, expected %a", i, (double)got, (double)expected);
    }
    free(y);
    char *dump = dump_of("examples/mncore2/fma.vsm");
    assert_non_null(strstr(dump, "DRAM(n0,12288):(10.5, 40.5)"));
    assert_non_null(strstr(dump, "DRAM(n0,12289):(90.5, 160.5)"));
    free(dump);
}

/*
 * fma.vsm: six transfers of 2048 long words a group, 32 operations of 4 cycles each, share the DRAM
 * port, 128 GB/s or 64 long words in 3 cycles. Two of each priority take turns and leave it to
 * nobody else: at 0, 6, ... 186 and 3, 9, ... 189, then 192 later, then again. So they end at 190,
 * 193, 382, 385, 574, 577. The steps between the waits are hidden under them; the nop of the wait
 * for the fifth issues at 576; from 580 on 8 x l2bmd, nop, l1bmd, nop, fvfma, l1bmd, nop/2, 8 x
 * l2bmd, nop = 24 steps, 580 + 96 = 676; two transfers back take turns and end at 676 + 190 and 676
 * + 193; the nops that wait for them issue at 868 and 872: 876.
 */
static void fma_cycles(void **state)
{
    (void)state;
    assert_int_equal(documented_cycles("examples/mncore2/fma.vsm"), 876);
}

/* C[i][j] is i + 2 for even j; for odd j, i with the sign of row i of B: (i + 1) s - s, s = +-1. */
static void matmul_values(void **state)
{
    (void)state;
    char *dump = dump_of("examples/mncore2/matmul.vsm");
    const char *at = dump;
    for (int pe = 0; pe < 4; pe++)
        for (int column = 0; column < 4; column++) {
            /* One line is two long words: four singles, rows 4 pe .. 4 pe + 3 of the column. */
            char head[64], values[200];
            snprintf(head, sizeof head, "DEBUG-GREG1(n0c0b0m0p%d,%d):", pe, 4 * column);
            int c[4];
            for (int k = 0; k < 4; k++) {
                const int row = 4 * pe + k;
                c[k] = column % 2 == 0 ? row + 2 : row % 2 ? -row : row;
            }
            snprintf(values, sizeof values, "{(%d, %d)", c[0], c[1]);
            const char *end = strchr(at, '\n');
            assert_non_null(end);
            char line[400];
            snprintf(line, sizeof line, "%.*s", (int)(end - at), at);
            char second[64];
            snprintf(second, sizeof second, "(%d, %d)", c[2], c[3]);
            if (strncmp(line, head, strlen(head)) != 0 || !strstr(line, values) ||
                !strstr(line, second))
                fail_msg("expected %s %s ... %s in %s", head, values, second, line);
            at = end + 1;
        }
    free(dump);
}

/* Eight steps, no transfer; the last writes GRF, 6 cycles later (3.6.3.9). */
static void matmul_cycles(void **state)
{
    (void)state;
    assert_int_equal(documented_cycles("examples/mncore2/matmul.vsm"), 32 + 6);
}

static void reduce_values(void **state)
{
    (void)state;
    unsigned long long sum = 0;
    for (unsigned pe = 0; pe < 4096; pe++)
        sum += pe;
    char expected[64];
    snprintf(expected, sizeof expected, "v:0x%llX) #d get $p0n0 1", sum);
    char *dump = dump_of("examples/mncore2/reduce.vsm");
    if (!strstr(dump, expected))
        fail_msg("expected %s in %s", expected, dump);
    free(dump);
}

/* 20 steps before the MV: it issues at 80; 64 long words at 8 a cycle (3.5.8.19): 88; the waiting
 * nop issues at 88: 92. */
static void reduce_cycles(void **state)
{
    (void)state;
    assert_int_equal(documented_cycles("examples/mncore2/reduce.vsm"), 92);
}

/* The programs of docs/optimising.md: products by element. */
static void vector_values(void **state)
{
    (void)state;
    const char *const programs[] = {"examples/mncore2/optimising/vector.vsm",
                                    "examples/mncore2/optimising/vector-halves.vsm"};
    for (size_t i = 0; i < 2; i++) {
        char *dump = dump_of(programs[i]);
        assert_non_null(strstr(dump, "DRAM(n0,8192):(2, 4)"));   /* 1 x 2, 2 x 2 */
        assert_non_null(strstr(dump, "DRAM(n0,8193):(1.5, 2)")); /* 3 x 0.5, 4 x 0.5 */
        free(dump);
    }
}

/* C[i][7] is 16 times (i + 1) x 8. */
static void matrix_values(void **state)
{
    (void)state;
    char *dump = dump_of("examples/mncore2/optimising/matrix.vsm");
    for (int pe = 0; pe < 4; pe++) {
        char line[100];
        int c[4];
        for (int k = 0; k < 4; k++)
            c[k] = 16 * (4 * pe + k + 1) * 8;
        snprintf(line, sizeof line, "p%d,60):{(%d, %d)", pe, c[0], c[1]);
        assert_non_null(strstr(dump, line));
        snprintf(line, sizeof line, "(%d, %d)", c[2], c[3]);
        assert_non_null(strstr(dump, line));
    }
    free(dump);
}

/* The second difference of i squared is 2 everywhere; in row 1 ten times that. */
static void stencil_values(void **state)
{
    (void)state;
    const char *const programs[] = {"examples/mncore2/optimising/stencil.vsm",
                                    "examples/mncore2/optimising/stencil-registers.vsm"};
    for (size_t i = 0; i < 2; i++) {
        char *dump = dump_of(programs[i]);
        for (int point = 0; point < 16; point++) {
            char line[100];
            snprintf(line, sizeof line, "LM1(n0c0b0m0p0,%d):(2, 20)", 2 * point);
            assert_non_null(strstr(dump, line));
        }
        free(dump);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_values),  cmocka_unit_test(matrix_values),
        cmocka_unit_test(stencil_values), cmocka_unit_test(fma_values),
        cmocka_unit_test(fma_cycles),     cmocka_unit_test(matmul_values),
        cmocka_unit_test(matmul_cycles),  cmocka_unit_test(reduce_values),
        cmocka_unit_test(reduce_cycles),
    };
    return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
