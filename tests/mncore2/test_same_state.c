/*
 * same_state: the state after a program depends neither on the number of threads nor on the kernels
 * that compute it: the shipped examples and 1,000 random legal programs, each run with one thread
 * and two, by plain C and by every vector path that the host has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "functional/mncore2/arith_select.h"
#include "functional/mncore2/exec.h"
#include "tests/emulator.h"
#include "tests/gen_program.h"
#include "tests/often.h"

static uint64_t state_after(const struct source *source, unsigned threads, const char *kernels)
{
    struct diag_list diags;
    diag_list_init(&diags);
    struct program program;
    char error[200];
    const struct exec_options options = {.threads = threads};
    struct exec *exec = mncore2_exec_new(&options, error, sizeof error);
    assert_non_null(exec);
    assert_true(mncore2_arith_select_name(kernels));
    assert_int_equal(mncore2_program_parse(&program, source, 1, &diags), 0);
    for (size_t i = 0; i < program.item_count; i++)
        assert_int_equal(mncore2_exec_item(exec, &program, i, &diags), 0);
    const uint64_t hash = mncore2_exec_hash(exec);
    mncore2_exec_free(exec);
    mncore2_program_free(&program);
    diag_list_free(&diags);
    return hash;
}

static void compare(const struct source *source)
{
    static const char *const kernels[] = {"reference", "avx2"};
    const uint64_t expected = state_after(source, 1, "reference");
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        if (!mncore2_arith_select_name(kernels[k]))
            continue;
        for (unsigned threads = 1; threads <= 2; threads++) {
            const uint64_t got = state_after(source, threads, kernels[k]);
            if (got != expected)
                fail_msg("%s: %u threads, %s: state %016llx, expected %016llx\n%.*s", source->name,
                         threads, kernels[k], (unsigned long long)got, (unsigned long long)expected,
                         (int)source->size, source->text);
        }
    }
}

static void examples(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* as many states as that */
    static const char *const names[] = {"examples/mncore2/fma.vsm", "examples/mncore2/matmul.vsm",
                                        "examples/mncore2/reduce.vsm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct source source;
        char error[200];
        assert_int_equal(source_open(&source, names[i], error, sizeof error), 0);
        compare(&source);
        source_close(&source);
    }
}

static void random_programs(void **state)
{
    (void)state;
    if (emulated())
        skip(); /* as many states as that */
    for (uint64_t seed = 1; seed <= often(150); seed++) {
        const struct gen_options options = {.features = GEN_ALL,
                                            .statements = 4 + (unsigned)(seed % 21),
                                            .tightness = 100,
                                            .sets = (unsigned)(seed % 8),
                                            .gets = 0};
        size_t size;
        char *text = gen_program(seed, &options, &size);
        assert_non_null(text);
        struct source source;
        assert_int_equal(source_from_text(&source, "generated", text, size), 0);
        compare(&source);
        source_close(&source);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples),
                                       cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests_name("same_state", tests, NULL, NULL);
}
