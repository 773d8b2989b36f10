/* The examples: what a timed run leaves in memory against plain C on the data of their buffers. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/ventus/program.h"
#include "tests/takt_process.h"

enum { MOST = 512 };

static struct source source;
static struct ventus_program program;

static void open_example(const char *path)
{
    struct diag_list diags;
    char error[256];
    diag_list_init(&diags);
    assert_int_equal(source_open(&source, path, error, sizeof error), 0);
    assert_int_equal(ventus_program_load(&program, &source, 1, &diags), 0);
    diag_list_free(&diags);
}

static void close_example(void)
{
    ventus_program_free(&program);
    source_close(&source);
}

/* The given bytes of a buffer. */
static size_t data_of(const char *name, void *to, size_t most)
{
    const struct riscv_symbol *symbol = riscv_image_symbol(&program.image, name, strlen(name));
    const struct ventus_launch *launch = ventus_program_launch(&program);
    assert_non_null(symbol);
    for (size_t i = 0; i < launch->buffer_count; i++) {
        const struct ventus_buffer *b = &launch->buffers[i];
        if (b->base != symbol->value)
            continue;
        assert_true(b->size <= most);
        memcpy(to, b->bytes, (size_t)b->size);
        return (size_t)b->size;
    }
    fail_msg("%s is no buffer", name);
    return 0;
}

/* The words that the example gets. */
static void run(const char *path, void *to, size_t count)
{
    struct takt_result r = takt_run((const char *[]){"run", path, "--dump", "-", "--quiet", NULL});
    if (r.exit_code != 0)
        fail_msg("%s: exit %d\n%s", path, r.exit_code, r.err);
    size_t found = 0;
    for (const char *at = r.out; (at = strstr(at, "0x")); found++) {
        const uint32_t word = (uint32_t)strtoul(at, (char **)&at, 16);
        assert_true(found < count);
        memcpy((uint8_t *)to + 4 * found, &word, 4);
    }
    assert_int_equal(found, count);
    takt_result_free(&r);
}

static void saxpy(void **unused)
{
    (void)unused;
    const char *path = "examples/ventus/saxpy.ventus";
    float x[MOST], y[MOST], got[100];
    open_example(path);
    assert_int_equal(data_of("x", x, sizeof x), 400);
    assert_int_equal(data_of("y", y, sizeof y), 400);
    run(path, got, 100);
    for (unsigned i = 0; i < 100; i++)
        assert_true(got[i] == fmaf(2.5F, x[i], y[i]));
    close_example();
}

static void reduce(void **unused)
{
    (void)unused;
    const char *path = "examples/ventus/reduce.ventus";
    int32_t in[MOST], got[2], sums[2] = {0, 0};
    open_example(path);
    assert_int_equal(data_of("in", in, sizeof in), 1024);
    run(path, got, 2);
    for (unsigned i = 0; i < 256; i++)
        sums[i / 128] += in[i];
    assert_int_equal(got[0], sums[0]);
    assert_int_equal(got[1], sums[1]);
    close_example();
}

static void matmul(void **unused)
{
    (void)unused;
    const char *path = "examples/ventus/matmul.ventus";
    float a[8][8], b[8][8], got[8][8];
    open_example(path);
    assert_int_equal(data_of("a", a, sizeof a), sizeof a);
    assert_int_equal(data_of("b", b, sizeof b), sizeof b);
    run(path, got, 64);
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 8; k++) {
            float sum = 0;
            for (unsigned n = 0; n < 8; n++)
                sum = fmaf(a[i][n], b[n][k], sum);
            assert_true(got[i][k] == sum);
        }
    close_example();
}

static void collatz(void **unused)
{
    (void)unused;
    const char *path = "examples/ventus/collatz.ventus";
    uint32_t n[MOST], got[32];
    open_example(path);
    assert_int_equal(data_of("n", n, sizeof n), 128);
    run(path, got, 32);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t steps = 0;
        for (uint32_t value = n[i]; value != 1; steps++)
            value = value % 2 ? 3 * value + 1 : value / 2;
        assert_int_equal(got[i], steps);
    }
    close_example();
}

static void histogram(void **unused)
{
    (void)unused;
    const char *path = "examples/ventus/histogram.ventus";
    uint8_t in[MOST];
    uint32_t got[8], bins[8] = {0};
    open_example(path);
    assert_int_equal(data_of("in", in, sizeof in), 64);
    run(path, got, 8);
    for (unsigned i = 0; i < 64; i++)
        bins[in[i] / 32]++;
    assert_memory_equal(got, bins, sizeof bins);
    close_example();
}

/* Canonical text is the same program: as many cycles. */
static void printed_again(void **unused)
{
    (void)unused;
    static const char *const names[] = {"saxpy", "reduce", "matmul", "collatz", "histogram"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64];
        char *cycles[2];
        snprintf(path, sizeof path, "examples/ventus/%s.ventus", names[i]);
        struct takt_result print = takt_run((const char *[]){"print", path, NULL});
        assert_int_equal(print.exit_code, 0);
        const char *again = takt_temp_path("again.ventus");
        FILE *file = fopen(again, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(print.out, 1, print.out_size, file), print.out_size);
        assert_int_equal(fclose(file), 0);
        for (unsigned k = 0; k < 2; k++) {
            struct takt_result r =
                takt_run((const char *[]){"run", k ? again : path, "--json", NULL});
            assert_int_equal(r.exit_code, 0);
            const char *at = strstr(r.out, "\"cycles\": ");
            assert_non_null(at);
            cycles[k] = strndup(at, strcspn(at, ","));
            takt_result_free(&r);
        }
        assert_string_equal(cycles[0], cycles[1]);
        free(cycles[0]);
        free(cycles[1]);
        takt_result_free(&print);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saxpy),   cmocka_unit_test(reduce),    cmocka_unit_test(matmul),
        cmocka_unit_test(collatz), cmocka_unit_test(histogram), cmocka_unit_test(printed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
