/* Tables that grow: what they held stays, what is new is zero, on both sides of the mapped size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "functional/big_memory.h"

static const size_t sizes[] = {
    1, 64, 4096, (2u << 20) - 8, 2u << 20, 5u << 20, (5u << 20) + 24, 40u << 20};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static unsigned char mark(size_t at)
{
    return (unsigned char)(at * 37 / 7 + 1);
}

static void expect_zero(const unsigned char *memory, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (memory[i] != 0)
            fail_msg("byte %zu is %u", i, memory[i]);
}

static void grown_in_steps(void **unused)
{
    (void)unused;
    unsigned char *memory = NULL;
    size_t size = 0;
    for (unsigned s = 0; s < SIZES; s++) {
        memory = big_memory_grow(memory, size, sizes[s]);
        assert_non_null(memory);
        for (size_t i = 0; i < size; i++)
            if (memory[i] != mark(i))
                fail_msg("byte %zu is lost", i);
        expect_zero(memory, size, sizes[s]);
        size = sizes[s];
        for (size_t i = 0; i < size; i++)
            memory[i] = mark(i);
    }
    big_memory_free(memory, size);
}

static void grown_at_once(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < SIZES; a++) {
        unsigned char *memory = a % 2 ? big_memory_new(sizes[a]) : big_memory_touched(sizes[a]);
        assert_non_null(memory);
        expect_zero(memory, 0, sizes[a]);
        memory[0] = memory[sizes[a] - 1] = 1;
        memory = big_memory_grow(memory, sizes[a], sizes[SIZES - 1] + 1);
        assert_non_null(memory);
        assert_int_equal(memory[0], 1);
        assert_int_equal(memory[sizes[a] - 1], 1);
        expect_zero(memory, sizes[a], sizes[SIZES - 1] + 1);
        big_memory_free(memory, sizes[SIZES - 1] + 1);
    }
    big_memory_free(NULL, 0);
}

/* More than there is: what was there stays. */
static void too_much(void **unused)
{
    (void)unused;
    assert_null(big_memory_new(SIZE_MAX / 2));
    assert_null(big_memory_touched(SIZE_MAX / 2));
    for (unsigned s = 0; s < SIZES; s++) {
        unsigned char *memory = big_memory_new(sizes[s]);
        assert_non_null(memory);
        memory[sizes[s] - 1] = 7;
        assert_null(big_memory_grow(memory, sizes[s], SIZE_MAX / 2));
        assert_int_equal(memory[sizes[s] - 1], 7);
        big_memory_free(memory, sizes[s]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_in_steps),
        cmocka_unit_test(grown_at_once),
        cmocka_unit_test(too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
